import type { TaxResult, UsBreakdown, UsLineBreakdown, UsShippingBreakdown } from '../contract/tax-result.ts';
import { LOCAL_LEVELS } from '../contract/tax-service.ts';
import { roundBigQuotient } from '../kernel/decimal.ts';
import {
  add,
  allocate,
  type Money,
  money,
  moneyOfPrice,
  type Price,
  price,
  priceOfMoney,
  RATE_ONE,
  type Rate,
  rate,
  subtract,
  sum,
  ZERO,
} from '../kernel/money.ts';
import { netOf } from '../sales/read-lines.ts';
import type { SaleLine } from '../sales/sale.ts';

export const LEVELS = ['state', ...LOCAL_LEVELS] as const;
export type Level = (typeof LEVELS)[number];

/** One level's tax on one line or on shipping. */
export type LevelShare = {
  readonly level: Level;
  readonly taxable: Price;
  readonly rate: Rate;
  /** Unrounded; normally the taxable amount times the rate. */
  readonly tax: Fraction;
};

/** One line item, or shipping, with the levels that tax it. */
export type TaxUnit = {
  readonly id: string;
  readonly shares: readonly LevelShare[];
};

/** A calculation split into parts, so that one part can be changed and the tax recomputed. */
export type TaxModel = {
  readonly units: readonly TaxUnit[];
  /**
   * Tax of the answer that its parts do not show, in whole cents: all of the tax if the answer has no parts, or the
   * effect of an order-level rule. Changes leave it as it is.
   */
  readonly rest: Money;
  readonly grain: RoundingGrain;
};

/** The amounts whose tax is rounded to cents before it is added up. The law and the service round once per order. */
export type RoundingGrain = 'order' | 'line' | 'jurisdiction' | 'line and jurisdiction';

export const SHIPPING_UNIT = 'shipping';

/** Units per cent of the product of a price (1e-4 dollars) and a rate (1e-7). */
const PARTS_PER_CENT = 1_000_000_000n;

/**
 * Build the model of a calculation. The lines of the sale give amounts more precise than the cents of the answer.
 * Rounded once per order, the model always gives the tax of the answer.
 */
export const taxModelOf = (result: TaxResult, lines: readonly SaleLine[] = []): TaxModel => {
  const { breakdown } = result;
  const whole = { units: [], rest: result.amount_to_collect, grain: 'order' } as const;
  if (!breakdown || !isUsBreakdown(breakdown)) return whole;
  const items = breakdown.line_items ?? [];
  // Lines are matched by position, since services choose their own line ids.
  const sold = lines.length === items.length ? lines : [];
  const units = items.map((item, index) => {
    const line = sold[index];
    return {
      id: line?.id ?? item.id,
      shares: sharesOf(item, item.special_district_taxable_amount, line && netOf(line)),
    };
  });
  const { shipping } = breakdown;
  if (shipping) {
    const printed = sharesOf(shipping, shipping.special_taxable_amount, undefined);
    units.push({
      id: SHIPPING_UNIT,
      shares: sharedExactly(printed, units, result.shipping, sold) ?? printed,
    });
  }
  const parts: TaxModel = { ...whole, units, rest: ZERO };
  return { ...parts, rest: subtract(whole.rest, taxOf(parts)) };
};

export const isUsBreakdown = (breakdown: NonNullable<TaxResult['breakdown']>): breakdown is UsBreakdown =>
  'state_taxable_amount' in breakdown;

/** One level's tax on an amount at a plain rate. */
export const shareOf = (level: Level, taxable: Price, rate: Rate): LevelShare => ({
  level,
  taxable,
  rate,
  tax: { dividend: BigInt(taxable) * BigInt(rate), divisor: PARTS_PER_CENT },
});

const sharesOf = (
  unit: UsLineBreakdown | UsShippingBreakdown,
  special: Money,
  net: Price | undefined,
): LevelShare[] => {
  const share = (level: Level, taxable: Money, rate: Rate, printed: Money): LevelShare => {
    const exact = net !== undefined && moneyOfPrice(net) === taxable ? net : priceOfMoney(taxable);
    const plain = shareOf(level, exact, rate);
    // With a special rule, such as an extra tax on part of the price, only the printed tax is known.
    return rounded(plain.tax) === printed ? plain : { ...plain, tax: wholeCents(printed) };
  };
  return [
    share('state', unit.state_taxable_amount, unit.state_sales_tax_rate, unit.state_amount),
    share('county', unit.county_taxable_amount, unit.county_tax_rate, unit.county_amount),
    share('city', unit.city_taxable_amount, unit.city_tax_rate, unit.city_amount),
    share('special', special, unit.special_tax_rate, unit.special_district_amount),
  ];
};

/**
 * Each level's share of shipping that is taxed in proportion to the goods, or to those that are taxed, more precise than
 * the printed cents. `undefined` if shipping is taxed in full at the rates of all, or in a proportion that the answer does
 * not confirm.
 */
