import { stringify } from 'csv-stringify/sync';
import { printCents } from '../../samples/harbor-and-pine/generator/amounts.ts';
import { lineCents } from '../../samples/harbor-and-pine/generator/charge.ts';
import { PAYMENT_COLUMNS } from '../../samples/harbor-and-pine/generator/payment-rows.ts';
import type { Address, SampleLine } from '../../samples/harbor-and-pine/generator/sample-order.ts';
import { SHOPIFY_COLUMNS, type ShopifyRow } from '../../samples/harbor-and-pine/generator/shopify-columns.ts';
import { addHours, printStoreTime } from '../../samples/harbor-and-pine/generator/store-time.ts';
import type { MonthOrder } from './draw-order.ts';
import { shopTaxCents } from './shop-tax.ts';

export const ORDERS_HEADER = stringify([[...SHOPIFY_COLUMNS]]);
export const REFUNDS_HEADER = stringify([[...PAYMENT_COLUMNS]]);

/** One order as the text of its rows, and the text of its refund's row, which is empty without one. */
export const orderText = (order: MonthOrder): { readonly orders: string; readonly refunds: string } => {
  const goods = order.lines.reduce((sum, line) => sum + lineCents(line), 0) - order.orderDiscountCents;
  const tax = shopTaxCents(order);
  const charged = { goods, tax, total: goods + order.shippingCents + tax };
  const rows = order.lines.map((line, index) => ({
    Name: `#${order.number}`,
    Email: order.email,
    'Created at': printStoreTime(order.at),
    ...(index === 0 && headCells(order, charged)),
    ...lineCells(line),
  }));
  return { orders: stringify(rows.map(cellsOf)), refunds: refundText(order, charged.total) };
};

type Charged = { readonly goods: number; readonly tax: number; readonly total: number };

const cellsOf = (row: ShopifyRow): string[] => SHOPIFY_COLUMNS.map((column) => row[column] ?? '');

const headCells = (order: MonthOrder, { goods, tax, total }: Charged): ShopifyRow => {
  const reference = `c${31_400_000_000 + order.number * 1_733}.1`;
  const sentAt = printStoreTime(addHours(order.at, 26));
  return {
    'Financial Status': order.refundedAt === undefined ? 'paid' : 'refunded',
    'Paid at': printStoreTime(order.at + 2_000),
    'Fulfillment Status': 'fulfilled',
    'Fulfilled at': sentAt,
    'Accepts Marketing': order.number % 3 === 0 ? 'yes' : 'no',
    Currency: 'USD',
    Subtotal: printCents(goods),
    Shipping: printCents(order.shippingCents),
    Taxes: printCents(tax),
    Total: printCents(total),
    'Discount Code': order.discountCode,
    'Discount Amount': printCents(order.orderDiscountCents),
    'Shipping Method': order.shippingCents > 1_500 ? 'Expedited (2-3 days)' : 'Standard Shipping',
    ...addressCells('Billing', order.address),
    ...addressCells('Shipping', order.address),
    Notes: order.note,
    'Payment Method': 'Shopify Payments',
    'Payment Reference': reference,
    'Refunded Amount': printCents(order.refundedAt === undefined ? 0 : total),
    'Outstanding Balance': '0.00',
    Id: String(6_120_000_000_000 + order.number * 32_768),
    Tags: order.number % 4 === 0 ? 'repeat' : '',
    'Risk Level': 'Low',
    Source: 'web',
    ...(tax > 0 && { 'Tax 1 Name': `${order.address.provinceName} Tax`, 'Tax 1 Value': printCents(tax) }),
    'Payment ID': `r${(order.number * 48_271).toString(36)}Hp`,
    'Payment References': reference,
  };
};

const addressCells = (side: 'Billing' | 'Shipping', address: Address): ShopifyRow => ({
  [`${side} Name`]: address.name,
  [`${side} Street`]: address.address2 === '' ? address.address1 : `${address.address1}, ${address.address2}`,
  [`${side} Address1`]: address.address1,
  [`${side} Address2`]: address.address2,
  [`${side} Company`]: address.company,
  [`${side} City`]: address.city,
  [`${side} Zip`]: address.zip,
  [`${side} Province`]: address.province,
  [`${side} Country`]: address.country,
  [`${side} Phone`]: address.phone,
  [`${side} Province Name`]: address.provinceName,
});

const lineCells = ({ product, quantity, discountCents }: SampleLine): ShopifyRow => ({
  'Lineitem quantity': String(quantity),
  'Lineitem name': product.name,
  'Lineitem price': printCents(product.priceCents),
  'Lineitem compare at price': product.compareAtCents === undefined ? '' : printCents(product.compareAtCents),
  'Lineitem sku': product.sku,
  'Lineitem requires shipping': String(product.shipped),
  'Lineitem taxable': 'true',
  'Lineitem fulfillment status': 'fulfilled',
  'Lineitem discount': printCents(discountCents),
  Vendor: product.vendor,
});

const refundText = ({ number, refundedAt }: MonthOrder, totalCents: number): string => {
  if (refundedAt === undefined) return '';
  const day = printStoreTime(addHours(refundedAt, 48)).slice(0, 10);
  const amount = printCents(-totalCents);
  return stringify([
    [
      printStoreTime(refundedAt),
      'refund',
      `#${number}`,
      'visa',
      'online',
      'paid',
      day,
      `9${day.replaceAll('-', '')}01`,
      day,
      amount,
      '0.00',
      amount,
      `#${38_200_000_000_000 + number * 65_537}`,
      'card',
      amount,
      'USD',
      'USD',
    ],
  ]);
};
