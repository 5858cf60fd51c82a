/** What can be decided, and how the books call it. */
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

export const VERDICT_NAMES = Object.keys(VERDICTS) as readonly Verdict[];

/** The decision that a cell means, by its name or its first words; `undefined` when it is none. */
export const verdictIn = (cell: string): Verdict | undefined => {
  const text = bare(cell);
  return VERDICT_NAMES.find((verdict) => text === bare(verdict) || text === bare(VERDICTS[verdict]));
};

const bare = (text: string): string => text.toLowerCase().replace(/[^a-z]+/g, '');

/** Whether a decision may hold of a cause although no one has made it: then no reason stands beside it. */
export const holdsByDefault = (verdict: Verdict): boolean => ['remit', 'refund', 'pay'].includes(verdict);
