import { joinSums, type KeptSums } from '../../kernel/money.ts';

const OUTCOMES = ['used', 'ignored', 'rejected'] as const;
type Outcome = (typeof OUTCOMES)[number];
export type RowCounts = Record<Outcome, number>;

/** Counts the rows of each input by outcome. */
export const rowCounter = () => {
  const counts = new Map<string, RowCounts>();
  return {
    counts,
    add: (channel: string, file: string, outcome: Outcome, rows: number): void => {
      const place = `${channel}/${file}`;
      const known = counts.get(place) ?? { used: 0, ignored: 0, rejected: 0 };
      known[outcome] += rows;
      counts.set(place, known);
    },
    join: (others: KeptSums<RowCounts>): void => joinSums(counts, others, OUTCOMES),
  };
};
