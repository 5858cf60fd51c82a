import { add, type Money, type Rate, subtract, sum, ZERO } from '../../kernel/money.ts';

/** The kind of jurisdiction that levies a tax. */
export type TaxLineKind = 'country' | 'state' | 'county' | 'city' | 'special';

/** One line of tax as the shop's export states it. */
export type TaxLine = {
  /** Name in the export: `Colorado Springs City Tax`. */
  readonly name: string;
  /** The stated rate; `null` if there is none. */
  readonly rate: Rate | null;
  /** With the sign of an order, like the amounts of its sale. */
  readonly amount: Money;
  /** `null` if the name does not give it. */
  readonly kind: TaxLineKind | null;
  /** The jurisdiction's own name without kind words and rate: `Colorado Springs`. */
  readonly place: string;
};

/** Clear the kind of US lines named like a national tax: there is none, so the name does not show whose tax it is. */
export const linesIn = (country: string, lines: readonly TaxLine[]): readonly TaxLine[] =>
  country === 'US' ? lines.map((line) => (line.kind === 'country' ? { ...line, kind: null } : line)) : lines;

/** Add up lines with the same name, rate, kind and place; drop those that total zero. */
export const addUpLines = (lines: readonly TaxLine[]): readonly TaxLine[] => {
  const sums = new Map<string, TaxLine>();
  for (const line of lines) {
    const key = JSON.stringify([line.name, line.rate, line.kind, line.place]);
    sums.set(key, { ...line, amount: add(line.amount, sums.get(key)?.amount ?? ZERO) });
  }
  return [...sums.values()].filter(({ amount }) => amount !== ZERO);
};

/** The collected tax that the lines do not contain. */
export const missedBy = (lines: readonly TaxLine[], collected: Money): Money =>
  subtract(collected, sum(lines.map(({ amount }) => amount)));

/** Whether lines add up to the collected tax, within a cent per line: many shops round line by line. */
export const addUpTo = (lines: readonly TaxLine[], collected: Money): boolean =>
  Math.abs(missedBy(lines, collected)) <= lines.length;