const sharedExactly = (
  printed: readonly LevelShare[],
  goods: readonly TaxUnit[],
  shipping: Money | undefined,
  lines: readonly SaleLine[],
): LevelShare[] | undefined => {
  if (shipping === undefined || lines.length === 0) return undefined;
  const whole = priceOfMoney(shipping);
  const partsOf = (level: Level) =>
    goods.flatMap(({ shares }) => shares.filter((share) => share.level === level && share.taxable !== 0));
  const isPlain = printed.every(
    ({ level, taxable, rate }) =>
      taxable === 0 || (taxable === whole && partsOf(level).every((part) => part.rate === rate)),
  );
  if (isPlain) return undefined;
  const sharedBy = (net: number): LevelShare[] =>
    printed.map((share) => {
      const parts = partsOf(share.level);
      const taxable = parts.reduce((total, part) => total + BigInt(part.taxable), 0n);
      const tax = parts.reduce((total, part) => plus(total, part.tax), NOTHING);
      return {
        ...share,
        taxable: price(Number(roundBigQuotient(taxable * BigInt(whole), BigInt(net)))),
        tax: { dividend: tax.dividend * BigInt(whole), divisor: tax.divisor * BigInt(net) },
      };
    });
  const isConfirmed = (shares: readonly LevelShare[]): boolean =>
    shares.every(
      ({ taxable, tax }, index) =>
        moneyOfPrice(taxable) === moneyOfPrice((printed[index] as LevelShare).taxable) &&
        rounded(tax) === rounded((printed[index] as LevelShare).tax),
    );
  const isTaxed = (_: SaleLine, index: number) => goods[index]?.shares.some(({ taxable }) => taxable !== 0);
  return [lines, lines.filter(isTaxed)]
    .map((carrying) => carrying.reduce((total, line) => total + netOf(line), 0))
    .filter((net) => net > 0)
    .map(sharedBy)
    .find(isConfirmed);
};

/** The tax of a model in cents, rounded half away from zero at the model's grain. */
export const taxOf = ({ units, rest, grain }: TaxModel): Money =>
  [...sumsBy({ units }, GROUPS[grain]).values()].map(rounded).reduce(add, rest);

/** The unrounded tax of a whole model, in cents. */
export const unroundedOf = (model: TaxModel): Fraction =>
  plus(sumsBy(model, () => '').get('') ?? NOTHING, wholeCents(model.rest));

/** The unrounded tax by group, such as level or unit. */
export const sumsBy = (
  { units }: Pick<TaxModel, 'units'>,
  groupName: (unit: string, share: LevelShare) => string,
): ReadonlyMap<string, Fraction> => {
  const sums = new Map<string, Fraction>();
  for (const { id, shares } of units) {
    for (const share of shares) {
      const group = groupName(id, share);
      sums.set(group, plus(sums.get(group) ?? NOTHING, share.tax));
    }
  }
  return sums;
};

/** Name of the group of a share whose tax is rounded together, by grain. */
const GROUPS: Readonly<Record<RoundingGrain, Parameters<typeof sumsBy>[1]>> = {
  order: () => '',
  jurisdiction: (_, { level }) => level,
  line: (unit) => unit,
  'line and jurisdiction': (unit, { level }) => `${unit}/${level}`,
};

/** The highest rate of each level that taxes anything: the rates for goods without a category. */
export const topRates = ({ units }: Pick<TaxModel, 'units'>): ReadonlyMap<Level, Rate> => {
  const rates = new Map<Level, Rate>();
  for (const { shares } of units) {
    for (const { level, rate, taxable } of shares) {
      if (taxable !== 0 && rate > (rates.get(level) ?? 0)) rates.set(level, rate);
    }
  }
  return rates;
};

/** An exact quotient of whole numbers, in cents; the divisor is positive. */
export type Fraction = {
  readonly dividend: bigint;
  readonly divisor: bigint;
};

export const NOTHING: Fraction = { dividend: 0n, divisor: 1n };

export const wholeCents = (amount: Money): Fraction => ({ dividend: BigInt(amount), divisor: 1n });

export const plus = (left: Fraction, right: Fraction): Fraction => {
  if (right.dividend === 0n) return left;
  if (left.dividend === 0n) return right;
  if (left.divisor === right.divisor)
    return { dividend: left.dividend + right.dividend, divisor: left.divisor };
  return {
    dividend: left.dividend * right.divisor + right.dividend * left.divisor,
    divisor: left.divisor * right.divisor,
  };
};

/** Round to the cent, half away from zero. */
export const rounded = ({ dividend, divisor }: Fraction): Money =>
  money(Number(roundBigQuotient(dividend, divisor)));

