import { roundBigQuotient } from '../../kernel/rounding.ts';
import type { Order } from './order.ts';
import type { OrderRules } from './order-tax.ts';
import { addRaw, type RawTax, rateOfRaw, rawTax } from './raw-tax.ts';
import { plainRule } from './unit-rule.ts';
import { taxUnit, type UnitTax } from './unit-tax.ts';

/** The tax on the freight of an order, in full at the plain rates; `undefined` where it is not taxed. */
export const taxFreight = (
  { freight, rates }: OrderRules,
  { lines, shipping }: Order,
  taxed: readonly UnitTax[],
): UnitTax | undefined => {
  if (freight === 'never' || !taxed.some((unit) => unit.taxed)) return undefined;
  const net = lines.reduce((total, line) => total + line.net, 0);
  const isShareable = net !== 0 && lines.every((line) => line.net * net >= 0);
  if (freight === 'shared' && isShareable) return shareFreight(shipping, net, taxed);
  return taxUnit(plainRule(rates), shipping, 1);
};

/** Each level takes of the freight what it takes of the goods, in proportion. */
const shareFreight = (shipping: number, net: number, taxed: readonly UnitTax[]): UnitTax => {
  const share = (amount: RawTax): RawTax => {
    const sign = net < 0 ? -1n : 1n;
    const part = roundBigQuotient(BigInt(shipping) * BigInt(amount) * sign, BigInt(Math.abs(net)));
    const small = Number(part);
    return Number.isSafeInteger(small) ? small : part;
  };
  const levels = levelsOf(taxed).map((level) => {
    const base = taxed.reduce((total, { bases }) => total + at(bases, level), 0);
    const raw = taxed.reduce<RawTax>(
      (total, { bases, rates }) => addRaw(total, rawTax(at(bases, level), at(rates, level))),
      0,
    );
    const rates = new Set(
      taxed.filter(({ bases }) => at(bases, level) !== 0).map((unit) => at(unit.rates, level)),
    );
    const [rate = 0, ...others] = rates;
    return {
      base: Number(share(base)),
      raw: share(raw),
      rate: others.length === 0 ? rate : rateOfRaw(raw, base),
    };
  });
  const bases = levels.map(({ base }) => base);
  const raws = levels.map(({ raw }) => raw);
  return {
    bases,
    rates: levels.map(({ rate }) => rate),
    raws,
    taxable: shipping < 0 ? Math.min(...bases) : Math.max(...bases),
    raw: raws.reduce(addRaw),
    taxed: true,
  };
};

const levelsOf = (taxed: readonly UnitTax[]): readonly number[] =>
  (taxed[0]?.rates ?? []).map((_, level) => level);

const at = (values: readonly number[], level: number): number => values[level] as number;
