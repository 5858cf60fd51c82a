import { add, type Money, sum, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownNumber } from '../kernel/text.ts';
import { postingOf, type Sale } from '../sales/sale.ts';
import { channelRecord } from './expected-totals.ts';
import { type Finding, finding } from './finding.ts';
import { fileDigests } from './input-findings.ts';

/** What is compared of a posted order, with the first five digits of its ZIP code: no more, since those of a day are kept. */
export type OrderOfDay = Pick<
  Sale,
  'channel' | 'id' | 'amount' | 'salesTax' | 'marketplaceTax' | 'businessDate'
> &
  Pick<Sale['shipTo'], 'state' | 'zip'> & { readonly origin: Pick<Sale['origin'], 'file' | 'line'> };

/** Returns an order to be compared with the others of its day; nothing for another sale. */
export const orderOfDay = (sale: Sale): readonly OrderOfDay[] => {
  if (sale.kind !== 'order' || postingOf(sale) !== 'posted') return [];
  const { channel, id, amount, salesTax, marketplaceTax, businessDate, shipTo } = sale;
  const { state, zip } = shipTo;
  const origin = { file: sale.origin.file, line: sale.origin.line };
  const what = { channel, id, amount, salesTax, marketplaceTax, businessDate, state, origin };
  return [{ ...what, zip: zip.slice(0, 5) }];
};

/** Two orders that may be one: of two channels, or of one where the number of the second has lost leading zeros. */
type Pair = readonly [one: OrderOfDay, other: OrderOfDay];

/** What the pairs of two channels come to. */
type Tally = {
  /** The first equal pair; where none is, the first one. */
  pair: Pair;
  equal: number;
  /** Pairs of one number with other totals. */
  different: number;
  /** The tax of the orders of the second channel that the first has as well. */
  tax: Money;
  /** Where these orders went. */
  readonly states: Set<string>;
  /** The ZIP codes that they went to, each with its day. */
  readonly places: Set<string>;
};

/** Adds a pair to the tally of its channels. */
const count = (tallies: Map<string, Tally>, pair: Pair, isEqual: boolean): void => {
  const [one, other] = pair;
  const name = one.channel === other.channel ? one.channel : `${one.channel} and ${other.channel}`;
  const none = {
    pair,
    equal: 0,
    different: 0,
    tax: ZERO,
  };
  const tally = tallies.get(name) ?? { ...none, states: new Set(), places: new Set() };
  tallies.set(name, tally);
  if (!isEqual) {
    tally.different += 1;
    return;
  }
  if (tally.equal === 0) tally.pair = pair;
  tally.equal += 1;
  tally.tax = add(tally.tax, other.salesTax);
  tally.states.add(other.state);
  tally.places.add(`${other.zip} ${other.businessDate}`);
};

const totalOf = ({ amount, salesTax, marketplaceTax }: OrderOfDay): Money =>
  sum([amount, salesTax, marketplaceTax]);

/** Some exports have the tax in the amount of an order. */
const haveOneTotal = ([one, other]: Pair): boolean =>
  totalOf(one) === totalOf(other) ||
  (one.salesTax === other.salesTax && (one.amount === totalOf(other) || other.amount === totalOf(one)));

/** The number of an order as a spreadsheet saves it: without leading zeros. */
const numberOf = ({ id }: OrderOfDay): string => id.replace(/^0+(?=\d+$)/, '');

/**
 * Looks for channels that may have the same orders, a shop and a service that it passes its orders on to, as orders of the
 * period are seen day by day: with one number on one day, also in two files of one channel where the second has lost
 * leading zeros; and with the same amount, tax, ZIP code and day under other numbers. Copies of one file have a finding of
 * their own.
 *
 * @param inputs the files that were read
 */
export const doublesByDay = (inputs: Parameters<typeof fileDigests>[0]) => {
  const numbers = new Map<string, Tally>();
  const buyers = new Map<string, Tally>();
  const counts = new Map<string, number>();
  const contentOf = fileDigests(inputs);
  const isOfTwoFiles = ([one, other]: Pair): boolean =>
    contentOf(one) === '' || contentOf(one) !== contentOf(other);
  return {
    /** @param all all orders of a day, in the order of their keys */
    see: (all: readonly OrderOfDay[]): void => {
      for (const namesakes of Map.groupBy(all, numberOf).values())
        for (const pair of pairsOf(namesakes).filter(isOfTwoFiles)) count(numbers, pair, haveOneTotal(pair));
      const orders = all.filter((order) => order.amount !== ZERO && order.zip !== '');
      for (const { channel } of orders) counts.set(channel, (counts.get(channel) ?? 0) + 1);
      for (const equal of Map.groupBy(orders, buyerOf).values()) {
        const first = new Map([...equal].reverse().map((order) => [order.channel, order]));
        for (const pair of pairsOf([...first.values()].reverse()).filter(isOfTwoFiles))
          count(buyers, pair, true);
      }
    },
    findings: (period: FilingPeriod): readonly Finding[] => {
      const asked = [...numbers].filter(([, { equal, different }]) => equal >= different);
      const others = [...buyers].filter(
        ([name, tally]) => !asked.some(([known]) => known === name) && isMost(tally, counts),
      );
      return [...asked, ...others].flatMap(([name, tally]) => findingsOf(name, tally, period));
    },
  };
};

const buyerOf = (order: OrderOfDay): string => `${order.amount} ${order.salesTax} ${order.zip}`;

const pairsOf = (orders: readonly OrderOfDay[]): readonly Pair[] =>
  orders.flatMap((one, index) => orders.slice(index + 1).map((other): Pair => [one, other]));

/** Places without which equal orders can be those of a counter, or chance. */
const PLACES_MIN = 3;

/**
 * Whether one of two channels has most of its orders in the other, too. Two buyers of one thing pay the same on one day,
 * but hardly at one place, and hardly most buyers of a channel. Orders to one ZIP code on one day count once, because all
 * sales of two tills have the place of the shop.
 */
const isMost = ({ pair, places }: Tally, counts: ReadonlyMap<string, number>): boolean => {
  const zips = new Set([...places].map((place) => place.split(' ')[0]));
  const orders = Math.min(...pair.map(({ channel }) => counts.get(channel) ?? 0));
  return zips.size >= PLACES_MIN && places.size * 2 >= orders;
};

/** The finding for two channels, or files of one, that have the same orders. */
const findingsOf = (
  name: string,
  { pair, equal, tax, states }: Tally,
  period: FilingPeriod,
): readonly Finding[] => {
  const [one, other] = pair;
  const orders = `${shownNumber(equal, 'order')} of "${other.channel}" ${equal === 1 ? 'has' : 'have'}`;
  const placeOf = ({ origin }: OrderOfDay): string => `${origin.file}:${origin.line}`;
  const message = `${orders} ${commonOf(pair)}, such as ${one.id} (${placeOf(one)} and ${placeOf(other)}): what both have counts twice`;
  const about = {
    origin: { ...other.origin, record: channelRecord(name, period) },
    state: states.size === 1 ? ([...states][0] ?? '') : '',
    effect: tax,
    // More orders than a person has accepted are asked about again.
    tax,
  };
  return [finding('possible-double', message, about)];
};

const commonOf = ([one, other]: Pair): string => {
  if (one.channel === other.channel)
    return 'the day, total and number, without its leading zeros, of orders in another file';
  return numberOf(one) === numberOf(other)
    ? `the same number, day and total as orders of "${one.channel}"`
    : `the amount, tax, day and destination of orders of "${one.channel}" under other numbers`;
};
