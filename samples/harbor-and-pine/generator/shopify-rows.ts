import { printCents } from './amounts.ts';
import { MERCHANT } from './catalogue.ts';
import type { Charge } from './charge.ts';
import { refundCents } from './refund-amount.ts';
import { type Address, nameOf, type SampleLine, type SampleOrder } from './sample-order.ts';
import type { ShopifyRow } from './shopify-columns.ts';
import { addHours, printStoreTime } from './store-time.ts';

const printMaybe = (cents: number | undefined): string => (cents === undefined ? '' : printCents(cents));

const isPaid = ({ status }: SampleOrder): boolean => !['pending', 'voided'].includes(status);

const addressCells = (side: 'Billing' | 'Shipping', address: Address | undefined): ShopifyRow => {
  if (address === undefined) return {};
  const { address1, address2 } = address;
  return {
    [`${side} Name`]: address.name,
    [`${side} Street`]: address2 === '' ? address1 : `${address1}, ${address2}`,
    [`${side} Address1`]: address1,
    [`${side} Address2`]: address2,
    [`${side} Company`]: address.company,
    [`${side} City`]: address.city,
    [`${side} Zip`]: address.zip,
    [`${side} Province`]: address.province,
    [`${side} Country`]: address.country,
    [`${side} Phone`]: address.phone,
    [`${side} Province Name`]: address.provinceName,
  };
};

const taxCells = ({ taxLines }: Charge): ShopifyRow =>
  Object.fromEntries(
    taxLines.flatMap(({ name, cents }, index) => [
      [`Tax ${index + 1} Name`, name],
      [`Tax ${index + 1} Value`, printCents(cents)],
    ]),
  );

const paymentCells = (order: SampleOrder, charge: Charge): ShopifyRow => {
  const { number, status, payment } = order;
  const reference = `c${31_400_000_000 + number * 1_733}.1`;
  const references = isPaid(order) && payment.includes('Shopify') ? reference : '';
  return {
    'Payment Method': payment,
    'Payment Reference': references,
    'Payment References': references,
    'Payment ID': references === '' ? '' : `r${(number * 48_271).toString(36)}Hp`,
    'Refunded Amount': printCents(refundCents(order, charge)),
    'Outstanding Balance': printCents(status === 'pending' ? charge.totalCents : 0),
  };
};

const pointOfSaleCells = ({ channel }: SampleOrder): ShopifyRow =>
  channel === 'pos' ? { Employee: 'Dana Whitfield', Location: 'Sacramento Store', 'Device ID': '70412' } : {};

/** The cells that stand on the first row of an order only. */
const orderCells = (order: SampleOrder, charge: Charge): ShopifyRow => ({
  'Financial Status': order.status,
  'Paid at': isPaid(order) ? printStoreTime(order.createdAt + 2_000) : '',
  'Fulfillment Status': order.fulfilledAt === undefined ? 'unfulfilled' : 'fulfilled',
  'Fulfilled at': order.fulfilledAt === undefined ? '' : printStoreTime(order.fulfilledAt),
  'Accepts Marketing': order.acceptsMarketing ? 'yes' : 'no',
  Currency: order.currency,
  Subtotal: printCents(charge.subtotalCents),
  Shipping: printCents(charge.shippingCents),
  Taxes: printCents(charge.taxCents),
  Total: printCents(charge.totalCents),
  'Discount Code': order.discountCode,
  'Discount Amount': printCents(order.orderDiscountCents),
  'Shipping Method': order.shippingMethod,
  ...addressCells('Billing', order.billTo),
  ...addressCells('Shipping', order.shipTo),
  Notes: order.note,
  'Note Attributes': order.noteAttributes,
  'Cancelled at': order.cancelledAt === undefined ? '' : printStoreTime(order.cancelledAt),
  ...paymentCells(order, charge),
  ...pointOfSaleCells(order),
  Id: String(6_120_000_000_000 + order.number * 32_768),
  Tags: order.tags,
  'Risk Level': 'Low',
  Source: order.channel === 'pos' ? 'pos' : 'web',
  ...taxCells(charge),
});

const lineCells = ({ product, quantity, discountCents }: SampleLine, isFulfilled: boolean): ShopifyRow => ({
  'Lineitem quantity': String(quantity),
  'Lineitem name': product.name,
  'Lineitem price': printCents(product.priceCents),
  'Lineitem compare at price': printMaybe(product.compareAtCents),
  'Lineitem sku': product.sku,
  'Lineitem requires shipping': String(product.shipped),
  'Lineitem taxable': 'true',
  'Lineitem fulfillment status': isFulfilled ? 'fulfilled' : 'pending',
  'Lineitem discount': printCents(discountCents),
  Vendor: product.vendor,
});

/** The rows of one order: its first line with the order's cells, every other line with those cells blank. */
export const shopifyRows = (order: SampleOrder, charge: Charge): ShopifyRow[] =>
  order.lines.map((line, index) => ({
    Name: nameOf(order.number),
    Email: order.email,
    'Created at': printStoreTime(order.createdAt),
    ...(index === 0 ? orderCells(order, charge) : {}),
    ...lineCells(line, order.fulfilledAt !== undefined),
  }));

/** The tail of an order whose head was cut off when two exports were pasted together. */
export const orphanRow = (order: SampleOrder, number: number): ShopifyRow => ({
  Name: nameOf(number),
  Email: 'grace.hollis8@example.com',
  'Created at': printStoreTime(addHours(order.createdAt, -24 * 21)),
  'Lineitem quantity': '1',
  'Lineitem name': 'Canopy Hammock',
  'Lineitem price': '74.99',
  'Lineitem sku': 'OUT-HMK05',
  'Lineitem requires shipping': 'true',
  'Lineitem taxable': 'true',
  'Lineitem fulfillment status': 'fulfilled',
  'Lineitem discount': '0.00',
  Vendor: MERCHANT,
});
