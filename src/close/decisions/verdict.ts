/** The possible decisions, by the labels of the workbooks. */
export const VERDICTS = {
  post: 'Post',
  split: 'Split by share',
  'keep-out': 'Keep out',
  accept: 'Accept',
  ignore: 'Ignore',
  'set-by-hand': 'Set by hand',
  remit: 'Remit',
  refund: 'Refund the customer',
  pay: 'Do not bill the customer',
  bill: 'Bill the customer',
} as const;
export type Verdict = keyof typeof VERDICTS;

const VERDICT_NAMES = Object.keys(VERDICTS) as readonly Verdict[];

/** Parse the decision in a cell, by its identifier or its label; `undefined` if it is not one. */
export const verdictIn = (cell: string): Verdict | undefined => {
  const text = bare(cell);
  return VERDICT_NAMES.find((verdict) => text === bare(verdict) || text === bare(VERDICTS[verdict]));
};

const bare = (text: string): string => text.toLowerCase().replace(/[^a-z]+/g, '');

/** Whether a decision may apply to a cause by default, without anyone making it; then it has no reason. */
export const holdsByDefault = (verdict: Verdict): boolean => ['remit', 'refund', 'pay'].includes(verdict);
