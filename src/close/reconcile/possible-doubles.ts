import { addDays } from '../../kernel/calendar.ts';
import { add, type Money, sum, ZERO } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { shownNumber } from '../../kernel/text.ts';
import { postingOf, type Sale } from '../sales/sale.ts';
import { channelRecord } from './expected-totals.ts';
import { type Finding, finding } from './finding.ts';

/** Two orders with one number on one day: of two channels, or of one where the second has lost leading zeros. */
type Namesakes = readonly [one: Sale, other: Sale];

/**
 * Reports channels that may have the same orders: a shop and a service that it passes its orders on to. A number says
 * little alone, since tills count from one every day. If most orders of one number and day have the same total, too, they
 * are hardly others; if as many have as have not, a person says so.
 */
const doubleGatherer = () => {
  const pairs = new Map<string, Pair>();
  return {
    add: (namesakes: Namesakes): void => {
      const [one, other] = namesakes;
      const name = one.channel === other.channel ? one.channel : `${one.channel} and ${other.channel}`;
      const known = pairs.get(name) ?? {
        first: undefined,
        equal: 0,
        different: 0,
        tax: ZERO,
        states: new Set(),
      };
      const isEqual = haveOneTotal(one, other);
      pairs.set(name, {
        first: known.first ?? (isEqual ? namesakes : undefined),
        equal: known.equal + Number(isEqual),
        different: known.different + Number(!isEqual),
        tax: isEqual ? add(known.tax, other.salesTax) : known.tax,
        states: isEqual ? known.states.add(other.shipTo.state) : known.states,
      });
    },
    findings: (period: FilingPeriod): readonly Finding[] =>
      [...pairs].flatMap(([name, pair]) => findingsOf(name, pair, period)),
  };
};

type Pair = {
  readonly first: Namesakes | undefined;
  readonly equal: number;
  readonly different: number;
  /** The tax of the orders of the second channel that the first has as well. */
  readonly tax: Money;
  /** Where these orders went. */
  readonly states: Set<string>;
};

const totalOf = ({ amount, salesTax, marketplaceTax }: Sale): Money =>
  sum([amount, salesTax, marketplaceTax]);

/** Some exports have the tax in the amount of an order. */
const haveOneTotal = (one: Sale, other: Sale): boolean =>
  totalOf(one) === totalOf(other) ||
  (one.salesTax === other.salesTax && (one.amount === totalOf(other) || other.amount === totalOf(one)));

const findingsOf = (
  name: string,
  { first, equal, different, tax, states }: Pair,
  period: FilingPeriod,
): readonly Finding[] => {
  if (!first || equal < different) return [];
  const [one, other] = first;
  const [have, those] = equal === 1 ? ['has', 'an order'] : ['have', 'orders'];
  const orders = `${shownNumber(equal, 'order')} of "${other.channel}" ${have}`;
  const what =
    one.channel === other.channel
      ? `${orders} the day, total and number, without its leading zeros, of ${those} in another file, such as`
      : `${orders} the same number, day and total as ${those} of "${one.channel}", such as`;
  return [doubleFinding({ name, first, what, tax, states }, period)];
};

/** The finding for two channels that have the same orders. */
const doubleFinding = (
  { name, first: [one, other], what, tax, states }: Double,
  period: FilingPeriod,
): Finding => {
  const placeOf = ({ origin }: Sale): string => `${origin.file}:${origin.line}`;
  const message = `${what} ${one.id} (${placeOf(one)} and ${placeOf(other)}): what both have counts twice`;
  return finding('possible-double', message, {
    origin: { file: other.origin.file, line: other.origin.line, record: channelRecord(name, period) },
    state: states.size === 1 ? ([...states][0] ?? '') : '',
    effect: tax,
    // More orders than a person has accepted are asked about again.
    tax,
  });
};

type Double = Pick<Pair, 'tax'> & {
  readonly name: string;
  readonly first: Namesakes;
  readonly what: string;
  readonly states: ReadonlySet<string>;
};

/** Orders to look into. What comes after so many is not needed to see what two channels have in common. */
const ORDERS_MAX = 10_000;

/**
 * Collects orders that may be the same under other numbers, as orders are added day by day. A service that makes its own
 * numbers has the amount and tax of each order, and its clock may put it on the day before or after.
 */
const alikeOrders = () => {
  const counts = new Map<string, number>();
  /** Orders of several channels, of one day or of two in a row, with the same amount and tax. */
  const groups: (readonly Sale[])[] = [];
  let collected = 0;
  let day: Sale['businessDate'] | undefined;
  let [before, today] = [new Map<string, Sale[]>(), new Map<string, Sale[]>()];
  const endDay = (next?: Sale['businessDate']): void => {
    const left = new Map<string, Sale[]>();
    for (const [amounts, orders] of today) {
      const all = [...(before.get(amounts) ?? []), ...orders];
      if (new Set(all.map(({ channel }) => channel)).size < 2) left.set(amounts, orders);
      else if (all.length <= ORDERS_MAX) {
        groups.push(all);
        collected += all.length;
      }
    }
    before = day !== undefined && next === addDays(day, 1) ? left : new Map();
    [day, today] = [next, new Map()];
  };
  return {
    see: (order: Sale): void => {
      if (collected >= ORDERS_MAX || order.amount === ZERO) return;
      if (order.businessDate !== day) endDay(order.businessDate);
      counts.set(order.channel, (counts.get(order.channel) ?? 0) + 1);
      const amounts = `${order.amount} ${order.salesTax}`;
      const known = today.get(amounts);
      if (known) known.push(order);
      else today.set(amounts, [order]);
    },
    found: () => {
      endDay();
      return { groups, counts };
    },
  };
};

