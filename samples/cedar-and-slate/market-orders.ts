import { csvOf, dollars, type Order, ordersTo, taxOf } from './orders.ts';
import type { PlaceName } from './places.ts';

const COLUMNS = [
  'provider',
  'order_id',
  'transaction_type',
  'transaction_reference_id',
  'completed_at',
  'customer_name',
  'shiptostreet',
  'shiptocity',
  'shiptostate',
  'shiptozip',
  'shiptocountrycode',
  'from_street',
  'from_city',
  'from_state',
  'from_zip',
  'from_country',
  'shipping_amount',
  'handling_amount',
  'discount_amount',
  'total_sale',
  'sales_tax',
  'exemption_type',
];

/** Nine orders to one place whose rate nobody states, among others. */
const PLACES_OF_MARKET: readonly PlaceName[] = [
  ...(['grandJunction', 'seattle', 'grandJunction', 'grandJunction', 'denver', 'grandJunction'] as const),
  ...([
    'grandJunction',
    'newYork',
    'grandJunction',
    'grandJunction',
    'grandJunction',
    'grandJunction',
  ] as const),
];

/** The orders of the mail-order desk in TaxJar’s template: one amount of tax each, rounded once. */
export const marketOrders = (): string => csvOf(COLUMNS, ordersTo(PLACES_OF_MARKET, 701).map(rowOf));

const rowOf = ({ number, day, place, goods, taxes }: Order): Readonly<Record<string, string>> => ({
  provider: 'desk',
  order_id: `M-${number}`,
  transaction_type: 'Order',
  completed_at: `2026-10-${String(day).padStart(2, '0')}`,
  customer_name: 'Ben Example',
  shiptostreet: place.street,
  shiptocity: place.city,
  shiptostate: place.state,
  shiptozip: place.zip,
  shiptocountrycode: 'US',
  shipping_amount: '0.00',
  handling_amount: '0.00',
  discount_amount: '0.00',
  total_sale: dollars(goods),
  sales_tax: dollars(
    taxOf(
      goods,
      taxes.reduce((total, { tax: [, rate] }) => total + rate, 0),
    ),
  ),
});
