import { ServiceRefusal } from '../../contract/refusal.ts';
import type { TaxLineItem, TaxRequest } from '../../contract/tax-request.ts';
import { type Price, price, ZERO_PRICE } from '../../kernel/money.ts';

/** One thing that is taxed separately: a line item, or the whole amount if no lines were sent. */
export type OrderLine = {
  readonly id: string;
  /** The product tax code; empty means fully taxable. */
  readonly code: string;
  readonly quantity: number;
  /** Unit price times quantity, less the discount. */
  readonly net: Price;
};

export type Order = {
  readonly lines: readonly OrderLine[];
  /** Whether the request has line items, and so the result a breakdown. */
  readonly itemized: boolean;
  readonly shipping: Price;
  readonly total: Price;
};

/** The largest amount of an order, in ten-thousandths of a dollar: 400 billion dollars. */
const AMOUNT_MAX = 4_000_000_000_000_000;

/** @throws {ServiceRefusal} 406 when the amount is more than this service calculates with */
const bounded = (amount: number, parameter: string): Price => {
  if (!(Math.abs(amount) <= AMOUNT_MAX)) throw new ServiceRefusal(406, `${parameter} is too large`);
  return price(amount);
};

const lineOf = (item: TaxLineItem, index: number): OrderLine => {
  const gross = bounded((item.unit_price ?? 0) * item.quantity, 'line_items amount');
  return {
    id: item.id ?? String(index + 1),
    code: item.product_tax_code ?? '',
    quantity: item.quantity,
    net: bounded(gross - (item.discount ?? 0), 'line_items amount'),
  };
};

/** Read line items by position; of several with the same id, the first counts. */
const linesOf = (items: readonly TaxLineItem[]): OrderLine[] => {
  const ids = new Set<string>();
  const lines: OrderLine[] = [];
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index] as TaxLineItem;
    if (item.id !== undefined) {
      if (ids.has(item.id)) continue;
      ids.add(item.id);
    }
    lines.push(lineOf(item, index));
  }
  return lines;
};

/** Return the order to tax. If amount and lines disagree, the lines count. */
export const orderOf = (request: TaxRequest): Order => {
  const itemized = request.line_items !== undefined && request.line_items.length > 0;
  const lines = itemized
    ? linesOf(request.line_items ?? [])
    : [{ id: '1', code: '', quantity: 1, net: bounded(request.amount ?? ZERO_PRICE, 'amount') }];
  const shipping = bounded(request.shipping, 'shipping');
  let total: number = shipping;
  let gross = Math.abs(shipping);
  for (const { net } of lines) {
    total += net;
    gross += Math.abs(net);
  }
  bounded(gross, 'amount');
  return { lines, itemized, shipping, total: price(total) };
};
