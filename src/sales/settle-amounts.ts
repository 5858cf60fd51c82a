import type { CalendarDate } from '../kernel/calendar.ts';
import {
  add,
  formatMoney,
  isWholeCents,
  type Money,
  money,
  moneyOfPrice,
  negate,
  type Price,
  price,
  priceOfMoney,
  subtract,
  sum,
  ZERO,
  ZERO_PRICE,
} from '../kernel/money.ts';
import { doubtsOf, type Fee, type SaleFigures } from './read-figures.ts';
import { foldNegativeLines, netOf, type RecordLines, spreadOrderDiscount, totalOf } from './read-lines.ts';
import { addUpTo, type Sale, type SaleFinding, type SaleLine } from './sale.ts';
import { feeKindOf } from './sale-words.ts';

/** Fees beside the sale: what the buyer gave, bought or paid. */
const NOT_SOLD: ReadonlySet<unknown> = new Set(['tip', 'gift card', 'payment']);

/** A fee whose name and sign say nothing of its kind: its amount hangs on what a person decides. */
const unclearFee = ({ description, amount }: Fee): SaleFinding => ({
  code: 'fee-unclear',
  message: `"${description}" of ${formatMoney(amount)} is a fee of no known kind: whether ${formatMoney(amount)} is a part of the sale hangs on it`,
});

/**
 * Reconcile the amounts of the whole record with those of its lines.
 *
 * @param isKnownFee whether it does not matter of what kind a fee of this name is
 */
export const settle = (
  stated: SaleFigures,
  read: RecordLines | undefined,
  kind: 'order' | 'refund',
  isKnownFee: (name: string) => boolean,
) => {
  const { figures: given, items, findings: shippingFindings } = withFreeShipping(stated, read?.lines ?? []);
  const itemTotal = price(totalOf(items));
  const [cards = ZERO, tips = ZERO, freight = ZERO] = read
    ? [read.giftCards, read.tips, read.shipping].map(moneyOfPrice)
    : [];
  const aside = add(cards, freight);
  const { figures, doubts: cardDoubts } = withGiftCard(given, add(moneyOfPrice(itemTotal), aside));
  const shipping = add(figures.shipping, freight);
  const goods = figures.goods === undefined ? moneyOfPrice(itemTotal) : money(figures.goods - aside);
  const fees = figures.fees.map((fee) => ({ ...fee, kind: feeKindOf(fee.description, fee.amount) }));
  const sold = fees.filter((fee) => !NOT_SOLD.has(fee.kind));
  const beside = fees.filter((fee) => NOT_SOLD.has(fee.kind)).map(({ amount }) => amount);
  const target = sum([goods, ...sold.map(({ amount }) => amount)]);
  const printed = figures.goods ?? add(goods, aside);
  const notSold = subtract(sum([cards, tips, ...beside]), figures.paidByOthers);
  const amounts = { amount: add(target, shipping), shipping, notSold };
  const unknownFees = sold.filter((fee) => !fee.kind && !isKnownFee(fee.description));
  const hasMinus = read?.hasMinus ?? true;
  const told = doubtsOf({
    figures,
    goods: printed,
    tips,
    hasMinus,
    kind,
  });
  const doubts = [...told, ...cardDoubts, ...unknownFees.map(unclearFee)];
  // Goods that are given back need no line: all goods of an order, or an amount of its only line, are known without.
  const isUndivided = kind === 'refund' && figures.goods !== undefined && read?.lines.length === 0;
  if (!read || isUndivided)
    return {
      ...amounts,
      lines: [],
      findings: shippingFindings,
      doubts,
      lineDoubts: [],
    };

  const lines = withFees(items, sold);
  const folded = foldNegativeLines(lines);
  const findings: SaleFinding[] = [...shippingFindings];
  if (folded && folded.length < lines.length)
    findings.push({
      code: 'negative-line',
      message: 'a line below nothing was taken as a discount on the others',
    });
  const spread = folded && addedUp(folded, target);
  const lineDoubts: SaleFinding[] = [];
  if (!folded)
    lineDoubts.push({ code: 'negative-line', message: 'the line items come to less than nothing' });
  else if (!spread) {
    const message = `the line items do not add up to ${formatMoney(target)}, the goods of the order`;
    lineDoubts.push({ code: 'lines-differ', message });
  }
  return {
    ...amounts,
    lines: spread ?? withRest(folded ?? lines, target),
    findings,
    doubts,
    lineDoubts,
  };
};

/** Make lines add up to a rounded amount: percentage coupons leave fractions of a cent, and the shop rounds the sum. */
const addedUp = (lines: readonly SaleLine[], target: Money): readonly SaleLine[] | undefined => {
  const total = price(totalOf(lines));
  const discount = subtract(moneyOfPrice(total), target);
  return spreadOrderDiscount(lines, price(total - priceOfMoney(discount)));
};

/**
 * Move excess discount to shipping: a free-shipping promotion is exported as a discount, which may exceed the goods.
 */
