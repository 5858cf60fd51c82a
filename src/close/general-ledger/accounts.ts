/** An account of sales tax payable; without a state it is that of all states that no other account names. */
export type TaxAccount = { readonly account: string; readonly state?: string | undefined };

const normal = (name: string): string => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** The name without the number that charts of accounts put before it. */
const withoutNumber = (name: string): string => name.replace(/^[\d.-]+\s+(?:·\s*)?/, '');

/** An account stands in a ledger with those above it, `Liabilities:Sales Tax Payable`, and is named with or without them. */
const namesOf = (path: string): readonly string[] => {
  const parts = path.split(/\s*:\s*/).map(normal);
  const leaf = parts.at(-1) ?? '';
  return [parts.join(':'), leaf, withoutNumber(leaf)];
};

/** Finds the account of the configuration that a path of the ledger means. A whole path goes before its last part. */
export const accountFinder = (
  accounts: readonly TaxAccount[],
): ((path: string) => TaxAccount | undefined) => {
  const wanted = accounts.map((account) => ({
    account,
    name: account.account
      .split(/\s*:\s*/)
      .map(normal)
      .join(':'),
  }));
  const known = new Map<string, TaxAccount | undefined>();
  return (path) => {
    if (known.has(path)) return known.get(path);
    const found = namesOf(path).flatMap((name) => wanted.find((each) => each.name === name) ?? [])[0]
      ?.account;
    known.set(path, found);
    return found;
  };
};
