import { centsOf } from './amounts.ts';
import { addressAt, buyerOf, canadianAddress } from './buyer.ts';
import { type Cart, cartOf } from './cart.ts';
import { lineCents } from './charge.ts';
import { ODD_ORDERS } from './odd-orders.ts';
import type { OrderSpec } from './order-spec.ts';
import { PLACES, type Place, placeOf } from './places.ts';
import { PLANTED_ORDERS } from './planted-orders.ts';
import { type Random, randomOf } from './random.ts';
import { REFUND_PLANS } from './refund-plans.ts';
import type { Address, RefundPlan, SampleOrder } from './sample-order.ts';
import { rulesOf } from './state-rules.ts';
import { addHours, type Instant, storeTime } from './store-time.ts';
import { isShippingSettled } from './tax.ts';
import type { Slot } from './timeline.ts';

/** How many of a hundred orders go to each state. */
const SHARES: readonly (readonly [state: string, percent: number])[] = [
  ['CA', 27],
  ['NY', 11],
  ['TX', 10],
  ['WA', 8],
  ['FL', 8],
  ['MA', 6],
  ['NJ', 6],
  ['PA', 6],
  ['GA', 4],
  ['IL', 3],
  ['CO', 2],
  ['OR', 3],
  ['NC', 1],
  ['VA', 1],
  ['AZ', 1],
  ['OH', 1],
  ['NV', 1],
  ['MI', 1],
];
const STATES = SHARES.flatMap(([state, percent]) => Array.from({ length: percent }, () => state));

const FREE_SHIPPING_FROM = centsOf('150.00');
/** When the files were exported; what was not sent by then is unfulfilled. */
const EXPORTED_AT = storeTime('2026-11-09 08:00:00');

const placeFor = (random: Random, spec: OrderSpec): Place => {
  if (spec.channel === 'pos') return placeOf('Sacramento');
  if (spec.city !== undefined) return placeOf(spec.city);
  const state = random.pick(STATES);
  return random.pick(PLACES.filter((place) => place.state === state));
};

type Shipping = {
  readonly shippingMethod: string;
  readonly shippingCents: number;
  readonly freeCode: string;
};

const shippingFor = (random: Random, spec: OrderSpec, cart: Cart, place: Place): Shipping => {
  const chosen = random.pick(['7.95', '7.95', '9.95', '9.95', '18.50']);
  if (spec.channel === 'pos' || spec.channel === 'download') {
    return { shippingMethod: '', shippingCents: 0, freeCode: '' };
  }
  const goods = cart.lines.map((line) => ({
    kind: line.product.kind,
    cents: lineCents(line),
    quantity: line.quantity,
  }));
  const shippingCents = centsOf(spec.shipping ?? chosen);
  const goodsCents = goods.reduce((sum, { cents }) => sum + cents, 0) - cart.orderDiscountCents;
  if (spec.shipping === undefined && goodsCents >= FREE_SHIPPING_FROM) {
    return { shippingMethod: 'Free Standard Shipping', shippingCents: 0, freeCode: '' };
  }
  const settled = isShippingSettled({
    county: place.county,
    rates: place.rates,
    rules: rulesOf(place.state),
    goods,
    shippingCents,
  });
  if (!settled) return { shippingMethod: 'Standard Shipping', shippingCents: 0, freeCode: 'FREESHIP' };
  const shippingMethod = shippingCents > 1500 ? 'Expedited (2-3 days)' : 'Standard Shipping';
  return { shippingMethod, shippingCents, freeCode: '' };
};

type Delivery = Pick<SampleOrder, 'place' | 'shipTo' | 'billTo'>;

/** One order in twelve is billed elsewhere: the ship-to address decides the tax, and a reader must not confuse them. */
const deliveryFor = (random: Random, spec: OrderSpec, place: Place, name: string): Delivery => {
  if (spec.channel === 'canada') {
    const address = canadianAddress(random, name);
    return { place: undefined, shipTo: address, billTo: address };
  }
  const home = addressAt(random, place, name);
  const elsewhere = addressAt(random, random.pick(PLACES), name);
  const isGift = random.chance(8);
  if (spec.channel === 'pos') return { place, shipTo: undefined, billTo: undefined };
  if (spec.channel === 'download') return { place, shipTo: undefined, billTo: home };
  const shipTo: Address = { ...home, zip: spec.zip ?? home.zip };
  return { place, shipTo, billTo: isGift ? elsewhere : shipTo };
};

const statusFor = (spec: OrderSpec, refund: RefundPlan | undefined): string => {
  if (spec.status !== undefined) return spec.status;
  if (refund === undefined) return 'paid';
  return refund.kind === 'full' ? 'refunded' : 'partially_refunded';
};

const fulfilledAt = (random: Random, createdAt: Instant, spec: OrderSpec): Instant | undefined => {
  const sentAt = addHours(createdAt, random.int(14, 60));
  if (spec.channel === 'pos' || spec.channel === 'download') return createdAt;
  return spec.status !== undefined || spec.cancelled || sentAt > EXPORTED_AT || random.chance(2)
    ? undefined
    : sentAt;
};

/** The order of one slot: what its specification fixes, and chance, seeded by its number, for the rest. */
export const draftOrder = ({ number, createdAt }: Slot): SampleOrder => {
  const random = randomOf(number * 7919);
  const spec = PLANTED_ORDERS[number] ?? ODD_ORDERS[number] ?? {};
  const refund = REFUND_PLANS[number];
  const place = placeFor(random, spec);
  const buyer = buyerOf(random, number);
  const cart = cartOf(random, spec, place.state, place.city);
  const { freeCode, ...shipping } = shippingFor(random, spec, cart, place);
  return {
    number,
    createdAt,
    email: buyer.email,
    acceptsMarketing: random.chance(45),
    currency: spec.currency ?? 'USD',
    ...deliveryFor(random, spec, place, buyer.name),
    lines: cart.lines,
    discountCode: cart.discountCode || freeCode,
    orderDiscountCents: cart.orderDiscountCents,
    ...shipping,
    status: statusFor(spec, refund),
    payment:
      spec.payment ??
      (refund === undefined && random.chance(12) ? 'PayPal Express Checkout' : 'Shopify Payments'),
    channel: spec.channel === 'pos' || spec.channel === 'download' ? spec.channel : 'web',
    cancelledAt: spec.cancelled ? (refund?.at ?? addHours(createdAt, 5)) : undefined,
    fulfilledAt: fulfilledAt(random, createdAt, spec),
    note: spec.note ?? '',
    noteAttributes: spec.noteAttributes ?? '',
    tags: random.pick(['', '', '', 'newsletter', 'repeat', 'repeat, newsletter']),
    refund,
    mistake: spec.mistake,
    outcome: spec.outcome ?? { kind: 'accepted' },
    plant: spec.plant,
  };
};
