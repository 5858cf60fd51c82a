import { scaled } from '../kernel/decimal.ts';
import {
  absolute,
  add,
  type Money,
  negate,
  parseMoney,
  RATE_ONE,
  type Rate,
  rate,
  subtract,
  sum,
  ZERO,
} from '../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../kernel/period.ts';
import { entryOf } from '../sales/sale-name.ts';
import type { DetailRow } from './detail-row.ts';
import type { LevelFigures } from './level-figures.ts';
import { partOf, type Reason, type ReasonCode } from './reason.ts';

/** Totals of the posted sales of one state. Refunds are negative. */
export type StateTotals = {
  readonly state: string;
  orders: number;
  refunds: number;
  gross: Money;
  /** The part of gross whose tax a marketplace collects and remits. */
  marketplace: Money;
  shipping: Money;
  taxable: Money;
  collected: Money;
  expected: Money;
  recorded: Money;
};

/** Tax of one jurisdiction at one rate, and the tax collected for it. */
export type JurisdictionTotals = {
  readonly state: string;
  readonly level: LevelFigures['level'];
  readonly name: string;
  readonly rate: Rate;
  taxable: Money;
  tax: Money;
  collected: Money;
};

/** Variance due to one reason in one state. */
export type StateReason = {
  readonly state: string;
  readonly code: ReasonCode;
  amount: Money;
};

/** Variance due to one reason, on the side of what was charged too much and of what was charged too little. */
export type ReasonTotals = {
  readonly code: ReasonCode;
  sales: number;
  /** Less what reversals take back of it: below zero if that is more, which was filed in another period. */
  over: Money;
  /** At most zero, unless reversals take back more of it. */
  under: Money;
  /** Amounts of reversals, added up without their signs. */
  reversed: Money;
  /** The number of sales of which it is the third reason. */
  thirds: number;
};

/** Returns the amounts of a reason, those of reversals too, added up without their signs. */
export const withoutSigns = ({
  over,
  under,
  reversed,
}: Pick<ReasonTotals, 'over' | 'under' | 'reversed'>): Money =>
  sum([over, negate(under), reversed, reversed]);

/** Whether reversals are among the records with a reason. */
export const hasReversals = (reasons: readonly Pick<ReasonTotals, 'reversed'>[]): boolean =>
  reasons.some(({ reversed }) => reversed !== ZERO);

/** Totals of one day and channel: exported, posted and read back from the service. */
export type DayTotals = {
  readonly day: string;
  readonly channel: string;
  orders: number;
  refunds: number;
  posted: number;
  recorded: number;
  missing: number;
  amount: Money;
  tax: Money;
  recordedAmount: Money;
  recordedTax: Money;
};

/** The records that are not posted, by why: what their exports state of them. Refunds are negative. */
export type UnpostedTotals = {
  readonly status: string;
  records: number;
  gross: Money;
  tax: Money;
};

/** What the sales of the period from one file come to, posted or not. Refunds are negative. */
export type FileTotals = {
  readonly channel: string;
  readonly file: string;
  sales: number;
  /** Those of days of the period that are not locked: their file must be among today's. */
  unlocked: number;
  tax: Money;
  /** The parts of the tax that refunds of the period gave back, that are of other periods, and so late, and of locked days. */
  refunded: Money;
  carried: Money;
  locked: Money;
};

/** Days from a first to a last. */
export type Span = Pick<FilingPeriod, 'first' | 'last'>;

export type PeriodTotals = {
  rows: number;
  readonly states: Map<string, StateTotals>;
  readonly jurisdictions: Map<string, JurisdictionTotals>;
  readonly reasons: Map<ReasonCode, ReasonTotals>;
  readonly stateReasons: Map<string, StateReason>;
  readonly days: Map<string, DayTotals>;
  readonly unposted: Map<string, UnpostedTotals>;
  readonly files: Map<string, FileTotals>;
};

export const emptyTotals = (): PeriodTotals => ({
  rows: 0,
  states: new Map(),
  jurisdictions: new Map(),
  reasons: new Map(),
  stateReasons: new Map(),
  days: new Map(),
  unposted: new Map(),
  files: new Map(),
});

const AMOUNTS = ['gross', 'shipping', 'taxable', 'collected', 'expected', 'recorded'] as const;
const STATE_FIGURES = [
  ...(['orders', 'refunds', 'gross', 'marketplace', 'shipping'] as const),
  ...(['taxable', 'collected', 'expected', 'recorded'] as const),
];
const DAY_FIGURES = [
  ...(['orders', 'refunds', 'posted', 'recorded', 'missing'] as const),
  ...(['amount', 'tax', 'recordedAmount', 'recordedTax'] as const),
];

