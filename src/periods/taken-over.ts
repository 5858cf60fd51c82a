/** The accounts of a return that one period leaves to the next. */
export const ACCOUNTS = ['prepayments', 'credits'] as const;
export type Account = (typeof ACCOUNTS)[number];

/** Amounts of accounts, in cents. */
export type Balances = Partial<Record<Account, number>>;

/** What the return of a state takes over from other periods, in cents. */
export type Taken = Balances & {
  /** The periods that may leave the accounts: the first of them that was closed does. */
  readonly from: readonly string[];
  /** What later periods that are locked used of what the period leaves, if they did or it is an amended version. */
  readonly usedLater?: Balances;
  /** What returns of shorter periods settled that the return completes, by period; `null` where that is not known. */
  readonly settled?: Readonly<Record<string, number | null>>;
  /**
   * Where a discount has a cap by the year: what earlier returns of it claimed, and in an amended version later ones
   * that are locked, by period; `null` where not known.
   */
  readonly discounts?: Readonly<Record<string, number | null>>;
};

/** What the returns of a period take over: by state, and the amended versions that were filed for days of the period. */
export type TakenOver = {
  readonly states: Readonly<Record<string, Taken>>;
  readonly versions: readonly string[];
};