/**
 * Returns pairs of orders of a group that went to one address: the same ZIP code, and the same house where both have the
 * street. One pair for two channels and a ZIP code.
 */
const sameBuyers = (group: readonly Sale[]): readonly Namesakes[] => {
  const posted = group.filter((sale) => postingOf(sale) === 'posted' && sale.shipTo.zip !== '');
  return [...Map.groupBy(posted, ({ shipTo }) => shipTo.zip.slice(0, 5)).values()].flatMap((sales) => {
    const pairs = new Map<string, Namesakes>();
    for (const one of sales)
      for (const other of sales)
        if (one.channel < other.channel && isSameHouse(one, other))
          pairs.set(`${one.channel}/${other.channel}`, [one, other]);
    return [...pairs.values()];
  });
};

const isSameHouse = (one: Sale, other: Sale): boolean => {
  const [left, right] = [one, other].map(({ shipTo }) => /^\s*\d+/.exec(shipTo.street)?.[0].trim());
  return left === undefined || right === undefined || left === right;
};

/** Places without which equal orders can be those of a counter, or chance. */
const PLACES_MIN = 3;

/**
 * Reports channels of which one has most of its orders in the other, too, under other numbers. Two buyers of one thing
 * pay the same on one day, but hardly at one place, and hardly most buyers of a channel. Orders to one ZIP code on one day
 * count once, because all sales of two tills have the place of the shop.
 */
const alikeFindings = (
  pairs: readonly Namesakes[],
  counts: ReadonlyMap<string, number>,
  period: FilingPeriod,
): readonly Finding[] =>
  [...Map.groupBy(pairs, ([one, other]) => `${one.channel} and ${other.channel}`)].flatMap(([name, all]) => {
    const [first] = all;
    if (!first) return [];
    const places = new Set(
      all.map(([, { businessDate, shipTo }]) => `${businessDate} ${shipTo.zip.slice(0, 5)}`),
    );
    const zips = new Set(all.map(([{ shipTo }]) => shipTo.zip.slice(0, 5)));
    const orders = Math.min(...first.map(({ channel }) => counts.get(channel) ?? 0));
    if (zips.size < PLACES_MIN || places.size * 2 < orders) return [];
    const [one, other] = first;
    const what = `${shownNumber(all.length, 'order')} of "${other.channel}" have the amount, tax, day and destination of orders of "${one.channel}" under other numbers, such as`;
    const tax = all.reduce<Money>((total, [, { salesTax }]) => add(total, salesTax), ZERO);
    return [
      doubleFinding(
        { name, first, what, tax, states: new Set(all.map(([, { shipTo }]) => shipTo.state)) },
        period,
      ),
    ];
  });

/** A file that was read, by what makes copies of it. */
type ReadFile = { readonly channel: string; readonly path: string; readonly sha256: string };

/**
 * Looks for channels whose orders of the period may be the same, as they are seen day by day: orders of two channels with
 * one number, or in one channel with a number that may have lost leading zeros; and orders of two channels with the same
 * amounts and buyers. Copies of one file are left out, since they have a finding of their own.
 */
export const doublesByDay = (inputs: readonly ReadFile[], channels: readonly string[]) => {
  const doubles = doubleGatherer();
  const alike = alikeOrders();
  const contents = new Map(inputs.map(({ channel, path, sha256 }) => [`${channel}/${path}`, sha256]));
  const contentOf = ({ channel, origin }: Sale): string | undefined =>
    contents.get(`${channel}/${origin.file}`);
  const isOfOneContent = (one: Sale, other: Sale): boolean =>
    contentOf(one) !== undefined && contentOf(one) === contentOf(other);
  const seeNamesakes = (orders: readonly Sale[]): void => {
    const posted = orders.filter((order) => postingOf(order) === 'posted');
    for (const namesakes of Map.groupBy(posted, ({ id }) => id).values())
      for (const [index, one] of namesakes.entries())
        for (const other of namesakes.slice(index + 1))
          if (!isOfOneContent(one, other)) doubles.add([one, other]);
  };
  return {
    /** @param sales all sales of a day, in the order of their keys */
    see: (sales: readonly Sale[]): void => {
      const orders = sales.filter(({ kind }) => kind === 'order');
      seeLostZeros(orders, doubles.add);
      if (channels.length < 2) return;
      seeNamesakes(orders);
      orders.forEach(alike.see);
    },
    /** @param orders late ones of one day, and locked ones of their numbers in other channels, in the order of their keys */
    seeLate: seeNamesakes,
    findings: (period: FilingPeriod): readonly Finding[] => {
      const sameNumbers = doubles.findings(period);
      if (channels.length < 2) return sameNumbers;
      const { groups, counts } = alike.found();
      const buyers = groups.flatMap(sameBuyers).filter(([one, other]) => !isOfOneContent(one, other));
      const sameOrders = alikeFindings(buyers, counts, period);
      const asked = new Set(sameNumbers.map(({ origin }) => origin.record));
      return [...sameNumbers, ...sameOrders.filter(({ origin }) => !asked.has(origin.record))];
    },
  };
};

/** A spreadsheet removes leading zeros when it saves an export: the copy is of another file and of the same day. */
const seeLostZeros = (orders: readonly Sale[], add: (pair: readonly [Sale, Sale]) => void): void => {
  const led = orders.filter(({ id }) => /^0\d+$/.test(id));
  if (led.length === 0) return;
  const known = new Map(orders.map((order) => [`${order.channel}/${order.id}`, order]));
  for (const one of led) {
    const other = known.get(`${one.channel}/${one.id.replace(/^0+(?=\d+$)/, '')}`);
    if (other && other !== one && one.origin.file !== other.origin.file && postingOf(other) === 'posted')
      add([one, other]);
  }
};
