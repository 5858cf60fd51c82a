import { add, type Money, sum, ZERO } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { shownNumber } from '../../kernel/shown-figures.ts';
import type { Sale } from '../sales/sale.ts';
import type { DraftException } from './exceptions.ts';
import { channelRecord } from './expected-totals.ts';

/** Two orders with one number on one day: of two channels, or of one where the second has lost leading zeros. */
export type Namesakes = readonly [one: Sale, other: Sale];

/** Compares orders of one number and day, channel by channel, as they are added. */
export type DoubleGatherer = {
  readonly add: (namesakes: Namesakes) => void;
  readonly exceptions: (period: FilingPeriod) => readonly DraftException[];
};

/**
 * Reports channels that may have the same orders: a shop and a service that it passes its orders on to. A number says
 * little alone, since tills count from one every day. If most orders of one number and day have the same total, too, they
 * are hardly others; if as many have as have not, a person says so.
 */
export const doubleGatherer = (): DoubleGatherer => {
  const pairs = new Map<string, Pair>();
  return {
    add: (namesakes) => {
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
    exceptions: (period) => [...pairs].flatMap(([name, pair]) => exceptionsOf(name, pair, period)),
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

const exceptionsOf = (
  name: string,
  { first, equal, different, tax, states }: Pair,
  period: FilingPeriod,
): readonly DraftException[] => {
  if (!first || equal < different) return [];
  const [one, other] = first;
  const [have, those] = equal === 1 ? ['has', 'an order'] : ['have', 'orders'];
  const orders = `${shownNumber(equal, 'order')} of "${other.channel}" ${have}`;
  const what =
    one.channel === other.channel
      ? `${orders} the day, total and number, without its leading zeros, of ${those} in another file, such as`
      : `${orders} the same number, day and total as ${those} of "${one.channel}", such as`;
  return [doubleException({ name, first, what, tax, states }, period)];
};

/** The exception for two channels that have the same orders. */
export const doubleException = (
  { name, first: [one, other], what, tax, states }: Double,
  period: FilingPeriod,
): DraftException => {
  const placeOf = ({ origin }: Sale): string => `${origin.file}:${origin.line}`;
  return {
    severity: 'error',
    code: 'possible-double',
    origin: { file: other.origin.file, line: other.origin.line, record: channelRecord(name, period) },
    message: `${what} ${one.id} (${placeOf(one)} and ${placeOf(other)}): what both have counts twice`,
    state: states.size === 1 ? ([...states][0] ?? '') : '',
    effect: tax,
    // More orders than a person has accepted are asked about again.
    tax,
  };
};

type Double = Pick<Pair, 'tax'> & {
  readonly name: string;
  readonly first: Namesakes;
  readonly what: string;
  readonly states: ReadonlySet<string>;
};
