import { type Random, seeded } from '../hostile/random.ts';
import { type ChangedExport, changedExport, firstSales, lateSale, saleInWords } from './planned-sale.ts';

/** One thing that a person does with the books of the shop, as often as it takes to come to its end. */
export type Step = ChangedExport & {
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
  const first = { sales: firstSales(random), changes: [] };
  return {
    number,
    service: random.below(4) === 0 ? 'embedded' : 'remote',
    callsAtOnce: 1 + random.below(6),
    lateItems,
    steps: lateItems === 'none' ? octoberAgain(random, first) : lateSteps(random, first, lateItems),
  };
};

/** October is closed up to three times, with another export each time. */
const octoberAgain = (random: Random, first: ChangedExport): readonly Step[] => {
  const exports = [first];
  const count = random.pick([1, 2, 2, 3]);
  for (let version = 1; version < count; version += 1)
    exports.push(changedExport(random, exports.at(-1)?.sales ?? [], version));
  return exports.map((each) => ({ ...each, ...CLOSE, period: OCTOBER, records: 'each as stated' }));
};

/** October is locked; then the export changes. */
const lateSteps = (random: Random, first: ChangedExport, lateItems: LateItems): readonly Step[] => {
  const changed = changedExport(random, first.sales, 1);
  const second = {
    sales: [...changed.sales, lateSale(random)],
    changes: [...changed.changes, 'an order that comes late'],
  };
  const locked: readonly Step[] = [
    { ...first, does: 'close', period: OCTOBER, hasBooks: true, records: 'each as stated' },
    { ...first, changes: [], does: 'lock', period: OCTOBER, hasBooks: true, records: 'each as stated' },
  ];
  if (lateItems === 'carry')
    return [...locked, { ...second, ...CLOSE, period: NOVEMBER, records: 'with corrections' }];
  const same = { ...second, changes: [] };
  return [
    ...locked,
    { ...second, ...CLOSE, period: NOVEMBER, records: 'not settled yet' },
    { ...same, ...CLOSE, period: AMENDED, records: 'with corrections' },
    { ...same, does: 'lock', period: AMENDED, hasBooks: true, records: 'with corrections' },
  ];
};

const CLOSE = { does: 'close', hasBooks: false } as const;

/** The steps for a person, each with what its export says otherwise. */
export const stepInWords = ({ steps }: Story, index: number): string => {
  const step = steps[index];
  if (step === undefined) throw new Error(`the story has no step ${index + 1}`);
  const { does, period, sales, changes, hasBooks } = step;
  const says = index === 0 ? sales.map(saleInWords).join('; ') : changes.join('; ') || 'the same';
  return `step ${index + 1}, ${does} ${period}${hasBooks ? ' with workbooks' : ''}: ${says}`;
};