const withFreeShipping = (figures: SaleFigures, items: readonly SaleLine[]) => {
  const total = price(totalOf(items));
  const isDiscount = items.every(({ unitPrice, quantity }) => unitPrice * quantity >= 0);
  const shipping = isWholeCents(total) ? add(figures.shipping, moneyOfPrice(total)) : -1;
  if (figures.goods !== undefined || total >= 0 || !isDiscount || shipping < 0)
    return { figures, items, findings: [] };
  const message = `${formatMoney(negate(moneyOfPrice(total)))} more was taken off than the goods cost; it was taken off the shipping`;
  return {
    figures: { ...figures, shipping: money(shipping) },
    items: items.map((line) => ({ ...line, discount: price(line.unitPrice * line.quantity) })),
    findings: [{ code: 'discount-on-shipping', message }],
  };
};

/** Add positive fees as lines; negative ones are later spread over the lines like an order-level discount. */
const withFees = (items: readonly SaleLine[], fees: readonly Fee[]): readonly SaleLine[] => [
  ...items,
  ...fees
    .filter(({ amount }) => amount > 0)
    .map(({ description, amount }, index) =>
      oneOf(items.length + index + 1, description, priceOfMoney(amount)),
    ),
];

/** Add what the goods have more than their lines as a line, so that the order can be posted as it stands. */
const withRest = (lines: readonly SaleLine[], target: Money): readonly SaleLine[] => {
  const rest = priceOfMoney(target) - totalOf(lines);
  return rest <= 0 ? lines : [...lines, oneOf(lines.length + 1, 'In no line of the export', price(rest))];
};

const oneOf = (id: number, description: string, unitPrice: Price): SaleLine => {
  const line = {
    id: String(id),
    sku: '',
    description,
    quantity: 1,
    unitPrice,
  };
  return { ...line, discount: ZERO_PRICE, taxCode: null };
};

/**
 * Undo a gift-card payment that lowers the total. Such a payment does not reduce the sale, but some exports subtract
 * it: if the lines are higher by exactly that amount, it was subtracted.
 */
const withGiftCard = (figures: SaleFigures, lineTotal: Money) => {
  const { goods, paidByGiftCard: paid } = figures;
  if (goods === undefined || paid === ZERO || goods === lineTotal) return { figures, doubts: [] };
  const whole = add(goods, paid);
  if (whole > lineTotal) return { figures, doubts: [] };
  const raised = {
    ...figures,
    goods: whole,
    total: figures.total === undefined ? undefined : add(figures.total, paid),
  };
  if (whole === lineTotal) return { figures: raised, doubts: [] };
  const message = `${formatMoney(paid)} was paid by gift card, and the lines do not tell whether the total is lowered by it`;
  return { figures: raised, doubts: [{ code: 'gift-card-unclear', message }] };
};

/** Whether a line of tax of this name is a fee that the state asks for a sale of this day, and no tax. */
export type FeeTest = (name: string, state: string, day: CalendarDate) => boolean;

/** Take the fees of a state out of a sale, which shops charge as lines of the order or of tax. */
export const feesApart = (sale: Sale, isFee: FeeTest): Sale => {
  const { kind, amount, lines, shipTo, taxDate, notSold = ZERO } = sale;
  const isOfState = (name: string): boolean => isFee(name, shipTo.state, taxDate);
  const charged = lines.filter(({ description }) => isOfState(description));
  const taxed = taxedFees(sale, isOfState);
  if (charged.length === 0 && !taxed) return sale;
  const own = charged.map((line) => ({
    name: line.description,
    rate: null,
    amount: moneyOfPrice(netOf(line)),
    kind: null,
    place: '',
    isLine: true as const,
  }));
  const stateFees = [...(taxed?.stateFees ?? []), ...own];
  return {
    ...sale,
    amount: subtract(amount, stateFeesOf({ stateFees: own })),
    lines: lines.filter((line) => !charged.includes(line)),
    ...taxed,
    stateFees,
    ...(kind === 'order' && { notSold: add(notSold, stateFeesOf({ stateFees })) }),
  };
};

/**
 * Returns the lines of tax that are fees, with the tax and its other lines, if the tax has as much. If the lines add up to
 * the tax only without the fees, the shop did not count them as tax.
 */
const taxedFees = (
  { exemptionType, salesTax, marketplaceTax, taxLines }: Sale,
  isOfState: (name: string) => boolean,
): Partial<Sale> | undefined => {
  const stateFees = taxLines.filter(({ name }) => isOfState(name));
  const fee = stateFeesOf({ stateFees });
  if (fee <= 0) return undefined;
  const taxes = add(salesTax, marketplaceTax);
  const others = taxLines.filter((line) => !stateFees.includes(line));
  const left = { taxLines: others, stateFees };
  if (!addUpTo(taxLines, taxes) && addUpTo(others, taxes)) return left;
  const isMarketplace = exemptionType === 'marketplace';
  const tax = subtract(isMarketplace ? marketplaceTax : salesTax, fee);
  return tax < 0 ? undefined : { [isMarketplace ? 'marketplaceTax' : 'salesTax']: tax, ...left };
};

export const stateFeesOf = ({ stateFees = [] }: Pick<Sale, 'stateFees'>): Money =>
  sum(stateFees.map(({ amount }) => amount));
