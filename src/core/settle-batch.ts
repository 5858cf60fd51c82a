import type { Entry } from '../close/evidence/entry.ts';
import type { FoundSale } from '../close/period-sales/detailed-sales.ts';
import { type CalculatedSale, expectationOf } from '../close/period-sales/expectation-of.ts';
import type { RecordedSale } from '../close/period-sales/recorded-sale.ts';
import type { SubmittedSale } from '../close/period-sales/submitted-sale.ts';
import type { SettledSale } from '../close/period-sales/with-settled-exemption.ts';
import type { OpenVariance } from '../close/reconcile/open-variance.ts';
import type { ReconciledSale } from '../close/reconcile/reconciled-sale.ts';
import { entriesOf } from '../close/stages/book-pages/entries-of.ts';
import { figuresOfSale } from '../close/stages/reconcile/reconcile-sales.ts';
import type { ClosePorts } from '../close/stages/run/close-ports.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { DefectError } from '../kernel/errors.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { type Calculation, type Calls, calculateSales } from './calculate.ts';
import { bodyDigest, type Recorded, type recordKeeper, wantedOf } from './record.ts';
import type { Statement } from './shapes.ts';

/** A sale with its exemption, and what else its statement says. */
export type Unsettled = { readonly sale: SettledSale; readonly statement: Omit<Statement, 'sale'> };

/** The same with its calculation and its record; neither if it is not posted. */
export type Settled = Unsettled & { readonly posted?: Posted };

type Posted = {
  readonly row: CalculatedSale;
  /** Digest of the body that was sent. */
  readonly body: string;
  readonly recorded: Recorded;
};

/** A posted sale whose variance the rest of the period may explain. */
export type Waiting = Settled & { readonly posted: Posted; readonly open: OpenVariance };

/** Calculations by the keys of their sales. */
export type Calculations = readonly (readonly [string, Calculation])[];

/** Some sales of a business day: data that is enough for any process of the same close. */
export type Batch = {
  readonly day: CalendarDate;
  readonly sales: readonly Unsettled[];
  /** Set where they are calculated already. */
  readonly calculations?: Calculations;
};

/** What became of a batch, in its order. */
export type SettledBatch = {
  readonly entries: readonly Entry[];
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
  readonly calls: Calls;
  readonly counts: CalculationCounts;
  /** Whether the answer to a request was known before this run. */
  readonly isKept: (digest: string) => boolean;
  readonly keeperOf: (day: CalendarDate) => ReturnType<typeof recordKeeper>;
  /** Whether sales that ask about a record of their number are left to the close. */
  readonly isHelper?: boolean;
};

const isPosted = ({ sale }: Unsettled): boolean => sale.posting === 'posted';

const isReversal = ({ late }: SettledSale): boolean => (late?.reversedFigures ?? null) !== null;

/** Calculates posted sales. What is reversed is not calculated again. */
export const calculationsOf = async (
  { ports, calls }: Pick<Settler, 'ports' | 'calls'>,
  posted: readonly SettledSale[],
): Promise<Calculations> => {
  const reversals = posted.filter(isReversal);
  const others = posted.filter((sale) => !isReversal(sale));
  const found = await calculateSales(ports, others, calls);
  const rows = reversals.map(({ sale: { key } }): [string, Calculation] => [
    key,
    { row: { key, sale: '', basis: 'refused', detail: '' }, open: undefined },
  ]);
  return [...found, ...rows];
};

/** Calculates the sales of a batch, and counts them. */
export const calculateBatch = async (settler: Settler, { sales }: Batch): Promise<Calculations> => {
  const posted = sales.filter(isPosted);
  const calculations = await calculationsOf(
    settler,
    posted.map(({ sale }) => sale),
  );
  const rows = new Map(calculations);
  for (const one of posted) count(settler, one, of(rows, one.sale.sale.key));
  return calculations;
};

const count = ({ counts, isKept }: Settler, { statement }: Unsettled, { row }: Calculation): void => {
  if (!statement.reverses) counts[row.own && isKept(row.own.digest) ? 'known' : FIGURE_OF[row.basis]] += 1;
};

/** Settles some sales of a business day: calculation, record, comparison, evidence. */
export const settleBatch = async (settler: Settler, batch: Batch): Promise<SettledBatch> => {
  const { ports, keeperOf, isHelper } = settler;
  const posted = batch.sales.filter(isPosted).map(({ sale }) => sale);
  const calculations = new Map(batch.calculations ?? (await calculationsOf(settler, posted)));
  const wanted = posted.map(({ sale }) => {
    const expectation = expectationOf(of(calculations, sale.key).row);
    return wantedOf(ports, sale, expectation.basis === 'refused' ? undefined : expectation.result);
  });
  const recorded = await keeperOf(batch.day).record(batch.day, wanted);
  const bodies = new Map(wanted.map((one) => [one.sale.key, bodyDigest(one)]));
  const ready: Settled[] = [];
  const waiting: Waiting[] = [];
  const left: string[] = [];
  for (const one of batch.sales) {
    const { key } = one.sale.sale;
    if (!isPosted(one)) {
      ready.push(one);
      continue;
    }
    const calculation = of(calculations, key);
    const known = { row: calculation.row, body: of(bodies, key), recorded: of(recorded, key) };
    if (isHelper && known.recorded.inUse) {
      left.push(key);
      continue;
    }
    if (!batch.calculations) count(settler, one, calculation);
    if (calculation.open) waiting.push({ ...one, posted: known, open: calculation.open });
    else ready.push({ ...one, posted: known });
  }
  return { entries: entriesFrom(settler, ready), waiting, left };
};

const figuresOf = (
  { ports, period }: Pick<Settler, 'ports' | 'period'>,
  sale: SettledSale,
  { row, recorded }: Posted,
): ReconciledSale => {
  const { record, adjustments, detail } = recorded;
  const expectation = expectationOf(row);
  const known = { expectation, recorded: record, adjustments, refusal: detail };
  return figuresOfSale(ports, sale, period, known);
};

/** Returns the entries of sales of which all is known. */
export const entriesFrom = (
  settler: Pick<Settler, 'ports' | 'period'>,
  settled: readonly Settled[],
): readonly Entry[] => {
  const found = settled.map(({ sale, posted }): FoundSale => {
    return { ...sale, reconciled: posted && figuresOf(settler, sale, posted) };
  });
  const calculated = new Map<string, CalculatedSale>();
  const submitted = new Map<string, SubmittedSale>();
  const records = new Map<string, RecordedSale>();
  for (const { sale, posted } of settled) {
    if (!posted) continue;
    const { key } = sale.sale;
    const { record, adjustments, state, detail } = posted.recorded;
    calculated.set(key, posted.row);
    submitted.set(key, { key, body: posted.body, sale: '', state, detail });
    if (record) records.set(key, { key, record, adjustments });
  }
  const entries = entriesOf(settler.ports, found, { calculated, submitted, records });
  return entries.map((entry, index): Entry => {
    const { statement, posted } = settled[index] as Settled;
    const { stated, identity, version } = statement;
    const inUse = posted?.recorded.inUse;
    const sent = entry.sent && inUse && { sent: { ...entry.sent, inUse } };
    return { ...entry, stated, identity, ...sent, ...(version && { version }) };
  });
};

const of = <Found>(found: ReadonlyMap<string, Found>, key: string): Found => {
  const own = found.get(key);
  if (own === undefined) throw new DefectError(`${key} is posted and was not settled`);
  return own;
};
