import { add, type Money, money, subtract, ZERO } from '../../kernel/money.ts';
import { price, priceOfMoney } from '../../kernel/price.ts';
import { RATE_ONE } from '../../kernel/rate.ts';
import { roundBigQuotient } from '../../kernel/rounding.ts';
import { netOf } from '../sales/read-lines.ts';
import { type Fraction, NOTHING, plus, rounded } from './fraction.ts';
import { type Hypothesis, plainShares, type SaleAmounts } from './hypothesis.ts';
import {
  type LevelShare,
  SHIPPING_UNIT,
  sumsBy,
  type TaxModel,
  type TaxUnit,
  taxOf,
  topRates,
  unroundedOf,
} from './tax-model.ts';

/**
 * Divide freight over the lines in whole cents before it is taxed. Where they are not all taxed alike, this moves the
 * unrounded tax by the tax of a few cents, and so what is printed, if half a cent is that near.
 */
export const dividedFreight = ({ lines, shipping }: SaleAmounts): readonly Hypothesis[] =>
  [1n, -1n].map((sign) => ({
    code: 'R01',
    apply: (model) => {
      if (lines.length < 2 || !isFreightDivided(model, shipping)) return undefined;
      const { dividend, divisor } = taxOfCents(model, lines.length - 1);
      const before = unroundedOf(model);
      const after = rounded(plus(before, { dividend: sign * dividend, divisor }));
      const cents = subtract(after, rounded(before));
      return cents === ZERO
        ? undefined
        : {
            model: { ...model, rest: add(model.rest, money(Math.sign(cents))) },
            what: 'with shipping divided over the lines in whole cents',
          };
    },
  }));

/** The tax of some cents at the highest rates of a model. */
const taxOfCents = (model: TaxModel, cents: number): Fraction => {
  const combined = [...topRates(model).values()].reduce((total, rate) => total + rate, 0);
  return { dividend: BigInt(cents) * BigInt(combined), divisor: BigInt(RATE_ONE) };
};

/** Whether the tax of freight depends on how it is divided over the goods. */
const isFreightDivided = ({ units }: TaxModel, shipping: Money): boolean => {
  const taxed = units.map(({ shares }) => shares.filter(({ taxable }) => taxable !== 0));
  const rates = new Set(taxed.map((shares) => shares.map(({ level, rate }) => `${level} ${rate}`).join()));
  const freight = taxed[units.findIndex(({ id }) => id === SHIPPING_UNIT)];
  return (
    freight !== undefined &&
    (rates.size > 1 || freight.some(({ taxable }) => taxable !== priceOfMoney(shipping)))
  );
};

/** Round the tax of each line together with that of its share of the freight. */
export const freightInLines = ({ lines }: SaleAmounts): Hypothesis => ({
  code: 'R01',
  apply: (model) => {
    const freight = model.units.find(({ id }) => id === SHIPPING_UNIT);
    if (lines.length === 0 || !freight) return undefined;
    const goods = model.units.filter((unit) => unit !== freight);
    const sums = sumsBy({ ...model, units: goods }, (_, { level }) => level);
    const carried = freight.shares.filter(({ level }) => (sums.get(level) ?? NOTHING).dividend > 0n);
    const units = goods.map(({ id, shares }) => ({
      id,
      shares: [...shares, ...carried.map((share) => partOfFreight(share, shares, sums))],
    }));
    const rest = freight.shares.filter((share) => !carried.includes(share));
    return {
      model: { ...model, units: [...units, { id: SHIPPING_UNIT, shares: rest }], grain: 'line' },
      what: 'rounded per line, each with its share of shipping',
    };
  },
});

/** The part of freight that goods carry which bear a part of a level's tax. */
const partOfFreight = (
  freight: LevelShare,
  goods: readonly LevelShare[],
  sums: ReadonlyMap<string, Fraction>,
): LevelShare => {
  const own = goods.find(({ level }) => level === freight.level)?.tax ?? NOTHING;
  const all = sums.get(freight.level) ?? NOTHING;
  return {
    ...freight,
    tax: {
      dividend: freight.tax.dividend * own.dividend * all.divisor,
      divisor: freight.tax.divisor * own.divisor * all.dividend,
    },
  };
};

/**
 * Ways in which shops tax freight, likeliest first: not at all, in full, or in proportion to the taxed goods by price.
 */
export const commonFreightErrors = (sold: SaleAmounts): readonly Hypothesis[] => [
  freight(sold, 'with shipping untaxed', () => []),
  freight(sold, 'with shipping taxed', inFull),
  freight(sold, 'with shipping shared out by price', sharedOut),
];

/** Tax freight at the general rates, where the goods have others. */
export const freightAtGeneralRates = (sold: SaleAmounts, uncategorized: TaxModel): Hypothesis =>
  freight(
    sold,
    'with shipping taxed at the general rates',
    () => uncategorized.units.find(({ id }) => id === SHIPPING_UNIT)?.shares ?? [],
  );

type FreightShares = (goods: readonly TaxUnit[], sold: SaleAmounts) => readonly LevelShare[];

const freight = (sold: SaleAmounts, what: string, sharesOf: FreightShares): Hypothesis => ({
  code: 'R06',
  apply: (model) => {
    if (sold.shipping === ZERO) return undefined;
    const goods = model.units.filter(({ id }) => id !== SHIPPING_UNIT);
    const shares = sharesOf(goods, sold);
    const units = shares.length === 0 ? goods : [...goods, { id: SHIPPING_UNIT, shares }];
    const changed = { ...model, units };
    return taxOf(changed) === taxOf(model) ? undefined : { model: changed, what };
  },
});

const inFull: FreightShares = (goods, { shipping }) => plainShares(priceOfMoney(shipping), goods);

const sharedOut: FreightShares = (goods, { shipping, lines }) => {
  const net = lines.reduce((total, line) => total + netOf(line), 0);
  if (net <= 0) return [];
  const part = { dividend: BigInt(priceOfMoney(shipping)), divisor: BigInt(net) };
  return goods.flatMap(({ shares }) =>
    shares.map((share) => ({
      ...share,
      taxable: price(Number(roundBigQuotient(BigInt(share.taxable) * part.dividend, part.divisor))),
      tax: { dividend: share.tax.dividend * part.dividend, divisor: share.tax.divisor * part.divisor },
    })),
  );
};
