import { type Random, seeded } from '../hostile/random.ts';
import { changedExport, firstSales, lateSale, type PlannedSale } from './planned-sale.ts';

/** One thing that a person does with the books of the shop, as often as it takes to come to its end. */
export type Step = {
  /** What the export says. */
  readonly sales: readonly PlannedSale[];
  readonly does: 'close' | 'lock';
  readonly period: string;
  /** Whether the workbooks are written; else a close ends when all evidence is, and the first workbook would begin. */
  readonly hasBooks: boolean;
  /** How the service holds what the exports state when the step has ended. */
  readonly records: 'each as stated' | 'with corrections' | 'not settled yet';
};

/** A shop, its tax service, and what is done with its books when nothing disturbs it. */
export type Story = {
  readonly number: number;
  readonly service: 'remote' | 'embedded';
  readonly callsAtOnce: number;
  readonly lateItems: LateItems;
  readonly steps: readonly Step[];
};

/** What becomes of what comes for October after its lock; in most stories October is not locked. */
export type LateItems = 'none' | 'carry' | 'amend';

export const OCTOBER = '2026-10';
const NOVEMBER = '2026-11';
const AMENDED = '2026-10-amended-1';

/** Of ten stories in a row one carries late items into November, and one amends October. */
const LATE_ITEMS: Readonly<Record<number, LateItems>> = { 2: 'carry', 4: 'amend' };

export const storyOf = (number: number): Story => {
  const random = seeded(number * 7919);
  const lateItems = LATE_ITEMS[number % 10] ?? 'none';
  const first = firstSales(random);
  return {
    number,
    service: random.below(4) === 0 ? 'embedded' : 'remote',
    callsAtOnce: 1 + random.below(6),
    lateItems,
    steps: lateItems === 'none' ? octoberAgain(random, first) : lateSteps(random, first, lateItems),
  };
};

/** October is closed up to three times, with another export each time. */
const octoberAgain = (random: Random, first: readonly PlannedSale[]): readonly Step[] => {
  const exports = [first];
  const count = random.pick([1, 2, 2, 3]);
  for (let version = 1; version < count; version += 1)
    exports.push(changedExport(random, exports.at(-1) ?? [], version));
  return exports.map((sales) => ({ sales, ...CLOSE, period: OCTOBER, records: 'each as stated' }));
};

/** October is locked; then the export changes. */
const lateSteps = (random: Random, first: readonly PlannedSale[], lateItems: LateItems): readonly Step[] => {
  const sales = [...changedExport(random, first, 1), lateSale(random)];
  const locked: readonly Step[] = (['close', 'lock'] as const).map((does) => ({
    ...{ sales: first, does, period: OCTOBER, hasBooks: true, records: 'each as stated' },
  }));
  if (lateItems === 'carry')
    return [...locked, { sales, ...CLOSE, period: NOVEMBER, records: 'with corrections' }];
  return [
    ...locked,
    { sales, ...CLOSE, period: NOVEMBER, records: 'not settled yet' },
    { sales, ...CLOSE, period: AMENDED, records: 'with corrections' },
    { sales, does: 'lock', period: AMENDED, hasBooks: true, records: 'with corrections' },
  ];
};

const CLOSE = { does: 'close', hasBooks: false } as const;
