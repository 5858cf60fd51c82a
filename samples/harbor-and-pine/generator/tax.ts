import { roundToCents } from './amounts.ts';
import type { ProductKind } from './catalogue.ts';
import { LEVELS, type Level, type Rates } from './places.ts';
import type { StateRules } from './state-rules.ts';

/** Something that is taxed by itself: a line after its discount. */
export type Goods = { readonly kind: ProductKind; readonly cents: number; readonly quantity: number };

export type TaxCase = {
  readonly county: string;
  readonly rates: Rates;
  readonly rules: StateRules;
  readonly goods: readonly Goods[];
  readonly shippingCents: number;
  /** Replaces the freight rule of the state; the shop's mistake, never the law. */
  readonly freightAlwaysTaxed?: boolean;
};

/** Unrounded tax, in hundred-thousandths of a cent. */
export type Tax = {
  readonly byLevel: Readonly<Record<Level, number>>;
  /** One entry per line, and the shipping last. */
  readonly byUnit: readonly number[];
};

const clothingAt = ({ cents, quantity }: Goods, level: Level, rules: StateRules, county: string): number => {
  const { clothing } = rules;
  const unitCents = cents / quantity;
  switch (clothing.rule) {
    case 'taxable':
      return cents;
    case 'exempt':
      return 0;
    case 'exempt-below':
      if (unitCents >= clothing.cents) return cents;
      return level === 'state' || clothing.countiesThatFollow.includes(county) ? 0 : cents;
    case 'excess-over':
      return quantity * Math.max(0, unitCents - clothing.cents);
  }
};

const foodAt = ({ cents }: Goods, level: Level, rules: StateRules): number => {
  if (rules.food === 'unclear') throw new RangeError(`no food is sold to ${rules.name} in this sample`);
  return rules.food === 'local-only' && level !== 'state' ? cents : 0;
};

const taxableAt = (goods: Goods, level: Level, { rules, county }: TaxCase): number => {
  if (goods.kind === 'clothing') return clothingAt(goods, level, rules, county);
  return goods.kind === 'food' ? foodAt(goods, level, rules) : goods.cents;
};

const isTaxedAtState = (goods: Goods, taxCase: TaxCase): boolean => taxableAt(goods, 'state', taxCase) > 0;
const isTaxedAnywhere = (goods: Goods, taxCase: TaxCase): boolean =>
  LEVELS.some((level) => taxableAt(goods, level, taxCase) > 0);

/**
 * False where only local levels tax the goods and shipping follows them: which levels then tax the shipping is
 * not settled, so the sample ships such orders for free.
 */
export const isShippingSettled = (taxCase: TaxCase): boolean =>
  taxCase.rules.freight === 'never' ||
  taxCase.goods.some((goods) => isTaxedAtState(goods, taxCase)) ||
  !taxCase.goods.some((goods) => isTaxedAnywhere(goods, taxCase));

const taxedShippingAt = (level: Level, taxCase: TaxCase): number => {
  const { rules, goods, shippingCents, freightAlwaysTaxed } = taxCase;
  if (freightAlwaysTaxed) return shippingCents;
  if (shippingCents === 0 || rules.freight === 'never') return 0;
  if (!isShippingSettled(taxCase))
    throw new RangeError(`the shipping of an order to ${rules.name} is not settled`);
  if (!goods.some((line) => isTaxedAnywhere(line, taxCase))) return 0;
  if (rules.freight === 'follows-goods') return shippingCents;
  const taxed = sum(goods.map((line) => taxableAt(line, level, taxCase)));
  return (shippingCents * taxed) / sum(goods.map(({ cents }) => cents));
};

/** The tax of one order by the rules of its place, nothing rounded yet. */
export const taxOf = (taxCase: TaxCase): Tax => {
  const { rates, goods } = taxCase;
  const unitAt = (level: Level) => [
    ...goods.map((line) => taxableAt(line, level, taxCase)),
    taxedShippingAt(level, taxCase),
  ];
  const byLevel = { state: 0, county: 0, city: 0, special: 0 };
  const byUnit = Array.from({ length: goods.length + 1 }, () => 0);
  for (const level of LEVELS) {
    unitAt(level).forEach((cents, unit) => {
      byLevel[level] += cents * rates[level];
      byUnit[unit] = (byUnit[unit] ?? 0) + cents * rates[level];
    });
  }
  return { byLevel, byUnit };
};

const sum = (parts: readonly number[]): number => parts.reduce((total, part) => total + part, 0);

/** The order's tax: rounded once, from the sum over lines, shipping and levels. */
export const orderTaxCents = (tax: Tax): number => roundToCents(sum(tax.byUnit));

/** What a shop arrives at that rounds every line before adding. */
export const lineRoundedTaxCents = (tax: Tax): number => sum(tax.byUnit.map(roundToCents));
