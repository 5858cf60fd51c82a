/** An account of sales tax payable. Without a state, it covers all states that have no account of their own. */
export type TaxAccount = { readonly account: string; readonly state?: string | undefined };

const normal = (name: string): string => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** The name without the account number that charts of accounts put first. */
const withoutNumber = (name: string): string => name.replace(/^[\d.-]+\s+(?:·\s*)?/, '');

/**
 * The names that a ledger path matches: a ledger writes an account with its parents (`Liabilities:Sales Tax Payable`),
 * and the configuration may name it with or without them.
 */
const namesOf = (path: string): readonly string[] => {
  const parts = path.split(/\s*:\s*/).map(normal);
  const leaf = parts.at(-1) ?? '';
  return [parts.join(':'), leaf, withoutNumber(leaf)];
};

/** Return a function that finds the account for a ledger path. The whole path takes precedence over its last part. */
export const accountFinder = <Account extends TaxAccount>(
  accounts: readonly Account[],
): ((path: string) => Account | undefined) => {
  const wanted = accounts.map((account) => ({
    account,
    name: account.account
      .split(/\s*:\s*/)
      .map(normal)
      .join(':'),
  }));
  const known = new Map<string, Account | undefined>();
  return (path) => {
    if (known.has(path)) return known.get(path);
    const found = namesOf(path).flatMap((name) => wanted.find((each) => each.name === name) ?? [])[0]
      ?.account;
    known.set(path, found);
    return found;
  };
};
