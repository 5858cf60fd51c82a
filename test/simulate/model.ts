import { isInOctober, type PlannedSale, partOf } from './planned-sale.ts';

/** Amounts of a record in cents, and the instant it counts with. */
export type RecordFigures = string;

type Row = Readonly<Record<string, unknown>>;

/**
 * What the service has to hold, record by record, after closes of October, by the plan alone. What an export that was never closed to its
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
      for (const [id, figures, day] of sales.flatMap(statedOf))
        if (isInOctober(day) || must.has(id) || may.has(id)) allow(id, figures);
    },
    /** A run has closed what this export states to its end. */
    ended: (sales: readonly PlannedSale[]): void => {
      for (const [id, figures, day] of sales.flatMap(statedOf)) {
        if (isInOctober(day)) {
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

const statedOf = ({ id, day, cents, shipping, tax, refund }: PlannedSale): readonly Stated[] => {
  const of = (at: string, percent: number): RecordFigures =>
    figuresOf(
      instantOf(at),
      partOf(cents + shipping, percent),
      partOf(shipping, percent),
      partOf(tax, percent),
    );
  const order: Stated = [`order ${id}`, of(day, 100), day];
  return refund ? [order, [`refund ${id}-R`, of(refund.day, -refund.percent), refund.day]] : [order];
};

/**
 * What the service has to hold in all of each sale after closes of October and November, when what came late was put
 * right by other records: the last export that spoke of a sale counts.
 */
export const correctedProblems = (
  exports: readonly (readonly PlannedSale[])[],
  rows: readonly Row[],
): readonly string[] => {
  const stated = new Map(
    exports.flatMap((sales) =>
      sales.flatMap(statedOf).map(([id, figures]) => [id, figures.slice(figures.indexOf(' ') + 1)] as const),
    ),
  );
  const found = new Map(
    [...Map.groupBy(rows, originOf)].map(([id, group]) => [id, totalsOf(group)] as const),
  );
  return [...new Set([...stated.keys(), ...found.keys()])]
    .filter((id) => stated.get(id) !== found.get(id))
    .map(
      (id) =>
        `${id} comes to ${found.get(id) ?? 'nothing'} with its corrections, and not to ${stated.get(id) ?? 'nothing'}`,
    );
};

/** The sale that a record is of or corrects; what takes a refund back is an order. */
const originOf = ({ transaction_id }: Row): string => {
  const id = String(transaction_id).replace(/-adj-\d+|-late-\d+|-reversal/g, '');
  return `${id.endsWith('-R') ? 'refund' : 'order'} ${id}`;
};

const CENT = 100;

const totalsOf = (group: readonly Row[]): string =>
  ['amount', 'shipping', 'sales_tax']
    .map((field) => group.reduce((sum, row) => sum + Number(row[field]), 0) / CENT)
    .join(' ');

/** The records of the books by kind and id; the adjustments of a refund are one figure with it. */
export const recordsIn = (rows: readonly Row[]): ReadonlyMap<string, RecordFigures> => {
  const groups = Map.groupBy(
    rows,
    ({ kind, transaction_id }) => `${kind} ${String(transaction_id).replace(/-adj-\d+$/, '')}`,
  );
  return new Map(
    [...groups].map(([id, group]) => [
      id,
      `${new Date(Number(group[0]?.['transaction_date'])).toISOString()} ${totalsOf(group)}`,
    ]),
  );
};
