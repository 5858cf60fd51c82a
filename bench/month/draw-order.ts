import { addressAt, buyerOf } from '../../samples/harbor-and-pine/generator/buyer.ts';
import { type Cart, cartOf } from '../../samples/harbor-and-pine/generator/cart.ts';
import { PLACES, type Place } from '../../samples/harbor-and-pine/generator/places.ts';
import { type Random, randomOf } from '../../samples/harbor-and-pine/generator/random.ts';
import type { Address } from '../../samples/harbor-and-pine/generator/sample-order.ts';
import { rulesOf } from '../../samples/harbor-and-pine/generator/state-rules.ts';
import { addHours, type Instant, storeTime } from '../../samples/harbor-and-pine/generator/store-time.ts';
import { addDays, calendarDate } from '../../src/kernel/calendar.ts';
import type { FilingPeriod } from '../../src/kernel/period.ts';

/** What a shop gets wrong: one thing at a time, each with a reason code of its own. */
export type Mistake =
  | 'nothing charged'
  | 'freight taxed'
  | 'state rate only'
  | 'category ignored'
  | 'lines rounded'
  | 'charged without nexus';

/** One order of the month before its tax is known. Amounts are whole cents. */
export type MonthOrder = Cart & {
  readonly number: number;
  readonly at: Instant;
  readonly place: Place;
  readonly email: string;
  readonly address: Address;
  readonly shippingCents: number;
  readonly mistake: Mistake | undefined;
  /** When all of it was given back. */
  readonly refundedAt: Instant | undefined;
  readonly note: string;
};

/** A month of a seller, and how many orders came before it. */
export type DrawnMonth = Pick<FilingPeriod, 'first' | 'last'> & {
  readonly ordersBefore: number;
  /** How many orders in states with nexus have a mistake, of a thousand; 32 unless stated. */
  readonly mistakesInThousand?: number;
};

export const OCTOBER: DrawnMonth = {
  first: calendarDate('2026-10-01'),
  last: calendarDate('2026-10-31'),
  ordersBefore: 0,
};

const FIRST_NUMBER = 10_000;

/** How many of a hundred orders go to each state. */
const SHARES =
  'CA 27, NY 11, TX 10, WA 8, FL 8, MA 6, NJ 6, PA 6, GA 4, IL 3, CO 2, OR 3, NC 1, VA 1, AZ 1, OH 1, NV 1, MI 1';
const STATES = SHARES.split(', ').flatMap((share) => {
  const [state = '', percent] = share.split(' ');
  return Array.from({ length: Number(percent) }, () => state);
});
const PLACES_OF = new Map(STATES.map((state) => [state, PLACES.filter((place) => place.state === state)]));

/** What orders in states with nexus have; most of these come out wrong. */
const MISTAKES = [
  'nothing charged',
  'freight taxed',
  'freight taxed',
  'state rate only',
  'category ignored',
  'category ignored',
  'lines rounded',
  'lines rounded',
] as const;
const CHARGED_WITHOUT_NEXUS_PERCENT = 5;
const REFUNDED_PERCENT = 3;

const NOTES = ['Leave it\nat the "back" door, please', 'Gift, no prices; "thank you" card', 'Ring twice'];

/** The order of an index among so many of a month. The same three give the same order, whatever was drawn before. */
export const drawOrder = (
  index: number,
  orders: number,
  { first, last, ordersBefore, mistakesInThousand = 32 }: DrawnMonth = OCTOBER,
): MonthOrder => {
  const random = randomOf((ordersBefore + index) * 7_919 + 17);
  const number = FIRST_NUMBER + ordersBefore + index;
  // A few hours on each side of the month, as an export by UTC days has them.
  const from = storeTime(`${addDays(first, -1)} 18:00:00`);
  const to = storeTime(`${addDays(last, 1)} 06:00:00`);
  const at = from + Math.floor(((to - from) / 1_000) * ((index + 0.5) / orders)) * 1_000;
  const place = random.pick(PLACES_OF.get(random.pick(STATES)) ?? PLACES);
  const { name, email } = buyerOf(random, number);
  const cart = cartOf(random, {}, place.state, place.city);
  return {
    number,
    at,
    place,
    email,
    address: addressAt(random, place, name),
    ...cart,
    shippingCents: random.pick([0, 795, 795, 995, 995, 1_850]),
    mistake: mistakeIn(random, place, cart, mistakesInThousand),
    refundedAt: random.chance(REFUNDED_PERCENT) ? addHours(at, random.int(20, 400)) : undefined,
    note: random.chance(10) ? random.pick(NOTES) : '',
  };
};

/** Only mistakes that leave a trace of themselves: a cart may have more than one story to its tax. */
const mistakeIn = (random: Random, { state }: Place, cart: Cart, inThousand: number): Mistake | undefined => {
  if (!rulesOf(state).registered)
    return random.chance(CHARGED_WITHOUT_NEXUS_PERCENT) ? 'charged without nexus' : undefined;
  if (random.int(1, 1_000) > inThousand) return undefined;
  const isPlain = cart.lines.every(({ product }) => product.kind === 'general');
  const mistake = random.pick(MISTAKES);
  const isBlurred =
    (mistake === 'freight taxed' && !isPlain) || (mistake === 'lines rounded' && cart.orderDiscountCents > 0);
  return isBlurred ? 'nothing charged' : mistake;
};
