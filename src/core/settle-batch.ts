import { setImmediate as nextTurn } from 'node:timers/promises';
import { explainVariances } from '../ask/ask-questions.ts';
import { type Calculation, type CallBudget, calculateSales, expectationOf } from '../ask/calculate.ts';
import { questionCap, type RecomputeFigures } from '../ask/plan-calculations.ts';
import { type EntryLine, lineOf } from '../evidence/entry.ts';
import { NOTHING_DUE } from '../judge/explain-variance.ts';
import type { OpenVariance } from '../judge/rate-claim.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { DefectError } from '../kernel/errors.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import { postingOf } from '../sales/sale.ts';
import { type Exempted, figuresOfSale } from './compare-sale.ts';
import { entryOf, type Posted, type Settled } from './entry-of.ts';
import { type Recorded, type recordKeeper, wantedOf } from './record.ts';

/** A posted sale whose variance the rest of the period may explain. */
export type Waiting = Settled & {
  readonly key: string;
  readonly posted: Posted;
  readonly open: NonNullable<Calculation['open']>;
};

/** Calculations by the keys of their sales. */
export type Calculations = readonly (readonly [string, Calculation])[];

/** Some sales of a business day: data that is enough for any process of the same close. */
export type Batch = {
  readonly day: CalendarDate;
  readonly sales: readonly Exempted[];
  /** Set where they are calculated already. */
  readonly calculations?: Calculations;
};

/** What became of a batch, in its order. */
export type SettledBatch = {
  readonly entries: readonly EntryLine[];
  readonly waiting: readonly Waiting[];
  /** Keys of sales that ask about a record of their number: only who sees the whole period can tell what it is. */
  readonly left: readonly string[];
};

/** Sales by where their calculation is from. */
export type CalculationCounts = {
  -readonly [Name in 'calculated' | 'known' | 'skipped' | 'refused']: number;
};

const FIGURE_OF = {
  calculated: 'calculated',
  'no registration': 'skipped',
  marketplace: 'skipped',
  refused: 'refused',
} as const;

/** What settles the batches of a period. */
export type Settler = {
  readonly ports: ClosePorts;
  readonly period: FilingPeriod;
  readonly calls: CallBudget;
  readonly counts: CalculationCounts;
  readonly keeperOf: (day: CalendarDate) => ReturnType<typeof recordKeeper>;
  /** Whether sales that ask about a record of their number are left to the close. */
  readonly isHelper?: boolean;
};

const isPosted = ({ sale }: Exempted): boolean => postingOf(sale) === 'posted';

/** Calculates posted sales. What is reversed is not calculated again. */
export const calculationsOf = async (
  { ports, calls }: Pick<Settler, 'ports' | 'calls'>,
  posted: readonly Exempted[],
): Promise<Calculations> => {
  const others = posted.filter(({ reverses }) => !reverses).map(({ sale }) => sale);
  const calculations = await calculateSales(ports, others, calls);
  return posted.map(({ sale: { key } }) => [key, calculations.get(key) ?? NOT_CALCULATED]);
};

const NOT_CALCULATED: Calculation = { row: { basis: 'refused', detail: '' }, open: undefined };

/** Calculates the sales of a batch, and counts them. */
export const calculateBatch = async (settler: Settler, { sales }: Batch): Promise<Calculations> => {
  const posted = sales.filter(isPosted);
  const calculations = await calculationsOf(settler, posted);
  const rows = new Map(calculations);
  for (const one of posted) count(settler, one, of(rows, one.sale.key));
  return calculations;
};

const count = ({ counts, calls }: Settler, { reverses }: Exempted, { row }: Calculation): void => {
  if (!reverses) counts[row.own && calls.cache.isKept(row.own.digest) ? 'known' : FIGURE_OF[row.basis]] += 1;
};

/** Settles some sales of a business day: calculation, record, comparison, evidence. */
export const settleBatch = async (settler: Settler, batch: Batch): Promise<SettledBatch> => {
  const { ports, keeperOf, isHelper } = settler;
  const posted = batch.sales.filter(isPosted);
  const calculations = new Map(batch.calculations ?? (await calculationsOf(settler, posted)));
  const wanted = posted.map(({ sale }) =>
    wantedOf(ports, sale, expectationOf(of(calculations, sale.key).row)?.result),
  );
  const recorded = await keeperOf(batch.day).record(batch.day, wanted);
  const kept = new Map(
    wanted.map((one, index) => [one.sale.key, { sent: one.sent, recorded: recorded[index] as Recorded }]),
  );
  const ready: Settled[] = [];
  const waiting: Waiting[] = [];
  const left: string[] = [];
  for (const one of batch.sales) {
    const { key } = one.sale;
    if (!isPosted(one)) {
      ready.push(one);
      continue;
    }
    const calculation = of(calculations, key);
    const known = { row: calculation.row, ...of(kept, key) };
    if (isHelper && known.recorded.inUse) {
      left.push(key);
      continue;
    }
    if (!batch.calculations) count(settler, one, calculation);
    if (calculation.open) waiting.push({ ...one, key, posted: known, open: calculation.open });
    else ready.push({ ...one, posted: known });
  }
  return { entries: entriesFrom(settler, ready), waiting, left };
};

/**
 * Explains what the calculations of sales leave open, once all sales of the period are known.
 *
 * @param waiting yields all of them, each time it is called
 * @param callsLeft the calculations that may be asked for still
 * @returns what adds the explanation to a sale
 */
export const explainWaiting = async (
  { ports, calls, counts }: Settler,
  waiting: () => Iterable<readonly Waiting[]>,
  callsLeft: number,
  advanced: () => void,
) => {
  const { calculated, known, skipped, refused } = counts;
  const cap = questionCap(ports.configuration, calculated + known + skipped + refused);
  const questionsMax = Math.min(cap, callsLeft);
  const questions = { cache: calls.cache, asked: 0, left: questionsMax };
  async function* variances(): AsyncGenerator<OpenVariance> {
    for (const page of waiting()) {
      await nextTurn();
      advanced();
      for (const { open, sale, posted } of page)
        yield { ...open, sale, expectation: posted.row.own?.result ?? NOTHING_DUE };
    }
  }
  const answers = await explainVariances(ports, variances, questions, advanced);
  const explained = ({ open: { whole }, posted, ...one }: Waiting): Settled => {
    const found = answers.get(one.sale.key);
    const row = { ...posted.row, ...(found && { found }), ...(whole && { whole }) };
    return { ...one, posted: { ...posted, row } };
  };
  const recomputed: RecomputeFigures = {
    ...counts,
    asked: calls.asked + questions.asked,
    questions: questions.asked,
    questionsMax,
    cutShort: [...answers.values()].filter(({ isCutShort }) => isCutShort).length,
  };
  return { explained, recomputed };
};

/** Returns the entries of sales of which all is known. */
export const entriesFrom = (
  { ports, period }: Pick<Settler, 'ports' | 'period'>,
  settled: readonly Settled[],
): readonly EntryLine[] => {
  const calendar = zoneCalendar(ports.configuration.timeZone);
  return settled.map((one) => {
    const { posted } = one;
    const figures = posted && figuresOfSale(ports, one, period, posted.row, posted);
    return lineOf(entryOf(ports, one, figures, calendar));
  });
};

const of = <Found>(found: ReadonlyMap<string, Found>, key: string): Found => {
  const own = found.get(key);
  if (own === undefined) throw new DefectError(`${key} is posted and was not settled`);
  return own;
};