/** Add one row of a period to every total it belongs to. */
export const addRow = (
  totals: PeriodTotals,
  row: DetailRow,
  {
    period,
    lockedDays,
  }: {
    readonly period: FilingPeriod;
    readonly lockedDays: readonly Span[];
  },
): void => {
  const { businessDate } = row;
  totals.rows += 1;
  addToDay(totals, row);
  addToFile(totals, row, {
    isOfPeriod: isWithin(period, businessDate),
    isLocked: lockedDays.some((span) => isWithin(span, businessDate)),
  });
  if (!row.isPosted) {
    addToUnposted(totals, row);
    return;
  }
  addToState(totals, row);
  for (const level of row.levels) addToJurisdiction(totals, row.state, level);
  const isReversal = row.reasons.length > 0 && entryOf(row).isReversal;
  for (const { code, amount } of row.reasons) {
    addToReason(reasonTotals(totals, code), amount, isReversal);
    addToStateReason(totals, row.state, { code, amount });
  }
  // Two steps of one proof can have the same code; the sale counts once for it.
  const third = row.reasons[2];
  if (third) reasonTotals(totals, third.code).thirds += 1;
  for (const code of new Set(row.reasons.map((reason) => reason.code))) reasonTotals(totals, code).sales += 1;
};

const reasonTotals = (totals: PeriodTotals, code: ReasonCode): ReasonTotals =>
  entry(totals.reasons, code, () => ({
    code,
    sales: 0,
    over: ZERO,
    under: ZERO,
    reversed: ZERO,
    thirds: 0,
  }));

/**
 * Adds an amount to its side. The amount of a reversal counts on the side of the filed version, which has the other
 * sign, so that the two cancel there: what was charged too little and is reversed was not charged too much.
 */
const addToReason = (reason: ReasonTotals, amount: Money, isReversal: boolean): void => {
  const isOver = isReversal ? amount < ZERO : amount > ZERO;
  if (isOver) reason.over = add(reason.over, amount);
  else reason.under = add(reason.under, amount);
  if (isReversal) reason.reversed = add(reason.reversed, absolute(amount));
};

const addToStateReason = (
  totals: PeriodTotals,
  state: string,
  { code, amount }: Pick<Reason, 'code' | 'amount'>,
): void => {
  const reason = entry(totals.stateReasons, `${state} ${code}`, () => ({ state, code, amount: ZERO }));
  reason.amount = add(reason.amount, amount);
};

const addToFile = (
  totals: PeriodTotals,
  row: DetailRow,
  {
    isOfPeriod,
    isLocked,
  }: {
    readonly isOfPeriod: boolean;
    readonly isLocked: boolean;
  },
): void => {
  const { channel, file, collected } = row;
  const zero = {
    sales: 0,
    unlocked: 0,
    tax: ZERO,
    refunded: ZERO,
    carried: ZERO,
    locked: ZERO,
  };
  const own = entry(totals.files, `${channel} ${file}`, () => ({ channel, file, ...zero }));
  own.sales += 1;
  if (isOfPeriod && !isLocked) own.unlocked += 1;
  own.tax = add(own.tax, collected);
  if (!isOfPeriod) own.carried = add(own.carried, collected);
  else if (entryOf(row).kind === 'refund') own.refunded = add(own.refunded, collected);
  else if (isLocked) own.locked = add(own.locked, collected);
};

const addToUnposted = (totals: PeriodTotals, { status, gross, collected }: DetailRow): void => {
  const unposted = entry(totals.unposted, status, () => ({ status, records: 0, gross: ZERO, tax: ZERO }));
  unposted.records += 1;
  unposted.gross = add(unposted.gross, gross);
  unposted.tax = add(unposted.tax, collected);
};

const addToState = (totals: PeriodTotals, row: DetailRow): void => {
  const state = entry(totals.states, row.state, () => ({ state: row.state, ...zeroOf(STATE_FIGURES) }));
  if (row.kind === 'order') state.orders += 1;
  else state.refunds += 1;
  if (row.exemption === 'marketplace')
    state.marketplace = add(state.marketplace, subtract(row.gross, row.taxable));
  for (const figure of AMOUNTS) state[figure] = add(state[figure], row[figure]);
};

const addToJurisdiction = (totals: PeriodTotals, state: string, level: LevelFigures): void => {
  const key = JSON.stringify([state, level.level, level.name, level.rate]);
  const jurisdiction = entry(totals.jurisdictions, key, () => ({
    state,
    level: level.level,
    name: level.name,
    rate: level.rate,
    taxable: ZERO,
    tax: ZERO,
    collected: ZERO,
  }));
  jurisdiction.taxable = add(jurisdiction.taxable, level.taxable);
  jurisdiction.tax = add(jurisdiction.tax, level.tax);
  jurisdiction.collected = add(jurisdiction.collected, level.collected);
};

