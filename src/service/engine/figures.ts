import { roundQuotient } from '../../kernel/decimal.ts';
import { type Money, money, RATE_ONE, type Rate, rate, ZERO_RATE } from '../../kernel/money.ts';
import { inForce, type SpecialRule } from '../content/tax-content.ts';
import { floorOf, type Integer, minus, plus, roundOf, times } from './order.ts';
import type { RuleNote, UnitRule } from './order-tax.ts';
import { noteOf } from './special-rules.ts';
import type { TaxTable } from './tax-table.ts';

/** The taxed amounts of a unit or of an order, in 1e-4 dollars, and their unrounded tax: of each level, and in all. */
export type Figures<Base extends Integer = number> = {
  readonly bases: readonly Base[];
  readonly raws: readonly RawTax[];
  /** The largest base of any level of each unit, which it adds to the taxable amount. */
  readonly taxable: Base;
  readonly raw: RawTax;
};

/** Exact figures: whole numbers, and the parts that they have beyond these, if any. */
export type ExactFigures = Figures & { readonly parts?: Parts | undefined };

/** What figures have beyond whole numbers: each over the divisor. */
type Parts = Figures<Integer> & { readonly divisor: Integer };

/** Add up figures, and subtract others. */
export const sumOf = (
  added: readonly ExactFigures[],
  subtracted: readonly ExactFigures[] = [],
): ExactFigures => {
  const { bases, raws, taxable, raw } = sumOfWhole(added, subtracted) as Figures;
  const divisor = commonDivisor(commonDivisor(1, added), subtracted);
  if (divisor === 1) return { bases, raws, taxable, raw, parts: undefined };
  const parts = sumOfWhole(partsOver(divisor, added), partsOver(divisor, subtracted));
  return { bases, raws, taxable, raw, parts: { ...parts, divisor } };
};

const sumOfWhole = (
  added: readonly Figures<Integer>[],
  subtracted: readonly Figures<Integer>[],
): Figures<Integer> => {
  const bases: Integer[] = [];
  const raws: RawTax[] = [];
  const levels = (added[0] ?? subtracted[0])?.bases.length ?? 0;
  for (let level = 0; level < levels; level += 1) {
    let base: Integer = 0;
    let raw: RawTax = 0;
    for (const figures of added) {
      base = plus(base, figures.bases[level] as Integer);
      raw = plus(raw, figures.raws[level] as RawTax);
    }
    for (const figures of subtracted) {
      base = minus(base, figures.bases[level] as Integer);
      raw = minus(raw, figures.raws[level] as RawTax);
    }
    bases.push(base);
    raws.push(raw);
  }
  let taxable: Integer = 0;
  let raw: RawTax = 0;
  for (const figures of added) {
    taxable = plus(taxable, figures.taxable);
    raw = plus(raw, figures.raw);
  }
  for (const figures of subtracted) {
    taxable = minus(taxable, figures.taxable);
    raw = minus(raw, figures.raw);
  }
  return { bases, raws, taxable, raw };
};

/** Return the parts of figures over a divisor that theirs divide. */
const partsOver = (divisor: Integer, all: readonly ExactFigures[]): readonly Figures<Integer>[] => {
  const over: Figures<Integer>[] = [];
  for (const { parts } of all) {
    if (!parts) continue;
    const factor = floorOf(divisor, parts.divisor);
    over.push(factor === 1 ? parts : mapped(parts, (part) => times(part, factor)));
  }
  return over;
};

/** Return a number that the divisors of all parts divide. */
const commonDivisor = (start: Integer, all: readonly ExactFigures[]): Integer => {
  let common = start;
  for (const { parts } of all) {
    if (!parts || parts.divisor === common || divides(parts.divisor, common)) continue;
    common = divides(common, parts.divisor) ? parts.divisor : times(common, parts.divisor);
  }
  return common;
};

const divides = (divisor: Integer, number: Integer): boolean => restOf(number, divisor) === 0;

const restOf = (dividend: Integer, divisor: Integer): Integer =>
  minus(dividend, times(floorOf(dividend, divisor), divisor));

/** Return a share of whole figures: each times `dividend / divisor`. */
export const shareOf = (figures: Figures, dividend: number, divisor: number): ExactFigures => {
  const parts = mapped(figures, (one) => restOf(times(restOf(one, divisor), dividend), divisor));
  // The multiples of the divisor apart, so that products stay small.
  const { bases, raws, taxable, raw } = mapped(figures, (one) =>
    plus(times(floorOf(one, divisor), dividend), floorOf(times(restOf(one, divisor), dividend), divisor)),
  ) as Figures;
  return { bases, raws, taxable, raw, parts: isNothing(parts) ? undefined : { ...parts, divisor } };
};

const mapped = (
  { bases, raws, taxable, raw }: Figures<Integer>,
  change: (figure: Integer) => Integer,
): Figures<Integer> => ({
  bases: bases.map(change),
  raws: raws.map(change),
  taxable: change(taxable),
  raw: change(raw),
});

const isNothing = ({ bases, raws }: Figures<Integer>): boolean =>
  bases.every((base) => base === 0) && raws.every((raw) => raw === 0);

/** Whether a level has a base. */
export const hasBase = ({ bases, parts }: ExactFigures, level: number): boolean =>
  bases[level] !== 0 || (parts !== undefined && parts.bases[level] !== 0);

