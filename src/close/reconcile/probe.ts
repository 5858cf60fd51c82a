import type { TaxResult } from '../../contract/tax-result.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { subtract, sum } from '../../kernel/money.ts';
import { moneyOfPrice, type Price, price, priceOfMoney, ZERO_PRICE } from '../../kernel/price.ts';
import { netOf } from '../sales/read-lines.ts';
import type { Sale, SaleLine } from '../sales/sale.ts';
import type { SaleAmounts } from './hypothesis.ts';
import { modelOfPart } from './model-of-part.ts';
import {
  type LevelShare,
  SHIPPING_UNIT,
  shareOf,
  type TaxModel,
  type TaxUnit,
  taxModelOf,
  topRates,
} from './tax-model.ts';

/** Categories in a probe; `null` means goods without one. */
export type ProbedCodes = readonly (string | null)[];

/**
 * Item prices in a probe. If two prices are taxed alike, no threshold or cap is between them, so all prices between
 * them are taxed the same way.
 */
const PROBED_PRICES: readonly Price[] = [1, 10, 50, 100, 250, 1_000, 10_000].map((dollars) =>
  price(dollars * 10_000),
);
const PROBED_SHIPPING = price(100_000);

/**
 * A calculation that serves many sales of one place and day: an order with each category at several prices, and
 * shipping. It is never recorded. Sales with the same place, day and categories produce the same probe.
 */
export const probeOf = (sale: Sale, codes: ProbedCodes, day: CalendarDate, isByStreet: boolean): Sale => {
  const lines = probeLines(codes);
  const { partOf: _, ...own } = sale;
  const { shipTo } = sale;
  const goods = lines.reduce((total, { unitPrice }) => total + unitPrice, 0);
  return {
    ...own,
    shipTo: isByStreet ? shipTo : { ...shipTo, zip: shipTo.zip.slice(0, 5), street: '' },
    taxDate: day,
    exemptionType: null,
    customerId: null,
    lines,
    shipping: moneyOfPrice(PROBED_SHIPPING),
    amount: sum([moneyOfPrice(price(goods)), moneyOfPrice(PROBED_SHIPPING)]),
  };
};

const probeLines = (codes: ProbedCodes): readonly SaleLine[] =>
  codes.flatMap((taxCode, code) =>
    PROBED_PRICES.map((unitPrice, at) => ({
      id: `${code + 1}.${at + 1}`,
      sku: '',
      description: '',
      quantity: 1,
      unitPrice,
      discount: ZERO_PRICE,
      taxCode,
    })),
  );

/**
 * Derive a sale's calculation from its probe; `undefined` if thresholds, caps or an order-level rule make it uncertain.
 * That of a part of an order is a part of the order's.
 */
export const modelOfProbe = (
  result: TaxResult,
  codes: ProbedCodes,
  { partOf, ...sold }: SaleAmounts,
): TaxModel | undefined => {
  if (!partOf) return modelOfGoods(result, codes, sold);
  const order = modelOfGoods(result, codes, partOf);
  return order && modelOfPart(order, { ...sold, partOf });
};

const modelOfGoods = (result: TaxResult, codes: ProbedCodes, sold: SaleAmounts): TaxModel | undefined => {
  const asked = probeLines(codes);
  const probed = taxModelOf(result, asked);
  if (probed.rest !== 0 || probed.units.length < asked.length) return undefined;
  const units: TaxUnit[] = [];
  for (const line of goodsOf(sold)) {
    const code = codes.indexOf(line.taxCode);
    const from = code * PROBED_PRICES.length;
    const shares =
      code < 0 ? undefined : sharesOf(line, probed.units.slice(from, from + PROBED_PRICES.length));
    if (!shares) return undefined;
    units.push({ id: line.id, shares });
  }
  const freight = freightOf(sold, probed, units);
  return freight && { units: [...units, ...freight], rest: probed.rest, grain: 'order' };
};

