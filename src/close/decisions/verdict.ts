/** The possible decisions, by the labels of the workbooks. */
export const VERDICTS = {
  post: 'Post',
  split: 'Split by share',
  'first-file': 'First file is newer',
  'second-file': 'Second file is newer',
  'keep-out': 'Keep out',
  accept: 'Accept',
  ignore: 'Ignore',
  'set-by-hand': 'Set by hand',
  remit: 'Remit',
  refund: 'Refund the customer',
  pay: 'Do not bill the customer',
  bill: 'Bill the customer',
  next: 'Next period',
  amend: 'Amend',
  leave: 'Leave as filed',
  keep: 'Keep the record',
  delete: 'Delete the record',
  same: 'Same sale',
  another: 'Another sale',
} as const;
export type Verdict = keyof typeof VERDICTS;

/** The decisions that are applied while exports are read. */
export const READ_BY: ReadonlySet<Verdict> = new Set(['post', 'split', 'first-file', 'second-file']);

const VERDICT_NAMES = Object.keys(VERDICTS) as readonly Verdict[];

/** Parse the decision in a cell, by its identifier or its label; `undefined` if it is not one. */
export const verdictIn = (cell: string): Verdict | undefined => {
  const text = bare(cell);
  return VERDICT_NAMES.find((verdict) => text === bare(verdict) || text === bare(VERDICTS[verdict]));
};

const bare = (text: string): string => text.toLowerCase().replace(/[^a-z]+/g, '');

/** Whether a decision may apply to a cause by default, without anyone making it; then it has no reason. */
export const holdsByDefault = (verdict: Verdict): boolean => ['remit', 'refund', 'pay'].includes(verdict);
