/** Rows of sales that still count as an earlier load read them. */
export type EarlierRows = {
  /** Rows that their file no longer contains. */
  gone: number;
  /** Rows that their file still contains, but now under another key, so that they count twice. */
  twice: number;
};
