import { add, type Money, money, ZERO } from '../../kernel/money.ts';
import { price, priceOfMoney } from '../../kernel/price.ts';
import { roundBigQuotient } from '../../kernel/rounding.ts';
import { netOf } from '../sales/read-lines.ts';
import { type Hypothesis, plainShares, type SaleAmounts } from './hypothesis.ts';
import { type LevelShare, SHIPPING_UNIT, type TaxModel, type TaxUnit, taxOf } from './tax-model.ts';

/**
 * Divide freight over the lines in whole cents before it is taxed. Where they are not all taxed alike, this moves the tax
 * by less than a cent, and what is printed by a cent at most.
 */
export const dividedFreight = ({ lines, shipping }: SaleAmounts): readonly Hypothesis[] =>
  [1, -1].map((cent) => ({
    code: 'R01',
    apply: (model) =>
      lines.length > 1 && isFreightDivided(model, shipping)
        ? {
            model: { ...model, rest: add(model.rest, money(cent)) },
            what: 'with shipping divided over the lines in whole cents',
          }
        : undefined,
  }));

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