const addToDay = (totals: PeriodTotals, row: DetailRow): void => {
  const day = dayTotals(totals, row.businessDate, row.channel);
  if (row.kind === 'order') day.orders += 1;
  else day.refunds += 1;
  if (!row.isPosted) return;
  day.posted += 1;
  if (!row.isRecorded) day.missing += 1;
  day.amount = add(day.amount, row.gross);
  day.tax = add(day.tax, row.collected);
};

/** Add one record that the service holds to its day. */
export const addRecorded = (
  totals: PeriodTotals,
  day: string,
  channel: string,
  recorded: {
    readonly records: number;
    readonly amount: Money;
    readonly tax: Money;
  },
): void => {
  const entryOfDay = dayTotals(totals, day, channel);
  entryOfDay.recorded += recorded.records;
  entryOfDay.recordedAmount = add(entryOfDay.recordedAmount, recorded.amount);
  entryOfDay.recordedTax = add(entryOfDay.recordedTax, recorded.tax);
};

const dayTotals = (totals: PeriodTotals, day: string, channel: string): DayTotals =>
  entry(totals.days, `${day} ${channel}`, () => ({ day, channel, ...zeroOf(DAY_FIGURES) }));

const zeroOf = <Name extends string>(figures: readonly Name[]): Record<Name, Money> =>
  Object.fromEntries(figures.map((figure) => [figure, ZERO])) as Record<Name, Money>;

const entry = <Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value => {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
};

/** The values of a map in key order, for reproducible listings. */
export const inKeyOrder = <Value>(map: ReadonlyMap<string, Value>): readonly Value[] =>
  [...map].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, value]) => value);

/** What a manager asks of a variance: who was charged too much, too little, or nothing, and what is only rounding. */
export type Bucket = 'over' | 'under' | 'notCollected' | 'pennies' | 'gap' | 'unexplained';

/** The buckets and their names, in display order. They add up to the variance. */
export const BUCKETS = {
  over: 'over-collected',
  under: 'under-collected',
  notCollected: 'not collected',
  pennies: 'pennies of rounding',
  gap: 'local rates that Tieout lacks',
  unexplained: 'unexplained',
} as const satisfies Readonly<Record<Bucket, string>>;

export const BUCKET_NAMES = Object.keys(BUCKETS) as readonly Bucket[];

/** Reasons by which nothing was charged where something was due. */
const NOTHING_CHARGED: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['R08', 'R11', 'R12']);

type Sides = Pick<ReasonTotals, 'code' | 'over' | 'under'>;

/** The side of a reason that counts in a bucket, by the column of the table of reasons. */
type Counted = {
  readonly code: ReasonCode;
  readonly side: 'Over' | 'Under' | 'Net';
  readonly amount: Money;
};

const bucketsOfReason = ({ code, over, under }: Sides): readonly (readonly [Bucket, Counted])[] => {
  const part = partOf(code);
  const net: Counted = { code, side: 'Net', amount: add(over, under) };
  if (part !== 'seller') return [[part, net]];
  if (code === 'R01') return [['pennies', net]];
  return [
    ['over', { code, side: 'Over', amount: over }],
    [NOTHING_CHARGED.has(code) ? 'notCollected' : 'under', { code, side: 'Under', amount: under }],
  ];
};

/** Returns the reasons that count in a bucket, each with the side that does. */
export const codesIn = (bucket: Bucket, reasons: readonly Sides[]): readonly Counted[] =>
  reasons
    .flatMap(bucketsOfReason)
    .flatMap(([of, counted]) => (of === bucket && counted.amount !== ZERO ? [counted] : []));

/** Splits a variance into the buckets. */
export const bucketsOf = (reasons: readonly Sides[]): Readonly<Record<Bucket, Money>> =>
  Object.fromEntries(
    BUCKET_NAMES.map((bucket) => [bucket, sum(codesIn(bucket, reasons).map(({ amount }) => amount))]),
  ) as Record<Bucket, Money>;

/** Thresholds above which a variance is material: an amount, and a share of the expected tax. It must exceed both. */
export type Materiality = {
  readonly amount: Money;
  readonly share: Rate;
};

/** Returns the variance from which a line is material, as the policy states it: dollars and per cent. */
export const materialityOf = ({
  amount,
  percent,
}: Readonly<Record<'amount' | 'percent', string>>): Materiality => ({
  amount: parseMoney(amount) ?? ZERO,
  // A percentage with three decimals is a fraction with five.
  share: rate((scaled(percent, 3) ?? 0) * (RATE_ONE / 100_000)),
});

export const isMaterial = (variance: Money, expected: Money, { amount, share }: Materiality): boolean => {
  const magnitude = BigInt(Math.abs(variance));
  return (
    magnitude > BigInt(amount) && magnitude * BigInt(RATE_ONE) > BigInt(Math.abs(expected)) * BigInt(share)
  );
};
