import type {
  TaxResult,
  UsBreakdown,
  UsLineBreakdown,
  UsShippingBreakdown,
} from '../../contract/tax-result.ts';
import { DefectError } from '../../kernel/errors.ts';
import { type Money, money } from '../../kernel/money.ts';
import { RATE_ONE, type Rate } from '../../kernel/rate.ts';
import { roundBigQuotient } from '../../kernel/rounding.ts';

/** What one level of tax takes from one line or from shipping. */
export type LevelShare = {
  readonly level: 'state' | 'county' | 'city' | 'special';
  readonly taxable: Money;
  readonly rate: Rate;
};

/** One line item, or shipping, with the levels that tax it. */
export type TaxUnit = { readonly id: string; readonly shares: readonly LevelShare[] };

/** A calculation taken apart, so that one thing in it can be changed and the tax computed again. */
export type TaxModel = { readonly units: readonly TaxUnit[] };

/** At which grain the unrounded tax is brought to cents before it is added up. */
export type RoundingGrain = 'order' | 'line' | 'jurisdiction' | 'line and jurisdiction';
export const ROUNDING_GRAINS: readonly RoundingGrain[] = [
  'order',
  'line',
  'jurisdiction',
  'line and jurisdiction',
];

export const SHIPPING_UNIT = 'shipping';

/** The model of a US calculation; `undefined` when it has no breakdown by level. */
export const taxModelOf = (result: TaxResult): TaxModel | undefined => {
  const { breakdown } = result;
  if (!breakdown || !isUsBreakdown(breakdown)) return undefined;
  const units = (breakdown.line_items ?? []).map((line) => ({
    id: line.id,
    shares: sharesOf(line, line.special_district_taxable_amount),
  }));
  const { shipping } = breakdown;
  if (!shipping) return { units };
  return {
    units: [...units, { id: SHIPPING_UNIT, shares: sharesOf(shipping, shipping.special_taxable_amount) }],
  };
};

export const isUsBreakdown = (breakdown: NonNullable<TaxResult['breakdown']>): breakdown is UsBreakdown =>
  'state_taxable_amount' in breakdown;

const sharesOf = (unit: UsLineBreakdown | UsShippingBreakdown, special: Money): LevelShare[] => [
  { level: 'state', taxable: unit.state_taxable_amount, rate: unit.state_sales_tax_rate },
  { level: 'county', taxable: unit.county_taxable_amount, rate: unit.county_tax_rate },
  { level: 'city', taxable: unit.city_taxable_amount, rate: unit.city_tax_rate },
  { level: 'special', taxable: special, rate: unit.special_tax_rate },
];

/** The tax of a model in cents, rounded half away from zero at one grain. */
export const taxOf = (model: TaxModel, grain: RoundingGrain): Money => {
  const raw = new Map<string, bigint>();
  for (const { id, shares } of model.units) {
    for (const { level, taxable, rate } of shares) {
      const group = groupOf(grain, id, level);
      raw.set(group, (raw.get(group) ?? 0n) + BigInt(taxable) * BigInt(rate));
    }
  }
  let total = 0n;
  for (const amount of raw.values()) total += roundBigQuotient(amount, BigInt(RATE_ONE));
  return money(Number(total));
};

const groupOf = (grain: RoundingGrain, unit: string, level: string): string => {
  switch (grain) {
    case 'order':
      return '';
    case 'line':
      return unit;
    case 'jurisdiction':
      return level;
    case 'line and jurisdiction':
      return `${unit}/${level}`;
    default:
      throw new DefectError(`${String(grain)} is no rounding grain`);
  }
};

/** The same model with shipping taxed like a fully taxable line, or with shipping untaxed. */
export const withFreight = (
  model: TaxModel,
  shipping: Money,
): { readonly model: TaxModel; readonly taxed: boolean } => {
  const goods = model.units.filter(({ id }) => id !== SHIPPING_UNIT);
  if (goods.length < model.units.length) return { model: { units: goods }, taxed: false };
  const rates = new Map<LevelShare['level'], Rate>();
  for (const { shares } of goods)
    for (const { level, rate } of shares) rates.set(level, maxRate(rates.get(level), rate));
  const shares = [...rates].map(([level, rate]) => ({ level, rate, taxable: shipping }));
  return { model: { units: [...goods, { id: SHIPPING_UNIT, shares }] }, taxed: true };
};

const maxRate = (left: Rate | undefined, right: Rate): Rate =>
  left !== undefined && left > right ? left : right;

/** The same model with the state's tax only. */
export const stateOnly = (model: TaxModel): TaxModel => ({
  units: model.units.map(({ id, shares }) => ({
    id,
    shares: shares.filter(({ level }) => level === 'state'),
  })),
});