/** Return the rate of a level: its tax over its base, to five places. */
export const rateOfLevel = ({ bases, raws, parts }: ExactFigures, level: number): Rate =>
  rateOf(
    [raws[level] ?? 0, parts?.raws[level] ?? 0],
    [bases[level] ?? 0, parts?.bases[level] ?? 0],
    parts?.divisor ?? 1,
  );

type WholeAndPart = readonly [whole: Integer, part: Integer];

const rateOf = (raw: WholeAndPart, base: WholeAndPart, divisor: Integer): Rate => {
  const over = ([whole, part]: WholeAndPart) => plus(times(whole, divisor), part);
  return restOf(base[1], divisor) === 0
    ? rateOfRaw(cut(raw, divisor), cut(base, divisor))
    : rateOfRaw(over(raw), over(base));
};

/** Figures as they are rounded, and the combined rate if it does not follow from them. */
export type CutFigures = Figures & { readonly combined?: Rate | undefined };

/**
 * Cut figures to whole numbers, toward zero. These round as the exact figures do, since half a cent is a whole number. A
 * rate does not: it is given.
 */
export const cutFigures = (figures: ExactFigures): CutFigures => {
  const { bases, raws, taxable, raw, parts } = figures;
  if (!parts) return figures;
  const { divisor } = parts;
  return {
    bases: bases.map((base, level) => Number(cut([base, parts.bases[level] ?? 0], divisor))),
    raws: raws.map((one, level) => cut([one, parts.raws[level] ?? 0], divisor)),
    taxable: Number(cut([taxable, parts.taxable], divisor)),
    raw: cut([raw, parts.raw], divisor),
    combined: rateOf([raw, parts.raw], [taxable, parts.taxable], divisor),
  };
};

const cut = ([whole, part]: WholeAndPart, divisor: Integer): Integer => {
  const floor = plus(whole, floorOf(part, divisor));
  return floor < 0 && restOf(part, divisor) !== 0 ? plus(floor, 1) : floor;
};

/** Return the tax over the taxable amount, to five places. */
export const combinedRate = ({ combined, raw, taxable }: CutFigures): Rate =>
  combined ?? rateOfRaw(raw, taxable);

/** Rates that are passed on have six decimals: ten of the ten-millionths in which rates are kept. */
const PASSED_ON_STEP = 10;

/**
 * The rule by which a tax is the seller's own and is levied on all that it receives, a tax charged to the buyer
 * included. `undefined` where the tax is the buyer's.
 */
const passedOnRule = ({ place, date }: TaxTable): SpecialRule | undefined =>
  inForce(
    place.state.special.filter(({ kind }) => kind === 'passed-on'),
    date,
  );

/**
 * Return how a rule taxes what the buyer pays where the seller passes on the tax with the tax on it: at
 * rate / (1 - rate) of all levels together, cut off after six decimals. Every level takes its share; the last one takes
 * what is left. `undefined` where the state has no such tax.
 */
export const passedOnBy = (table: TaxTable): ((rule: UnitRule) => UnitRule) | undefined =>
  passedOnRule(table) &&
  ((rule) => ({ ...rule, rates: grossedUp(rule.rates), ratesBelow: grossedUp(rule.ratesBelow) }));

/** Raise rates so that they pay the tax on themselves, too. */
export const grossedUp = (rates: readonly number[]): readonly number[] => {
  const sum = rates.reduce((total, rate) => total + rate, 0);
  const raised = (rate: number) =>
    Math.floor((rate * RATE_ONE) / ((RATE_ONE - sum) * PASSED_ON_STEP)) * PASSED_ON_STEP;
  const last = rates.findLastIndex((rate) => rate !== 0);
  const shares = rates.map((rate, level) => (level === last ? 0 : raised(rate)));
  const rest = raised(sum) - shares.reduce((total, rate) => total + rate, 0);
  return shares.map((rate, level) => (level === last ? rest : rate));
};

/** Return the rule for an explanation, where there is one. */
export const passedOnNotes = (table: TaxTable): readonly RuleNote[] => {
  const rule = passedOnRule(table);
  return rule ? [noteOf(table, rule)] : [];
};

/**
 * Unrounded tax: a whole number of 1e-11 dollars, the product of a price (1e-4 dollars) and a rate (1e-7). A bigint past
 * about 90,000 dollars of tax.
 */
export type RawTax = Integer;

const RAW_PER_CENT = 1_000_000_000;
/** Ten-millionths in the fifth decimal place of a rate. */
const RATE_STEP = 100;

/** Round the tax for printing: once, half away from zero. */
export const centsOfRaw = (raw: RawTax): Money => money(roundOf(raw, RAW_PER_CENT));

/**
 * Compute the rate for printing: unrounded tax over the taxable amount (1e-4 dollars), to five places. Zero when
 * nothing is taxable, and when positive and negative lines give a ratio that cannot be a rate.
 */
export const rateOfRaw = (raw: RawTax, taxable: Integer): Rate => {
  if (taxable === 0 || raw === 0) return ZERO_RATE;
  const steps =
    taxable < 0
      ? roundOf(times(raw, -1), times(taxable, -RATE_STEP))
      : roundOf(raw, times(taxable, RATE_STEP));
  return Number.isSafeInteger(steps * RATE_STEP) ? rate(steps * RATE_STEP) : ZERO_RATE;
};

/** Round a sum of nominal rates for printing, to five places. */
export const printedRate = (sum: number): Rate => rate(roundQuotient(sum, RATE_STEP) * RATE_STEP);

/** Round an amount of 1e-4 dollars for printing. */
export const centsOfBase = (base: number): Money => money(roundQuotient(base, 100));
