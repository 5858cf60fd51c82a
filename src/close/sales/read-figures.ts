import { add, formatMoney, type Money, money, sum, ZERO } from '../../kernel/money.ts';
import { formatPrice, isWholeCents, moneyOfPrice, type Price, parseExactPrice } from '../../kernel/price.ts';
import { type CellProblem, isProblem } from './cell-problem.ts';
import type { TableRow } from './files/table-row.ts';
import type { AmountExpression } from './profile/expression.ts';
import type { SalesProfile } from './profile.ts';
import { columnsOf, type RowReader } from './row-view.ts';
import type { Remark } from './sale.ts';

/** The amounts of a record as its source has them, with the sign of an order, in cents. */
export type SaleFigures = {
  /** `undefined` where the source has no figure beside its lines. */
  readonly goods: Money | undefined;
  readonly shipping: Money;
  readonly salesTax: Money;
  readonly marketplaceTax: Money;
  readonly fees: readonly { readonly description: string; readonly amount: Money }[];
  readonly total: Money | undefined;
  readonly refunded: Money;
  readonly paidByGiftCard: Money;
};

/** Read the amounts of a record, or the first cell that is none. */
export const readFigures = (
  rows: readonly TableRow[],
  map: SalesProfile['map'],
  read: RowReader,
  sign: 1 | -1,
): SaleFigures | CellProblem => {
  const [first] = rows;
  if (!first) return { problem: 'is blank', column: '', value: '' };
  const cents = (expression: AmountExpression | undefined, ownSign: 1 | -1 = sign): Money | CellProblem => {
    if (expression === undefined) return ZERO;
    const value = read.amount(first, expression, rows);
    if (isProblem(value)) return value.column === '' ? { ...value, column: columnsOf(expression) } : value;
    if (isWholeCents(value)) return money(ownSign * moneyOfPrice(value));
    return { problem: 'is finer than a cent', column: columnsOf(expression), value: formatPrice(value) };
  };
  const goods = cents(map.goods);
  if (isProblem(goods)) return goods;
  const shipping = cents(map.shipping);
  if (isProblem(shipping)) return shipping;
  const salesTax = cents(map.salesTax);
  if (isProblem(salesTax)) return salesTax;
  const marketplaceTax = cents(map.marketplaceTax);
  if (isProblem(marketplaceTax)) return marketplaceTax;
  const total = cents(map.total);
  if (isProblem(total)) return total;
  const refunded = cents(map.refunded, 1);
  if (isProblem(refunded)) return refunded;
  const paidByGiftCard = cents(map.paidByGiftCard);
  if (isProblem(paidByGiftCard)) return paidByGiftCard;
  const fees: { description: string; amount: Money }[] = [];
  for (const { description, amount: expression } of map.fees) {
    const amount = cents(expression);
    if (isProblem(amount)) return amount;
    if (amount !== ZERO) fees.push({ description, amount });
  }
  return {
    goods: map.goods === undefined ? undefined : goods,
    shipping,
    salesTax,
    marketplaceTax,
    fees,
    total: map.total === undefined ? undefined : total,
    refunded,
    paidByGiftCard,
  };
};

/** What is doubtful about amounts that could all be read. `goods` is what they come to without fees. */
export const doubtsOf = (figures: SaleFigures, goods: Money, kind: 'order' | 'refund'): readonly Remark[] => {
  const { shipping, salesTax, marketplaceTax, fees, total, refunded } = figures;
  const taxes = add(salesTax, marketplaceTax);
  const fee = sum(fees.map(({ amount }) => amount));
  const all = sum([goods, fee, shipping, taxes]);
  const doubts: Remark[] = [];
  // Marketplaces differ, even from order to order, in whether their tax is in the total.
  if (total !== undefined && total !== all && total !== all - marketplaceTax) {
    const charged = fee === ZERO ? '' : ` + ${formatMoney(fee)} fees`;
    const parts = `${formatMoney(goods)} goods${charged} + ${formatMoney(shipping)} shipping + ${formatMoney(taxes)} tax`;
    doubts.push({ code: 'total-differs', message: `${parts} is not the total of ${formatMoney(total)}` });
  }
  if (goods + fee < 0 || shipping < 0 || salesTax < 0 || marketplaceTax < 0 || refunded < 0) {
    doubts.push(
      kind === 'order'
        ? { code: 'negative-order', message: 'an order has a negative amount' }
        : { code: 'negative-refund', message: 'a refund takes money instead of giving it back' },
    );
  }
  if (refunded > (total ?? all)) {
    doubts.push({
      code: 'over-refunded',
      message: `${formatMoney(refunded)} was refunded of ${formatMoney(total ?? all)}`,
    });
  }
  return doubts;
};

/** The checks of the profile that do not come out. A cell that is no amount is a problem of its own. */
export const failedChecks = (
  rows: readonly TableRow[],
  { checks }: SalesProfile,
  read: RowReader,
): readonly Remark[] | CellProblem => {
  const [first] = rows;
  const doubts: Remark[] = [];
  if (!first) return doubts;
  for (const { name, amount, equals, tolerance } of checks) {
    const left = read.amount(first, amount, rows);
    if (isProblem(left)) return left;
    const allowed = parseExactPrice(tolerance) ?? 0;
    const rights: Price[] = [];
    for (const expression of equals) {
      const right = read.amount(first, expression, rows);
      if (isProblem(right)) return right;
      rights.push(right);
    }
    if (rights.some((right) => Math.abs(left - right) <= allowed)) continue;
    const message = `${columnsOf(amount)} is ${formatPrice(left)}, and ${equals.map(columnsOf).join(' or ')} comes to ${rights.map(formatPrice).join(' or ')}`;
    doubts.push({ code: name, message });
  }
  return doubts;
};
