import { isInMonth, type PlannedSale, partOf } from './plan.ts';

/** Amounts of a record in cents, and the instant it counts with. */
export type RecordFigures = string;

type Row = Readonly<Record<string, unknown>>;

/**
 * What the service has to hold after closes of October, by the plan alone. What an export that was never closed to its
 * end stated may be there or not.
 */
export const recordModel = () => {
  const must = new Map<string, RecordFigures>();
  /** Records that were of the month when an export was last closed: a close moves them out, and others it leaves. */
  const inMonth = new Set<string>();
  const may = new Map<string, Set<RecordFigures>>();

  const allow = (id: string, figures: RecordFigures): void => {
    may.set(id, (may.get(id) ?? new Set()).add(figures));
  };
  return {
    /** Some run has begun to close what this export states. */
    began: (sales: readonly PlannedSale[]): void => {
      for (const [id, figures, day] of statedOf(sales))
        if (isInMonth(day) || must.has(id) || may.has(id)) allow(id, figures);
    },
    /** A run has closed what this export states to its end. */
    ended: (sales: readonly PlannedSale[]): void => {
      for (const [id, figures, day] of statedOf(sales)) {
        if (isInMonth(day)) {
          inMonth.add(id);
          may.delete(id);
        } else if (!inMonth.delete(id)) continue;
        must.set(id, figures);
      }
    },
    /** What is missing, other than it should be, or too much. */
    problems: (records: ReadonlyMap<string, RecordFigures>): readonly string[] => [
      ...[...must].flatMap(([id, figures]) => {
        const found = records.get(id);
        if (found === figures || (found !== undefined && may.get(id)?.has(found))) return [];
        return [`${id} is recorded as ${found ?? 'nothing'} instead of ${figures}`];
      }),
      ...[...records].flatMap(([id, found]) =>
        must.has(id) || may.get(id)?.has(found) ? [] : [`${id} is recorded and should not be: ${found}`],
      ),
    ],
  };
};

/** `2026-10-10` is the first instant of that day in Los Angeles. */
const instantOf = (day: string): number => Date.parse(day.includes('T') ? day : `${day}T07:00:00Z`);

const figuresOf = (at: number, amount: number, shipping: number, tax: number): RecordFigures =>
  `${new Date(at).toISOString()} ${amount} ${shipping} ${tax}`;

type Stated = readonly [id: string, figures: RecordFigures, day: string];

const statedOf = (sales: readonly PlannedSale[]): readonly Stated[] =>
  sales.flatMap(({ id, day, cents, shipping, tax, refund }): Stated[] => {
    const of = (at: string, percent: number): RecordFigures =>
      figuresOf(
        instantOf(at),
        partOf(cents + shipping, percent),
        partOf(shipping, percent),
        partOf(tax, percent),
      );
    const order: Stated = [`order ${id}`, of(day, 100), day];
    return refund ? [order, [`refund ${id}-R`, of(refund.day, -refund.percent), refund.day]] : [order];
  });

const CENT = 100;

/** The records of the books by kind and id; the adjustments of a refund are one figure with it. */
export const recordsIn = (rows: readonly Row[]): ReadonlyMap<string, RecordFigures> => {
  const groups = Map.groupBy(
    rows,
    ({ kind, transaction_id }) => `${kind} ${String(transaction_id).replace(/-adj-\d+$/, '')}`,
  );
  return new Map(
    [...groups].map(([id, group]) => {
      const total = (field: string) => group.reduce((sum, row) => sum + Number(row[field]), 0) / CENT;
      return [
        id,
        figuresOf(
          Number(group[0]?.['transaction_date']),
          total('amount'),
          total('shipping'),
          total('sales_tax'),
        ),
      ];
    }),
  );
};