/** Treat goods without lines as one line, as in the request to the service. */
const goodsOf = ({ lines, shipping, amount }: SaleAmounts): readonly SaleLine[] => {
  if (lines.length > 0) return lines;
  const unitPrice = priceOfMoney(subtract(amount, shipping));
  return [{ id: '1', sku: '', description: '', quantity: 1, unitPrice, discount: ZERO_PRICE, taxCode: null }];
};

/**
 * Derive the shares of a line from the probed prices around it. A limit can apply to the price of an item or of the
 * line, before or after discounts, so all four must be within the range.
 */
const sharesOf = (line: SaleLine, probed: readonly TaxUnit[]): readonly LevelShare[] | undefined => {
  const net = netOf(line);
  const amounts = [line.unitPrice, line.unitPrice * line.quantity, net, net / Math.max(1, line.quantity)];
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
  if (low < 0) return undefined;
  if (net === 0) return [];
  const first = Math.max(
    0,
    PROBED_PRICES.findLastIndex((at) => at <= low),
  );
  const last = PROBED_PRICES.findIndex((at) => at >= high);
  if (last < 0) return undefined;
  const units = probed.slice(Math.min(first, last), last + 1);
  const [one] = units;
  if (!one || !units.every((unit, index) => isAlike(one, first, unit, first + index))) return undefined;
  const at = PROBED_PRICES[first] ?? ZERO_PRICE;
  const shares = one.shares.filter(({ taxable, rate }) => taxable !== 0 && rate !== 0);
  const taxed = shares.map(({ level, taxable, rate }) => ({ level, rate, amount: (net * taxable) / at }));
  if (taxed.some(({ amount }) => !Number.isInteger(amount))) return undefined;
  return taxed.map(({ level, rate, amount }) => shareOf(level, price(amount), rate));
};

/** Whether two prices are taxed at the same rates and in the same proportion, without any fixed amount. */
const isAlike = (one: TaxUnit, oneAt: number, other: TaxUnit, otherAt: number): boolean =>
  isPlain(one) &&
  isPlain(other) &&
  one.shares.length === other.shares.length &&
  one.shares.every((share, index) => {
    const same = other.shares[index];
    const [here, there] = [PROBED_PRICES[oneAt] ?? 0, PROBED_PRICES[otherAt] ?? 0];
    return (
      same !== undefined &&
      same.level === share.level &&
      (same.rate === share.rate || same.taxable === 0) &&
      BigInt(share.taxable) * BigInt(there) === BigInt(same.taxable) * BigInt(here)
    );
  });

const isPlain = ({ shares }: TaxUnit): boolean =>
  shares.every(({ level, taxable, rate, tax }) => {
    const plain = shareOf(level, taxable, rate).tax;
    return tax.dividend * plain.divisor === plain.dividend * tax.divisor;
  });

/**
 * Derive the shares of shipping; `undefined` if only part of the goods is taxed, since each state then apportions
 * shipping in its own way.
 */
const freightOf = (
  { shipping }: SaleAmounts,
  { units: probed }: TaxModel,
  goods: readonly TaxUnit[],
): readonly TaxUnit[] | undefined => {
  const unit = probed.find(({ id }) => id === SHIPPING_UNIT);
  const taxed = unit?.shares.filter(({ taxable, rate }) => taxable !== 0 && rate !== 0) ?? [];
  if (shipping === 0 || taxed.length === 0) return [];
  if (goods.some(({ shares }) => shares.length === 0)) return undefined;
  if (!unit || !isPlain(unit) || taxed.some(({ taxable }) => taxable !== PROBED_SHIPPING)) return undefined;
  const ofGoods = topRates({ units: goods });
  if (taxed.some(({ level, rate }) => ofGoods.get(level) !== rate)) return undefined;
  return [
    {
      id: SHIPPING_UNIT,
      shares: taxed.map(({ level, rate }) => shareOf(level, priceOfMoney(shipping), rate)),
    },
  ];
};
