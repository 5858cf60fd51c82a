import { type MilliPercent, printPercent, roundToCents } from './amounts.ts';
import { LEVELS, type Level, type Place, type Rates } from './places.ts';
import type { SampleLine, SampleOrder } from './sample-order.ts';
import { rulesOf } from './state-rules.ts';
import { type Goods, lineRoundedTaxCents, orderTaxCents, type Tax, type TaxCase, taxOf } from './tax.ts';

/** One `Tax n Name` and `Tax n Value` pair. */
type TaxLine = { readonly name: string; readonly cents: number };

/** What the shop charged, and beside it the tax it should have charged. */
export type Charge = {
  readonly subtotalCents: number;
  readonly shippingCents: number;
  readonly taxCents: number;
  readonly correctTaxCents: number;
  readonly totalCents: number;
  readonly taxLines: readonly TaxLine[];
  /** The shop's unrounded tax on each line, in hundred-thousandths of a cent. */
  readonly taxByLine: readonly number[];
};

const ZERO_RATES: Rates = { state: 0, county: 0, city: 0, special: 0 };

export const lineCents = ({ product, quantity, discountCents }: SampleLine): number =>
  product.priceCents * quantity - discountCents;

const goodsOf = (order: SampleOrder): Goods[] => {
  const goods: Goods[] = order.lines.map((line) => ({
    kind: line.product.kind,
    cents: lineCents(line),
    quantity: line.quantity,
  }));
  if (order.orderDiscountCents === 0) return goods;
  // A discount of the whole order is only given on general goods, where its spread over the lines changes nothing.
  return [...goods, { kind: 'general', cents: -order.orderDiscountCents, quantity: 1 }];
};

const lawfulCase = (order: SampleOrder, place: Place): TaxCase => {
  const rules = rulesOf(place.state);
  return {
    county: place.county,
    rates: rules.registered ? place.rates : ZERO_RATES,
    rules,
    goods: goodsOf(order),
    shippingCents: order.shippingCents,
  };
};

const shopCase = (order: SampleOrder, place: Place): TaxCase => {
  const lawful = lawfulCase(order, place);
  switch (order.mistake?.kind) {
    case 'other-rates':
      return { ...lawful, rates: order.mistake.rates };
    case 'freight-taxed':
      return { ...lawful, freightAlwaysTaxed: true };
    case 'charged-without-nexus':
      return { ...lawful, rates: place.rates };
    case 'nothing-charged':
      return { ...lawful, rates: ZERO_RATES };
    case 'category-ignored':
      return { ...lawful, goods: lawful.goods.map((goods) => ({ ...goods, kind: 'general' as const })) };
    default:
      return lawful;
  }
};

const levelName = (place: Place, level: Level): string => {
  if (level === 'state') return `${rulesOf(place.state).name} State Tax`;
  if (level === 'county') return `${place.county} Tax`;
  return level === 'city' ? `${place.city} City Tax` : place.specialName;
};

type NamedTax = { readonly name: string; readonly rate: MilliPercent; readonly parts: number };

/** Shopify shows the two shares that are the same all over California as one state tax. */
const namedTaxes = (place: Place, { rates }: TaxCase, { byLevel }: Tax): NamedTax[] => {
  const one = (level: Level): NamedTax => ({
    name: levelName(place, level),
    rate: rates[level],
    parts: byLevel[level],
  });
  if (place.state !== 'CA') return LEVELS.map(one);
  const rate = rates.state + rates.county;
  const parts = byLevel.state + byLevel.county;
  return [{ name: levelName(place, 'state'), rate, parts }, one('special')];
};

/** Each value is the growth of the rounded running sum, so that the values add up to the order's tax. */
const taxLinesOf = (taxes: readonly NamedTax[], totalCents: number): TaxLine[] => {
  const shown = taxes.filter(({ parts }) => parts > 0);
  let running = 0;
  let printed = 0;
  return shown.map(({ name, rate, parts }, index) => {
    running += parts;
    const upTo = index === shown.length - 1 ? totalCents : roundToCents(running);
    const cents = upTo - printed;
    printed = upTo;
    return { name: `${name} ${printPercent(rate)}`, cents };
  });
};

/** What the customer paid, by the shop's own reckoning. */
export const chargeOf = (order: SampleOrder): Charge => {
  const { shippingCents, place } = order;
  const goodsCents = order.lines.reduce((sum, line) => sum + lineCents(line), 0);
  const subtotalCents = goodsCents - order.orderDiscountCents;
  const untaxed = {
    subtotalCents,
    shippingCents,
    taxCents: 0,
    correctTaxCents: 0,
    taxLines: [],
    taxByLine: [],
  };
  if (place === undefined) return { ...untaxed, totalCents: subtotalCents + shippingCents };

  const correctTaxCents = orderTaxCents(taxOf(lawfulCase(order, place)));
  const shop = shopCase(order, place);
  const tax = taxOf(shop);
  const roundsLines = order.mistake?.kind === 'lines-rounded-one-by-one';
  const taxCents = roundsLines ? lineRoundedTaxCents(tax) : orderTaxCents(tax);
  const taxLines = taxLinesOf(namedTaxes(place, shop, tax), taxCents);
  return {
    ...untaxed,
    taxCents,
    correctTaxCents,
    taxLines,
    totalCents: subtotalCents + shippingCents + taxCents,
  };
};