/** Parts per cent of the weights used for allocating amounts. */
const PARTS_OF_CENT = 1000n;

/** Convert sums to weights: proportional whole numbers, zero or more. */
export const weightsBy = <Key>(sums: ReadonlyMap<Key, Fraction>): ReadonlyMap<Key, number> =>
  new Map(
    [...sums].map(([key, { dividend, divisor }]) => {
      const weight = Number((dividend * PARTS_OF_CENT) / divisor);
      return [key, Math.max(0, Number.isSafeInteger(weight) ? weight : Number(dividend / divisor))];
    }),
  );

/**
 * Upper limit of all local rates combined: 10 %. The highest known are 8.3 % (Winter Park, Colorado), so what was charged
 * beyond it is not taken for a rate that the tax content lacks.
 */
export const LOCAL_MAX: Rate = rate(1_000_000);

/** Whether the local part of a total rate is within the limit. */
export const isLocalRate = (total: Rate, rates: ReadonlyMap<Level, Rate>): boolean =>
  total - (rates.get('state') ?? 0) <= LOCAL_MAX;

/**
 * Whether the tax collected in addition to the state's is within the limit. The limit is applied to all that was sold,
 * because a shop may tax more of it than the law does.
 */
export const isLocalTax = (collected: Money, amount: Money, { units }: TaxModel): boolean => {
  const ofState = units
    .flatMap(({ shares }) => shares.filter(({ level }) => level === 'state'))
    .reduce((total, { tax }) => plus(total, tax), NOTHING);
  const most = roundBigQuotient(BigInt(amount) * BigInt(LOCAL_MAX), BigInt(RATE_ONE));
  return subtract(collected, rounded(ofState)) <= most;
};

/** One jurisdiction's tax on one sale. Summed over all levels, it equals the tax of the calculation, to the cent. */
export type LeviedLevel = {
  readonly level: Level;
  /**
   * The county, city or state. Special districts take the name of their place, since the interface does not name them.
   */
  readonly name: string;
  readonly rate: Rate;
  readonly taxable: Money;
  readonly tax: Money;
};

/** The figures of a level of an order, as an answer prints them. */
export type LevelRow = readonly [rate: Rate, taxable: Money, tax: Money];

/** The figures of each level, in the order of `LEVELS`. */
export const levelRowsOf = (of: UsBreakdown): readonly LevelRow[] => [
  [of.state_tax_rate, of.state_taxable_amount, of.state_tax_collectable],
  [of.county_tax_rate, of.county_taxable_amount, of.county_tax_collectable],
  [of.city_tax_rate, of.city_taxable_amount, of.city_tax_collectable],
  [of.special_tax_rate, of.special_district_taxable_amount, of.special_district_tax_collectable],
];

/**
 * The tax of a US calculation by level, as printed if the levels add up to the tax of the order; otherwise allocated so
 * that they do.
 */
export const leviedBy = ({
  breakdown,
  jurisdictions,
  amount_to_collect,
}: TaxResult): readonly LeviedLevel[] =>
  breakdown && isUsBreakdown(breakdown)
    ? leviedAmong(levelRowsOf(breakdown), amount_to_collect, jurisdictions)
    : [];

/** The same from the figures of each level, in the order of `LEVELS`, and the tax in all. */
export const leviedAmong = (
  levels: readonly LevelRow[],
  total: Money,
  jurisdictions: TaxResult['jurisdictions'],
): readonly LeviedLevel[] => {
  const state = jurisdictions?.state ?? '';
  const county = jurisdictions?.county ?? '';
  const city = jurisdictions?.city ?? '';
  const names = [state, county, city, [county, city].filter((name) => name !== '').join(' / ')];
  const rows = levels.map(([rate, taxable, tax], index) => ({
    level: LEVELS[index] as Level,
    // Where the place is unknown, this is the tax common to all places in the state.
    name: names[index] || `${state}, any place`,
    rate,
    taxable,
    tax,
  }));
  const taxed = rows.filter(({ taxable, tax }) => taxable !== ZERO || tax !== ZERO);
  if (taxed.length === 0 || sum(taxed.map(({ tax }) => tax)) === total) return taxed;
  const taxes = allocate(total, taxed.map(weightOf));
  return taxed.map((row, index) => ({ ...row, tax: taxes[index] ?? ZERO }));
};

/** The weight for allocation: the unrounded tax if one rate explains the printed tax, otherwise the printed tax. */
const weightOf = ({ taxable, rate, tax }: LeviedLevel): number => {
  const raw = BigInt(taxable) * BigInt(rate);
  const isOneRate = money(Number(roundBigQuotient(raw, BigInt(RATE_ONE)))) === tax;
  const weight = isOneRate ? raw : BigInt(tax) * BigInt(RATE_ONE);
  // Weights are only relative, so dropping four digits loses nothing that could change a cent.
  return Number(weight / 10_000n);
};
