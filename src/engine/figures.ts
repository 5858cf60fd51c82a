import { roundQuotient } from '../kernel/decimal.ts';
import { type Money, money, type Rate, rate, ZERO_RATE } from '../kernel/money.ts';
import { floorOf, type Integer, plus, roundOf, times } from './order.ts';

/**
 * The taxed amounts of a unit or of an order, in 1e-4 dollars, and their unrounded tax: of each level, and in all. Each is
 * divided by the divisor.
 */
export type Figures = {
  readonly bases: readonly Integer[];
  readonly raws: readonly RawTax[];
  /** The largest base of any level of each unit, which it adds to the taxable amount. */
  readonly taxable: Integer;
  readonly raw: RawTax;
  readonly divisor: Integer;
};

/** Add up figures, and subtract others. */
export const sumOf = (added: readonly Figures[], subtracted: readonly Figures[] = []): Figures => {
  const all = [...added, ...subtracted];
  const divisor = all.reduce(commonDivisor, 1);
  const bases: Integer[] = [];
  const raws: RawTax[] = [];
  let taxable: Integer = 0;
  let raw: RawTax = 0;
  for (const [index, figures] of all.entries()) {
    const whole = floorOf(divisor, figures.divisor);
    const factor = index < added.length ? whole : times(whole, -1);
    for (let level = 0; level < figures.bases.length; level += 1) {
      bases[level] = plus(bases[level] ?? 0, times(figures.bases[level] as Integer, factor));
      raws[level] = plus(raws[level] ?? 0, times(figures.raws[level] as RawTax, factor));
    }
    taxable = plus(taxable, times(figures.taxable, factor));
    raw = plus(raw, times(figures.raw, factor));
  }
  return { bases, raws, taxable, raw, divisor };
};

/** Return a number that a divisor and the one of figures divide. */
const commonDivisor = (common: Integer, { divisor }: Figures): Integer => {
  if (divides(divisor, common)) return common;
  return divides(common, divisor) ? divisor : times(common, divisor);
};

const divides = (divisor: Integer, number: Integer): boolean =>
  divisor === 1 || times(floorOf(number, divisor), divisor) === number;

/** Return a share of figures: each times `dividend / divisor`. */
export const shareOf = (figures: Figures, dividend: number, divisor: number): Figures => ({
  bases: figures.bases.map((base) => times(base, dividend)),
  raws: figures.raws.map((raw) => times(raw, dividend)),
  taxable: times(figures.taxable, dividend),
  raw: times(figures.raw, dividend),
  divisor: times(figures.divisor, divisor),
});

/** Whether a level has a base. */
export const hasBase = ({ bases }: Figures, level: number): boolean => bases[level] !== 0;

/** Return the rate of a level: its tax over its base, to five places. */
export const rateOfLevel = ({ bases, raws }: Figures, level: number): Rate =>
  rateOfRaw(raws[level] ?? 0, bases[level] ?? 0);

/** Figures as they are rounded, and the combined rate if it does not follow from them. */
export type CutFigures = {
  readonly bases: readonly number[];
  readonly raws: readonly RawTax[];
  readonly taxable: number;
  readonly raw: RawTax;
  readonly combined?: Rate | undefined;
};

/**
 * Cut figures to whole numbers, toward zero. These round as the exact figures do, since half a cent is a whole number. A
 * rate does not: it is taken before.
 */
export const cutFigures = ({ bases, raws, taxable, raw, divisor }: Figures): CutFigures => {
  const cut = (value: Integer): Integer => {
    if (divisor === 1) return value;
    return value < 0 ? times(floorOf(times(value, -1), divisor), -1) : floorOf(value, divisor);
  };
  return {
    bases: bases.map((base) => Number(cut(base))),
    raws: raws.map(cut),
    taxable: Number(cut(taxable)),
    raw: cut(raw),
    combined: divisor === 1 ? undefined : rateOfRaw(raw, taxable),
  };
};

/** Return the tax over the taxable amount, to five places. */
export const combinedRate = ({ combined, raw, taxable }: CutFigures): Rate =>
  combined ?? rateOfRaw(raw, taxable);

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
