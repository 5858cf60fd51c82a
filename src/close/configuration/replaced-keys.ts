/** Keys that the configuration no longer has, each with what to write in their place. */
export const REPLACED_KEYS: Readonly<Record<string, string>> = {
  books:
    'was replaced by `ledger`, which names one CSV file with the balances of the accounts of sales tax payable by month: see docs/ledger.md',
};
