/** The one file of balances, as it was last read: `body` has all of it. */
export type LedgerFileRow = { entity: string; position: number; path: string; sha256: string; body: string };
