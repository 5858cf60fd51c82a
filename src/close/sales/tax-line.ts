import { add, type Money, subtract, sum, ZERO } from '../../kernel/money.ts';
import type { Rate } from '../../kernel/rate.ts';

/** What kind of jurisdiction levies a line of tax. */
export type TaxLineKind = 'country' | 'state' | 'county' | 'city' | 'special';

/** One line of tax as the shop's export states it. */
export type TaxLine = {
  /** As the export names it: `Colorado Springs City Tax`. */
  readonly name: string;
  /** The stated rate; `null` where the export states none. */
  readonly rate: Rate | null;
  /** With the sign of an order, like the amounts of its sale. */
  readonly amount: Money;
  /** `null` where the name does not say. */
  readonly kind: TaxLineKind | null;
  /** The jurisdiction's own name without kind words and rate: `Colorado Springs`. */
  readonly place: string;
};

/** The United States levy no tax of their own: a line that is called VAT there does not say whose it is. */
export const linesIn = (country: string, lines: readonly TaxLine[]): readonly TaxLine[] =>
  country === 'US' ? lines.map((line) => (line.kind === 'country' ? { ...line, kind: null } : line)) : lines;

/** Lines that say the same of whom, added up; those that come to nothing are left out. */
export const addUpLines = (lines: readonly TaxLine[]): readonly TaxLine[] => {
  const sums = new Map<string, TaxLine>();
  for (const line of lines) {
    const key = JSON.stringify([line.name, line.rate, line.kind, line.place]);
    sums.set(key, { ...line, amount: add(line.amount, sums.get(key)?.amount ?? ZERO) });
  }
  return [...sums.values()].filter(({ amount }) => amount !== ZERO);
};

/** What of the collected tax is in no line. */
export const missedBy = (lines: readonly TaxLine[], collected: Money): Money =>
  subtract(collected, sum(lines.map(({ amount }) => amount)));

/** Whether lines come to the tax that was collected, to a cent for each line: many shops round line by line. */
export const addUpTo = (lines: readonly TaxLine[], collected: Money): boolean =>
  Math.abs(missedBy(lines, collected)) <= lines.length;
