import { printCents } from './amounts.ts';
import { productOf } from './catalogue.ts';
import { DESK_DUPLICATE, DESK_ORDERS, type DeskLine, type DeskOrder } from './desk-orders.ts';

export const DESK_COLUMNS = [
  'Order',
  'Type',
  'Of',
  'Taken at',
  'Customer',
  'Exempt',
  'Platform',
  'Street',
  'City',
  'State',
  'ZIP',
  'Country',
  'Currency',
  'SKU',
  'Item',
  'Qty',
  'Unit price',
  'Discount',
  'Shipping',
  'Tax',
  'Platform tax',
] as const;

const rowsOf = (order: DeskOrder): string[][] => {
  const [street, city, state, zip, country = 'US'] = order.to;
  // The spreadsheet writes what is given back with a minus sign.
  const signed = (cents: number): string => printCents(order.of === undefined ? cents : -cents);
  return order.lines.map((line, index) => {
    const onFirst = (cents: number): string => (index === 0 ? signed(cents) : '');
    return [
      order.id,
      order.of === undefined ? 'sale' : 'refund',
      order.of ?? '',
      order.takenAt,
      order.customer,
      order.exempt ?? '',
      order.platform?.name ?? '',
      street,
      city,
      state,
      zip,
      country,
      order.currency ?? 'USD',
      line.sku,
      productOf(line.sku).name,
      String(line.quantity),
      signed(line.unitCents),
      printCents(line.discountCents),
      onFirst(order.shippingCents),
      onFirst(order.chargedCents),
      onFirst(order.platform?.taxCents ?? 0),
    ];
  });
};

/** The desk's spreadsheet, the duplicate at its end. */
export const deskRows = (): string[][] => [
  ...DESK_ORDERS.flatMap(rowsOf),
  ...DESK_ORDERS.filter(({ id }) => id === DESK_DUPLICATE).flatMap(rowsOf),
];

const netOf = ({ quantity, unitCents, discountCents }: DeskLine): number =>
  quantity * unitCents - discountCents;

/** What a faultless close finds of the desk. Amounts are whole cents; those of refunds are positive. */
export const deskTruth = () =>
  DESK_ORDERS.map((order) => ({
    id: order.id,
    kind: order.of === undefined ? 'order' : 'refund',
    code: order.code,
    state: order.to[2],
    period: order.takenAt.slice(0, 7),
    isPosted: !['R09', 'R24'].includes(order.code),
    grossCents: order.lines.reduce((sum, line) => sum + netOf(line), order.shippingCents),
    collectedCents: order.chargedCents,
    expectedCents: order.correctCents,
    atStakeCents: order.atStakeCents ?? 0,
    story: order.story,
  }));
