import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { frequencyOn } from '../configuration/registration.ts';
import type { FilingFigures } from '../figures/filing-figures.ts';
import { coveredBy, remittanceRule } from '../figures/period-filing.ts';
import type { GivenBackBeyond } from '../figures/return-sums.ts';
import { dueDateRuleFor, ofState } from '../filing/filing-law.ts';
import { loadFilingLaw } from '../filing/load-filing-law.ts';
import { type Finding, finding } from '../judge/finding.ts';
import { type FoundOrder, orderKeyOf } from '../judge/refund-link.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import {
  absolute,
  add,
  atLeastZero,
  lesser,
  type Money,
  negate,
  subtract,
  sum,
  ZERO,
} from '../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../kernel/period.ts';
import { shownMoney } from '../kernel/text.ts';
import { nameOfKey } from '../sales/sale-name.ts';
import { statedBalance } from './balances.ts';

type Days = Pick<FilingPeriod, 'first' | 'last'>;
type Registration = LoadedConfiguration['registrations'][number];

/** The sales of the period, as far as they decide what its returns pay, and the orders of its refunds. */
export type TakenBack = {
  readonly beyond: readonly GivenBackBeyond[];
  readonly filing: FilingFigures;
  readonly refunded: ReadonlyMap<string, FoundOrder>;
  /** The days of the periods that were closed here: only there, returns of Tieout may have paid it. */
  readonly closed: readonly Days[];
};

/**
 * Returns a finding for each state in which refunds and corrections of sales before the period gave back more tax than was
 * due, or less, and its return does not take that off: it pays the greater of the tax charged and the tax due, and only one
 * of the two goes down. What earlier returns paid of it, a person finds out; a credit that is stated for it answers the
 * finding.
 */
export const taxGivenBack = (
  registrations: readonly Registration[],
  period: FilingPeriod,
  { beyond, ...around }: TakenBack,
): readonly Finding[] =>
  registrations.flatMap((registration) => {
    const { state } = registration;
    const own = beyond.filter((each) => each.state === state);
    if (own.length === 0 || !paysTheGreater(registration, period)) return [];
    const [{ expected, collected, gap } = NOTHING_SOLD] = around.filing.of(state, period, []);
    const notCharged = subtract(add(expected, gap.tax), collected);
    const isMore = notCharged > ZERO;
    const earlier = taxOfOrdersBefore(own, around, period);
    const given = sum(earlier.map((tax) => atLeastZero(isMore ? tax : negate(tax))));
    const amount = lesser(absolute(notCharged), given);
    if (amount <= statedBalance(registration, 'credits', period).added) return [];
    const message = `refunds and corrections of earlier sales gave back ${shownMoney(amount)} ${isMore ? 'more' : 'less'} than the tax due, and this return does not take it off: if an earlier return paid it, too much is paid`;
    return [finding('tax-given-back', message, { record: `${state} ${period.label}`, state })];
  });

const NOTHING_SOLD = { expected: ZERO, collected: ZERO, gap: { tax: ZERO } };

/** Whether the return is of exactly this period, and pays the greater of the tax charged and the tax due. */
const paysTheGreater = (registration: Registration, period: FilingPeriod): boolean => {
  const { state, since } = registration;
  const frequency = frequencyOn(registration.frequency, period.last);
  const { firstMonth } = dueDateRuleFor(loadFilingLaw(), ofState(state), frequency, period.last);
  return (
    since <= period.last &&
    remittanceRule(registration, period) === 'greater' &&
    coveredBy(period, { frequency, since }, firstMonth).coverage === 'whole'
  );
};

/** Returns what was given back of each order of a closed period before this one, beyond what was due; negative for less. */
const taxOfOrdersBefore = (
  own: readonly GivenBackBeyond[],
  { refunded, closed }: Pick<TakenBack, 'refunded' | 'closed'>,
  { first }: FilingPeriod,
): readonly Money[] =>
  [...Map.groupBy(own, orderOf(own))].flatMap(([key, rows]) => {
    const day = refunded.get(key)?.order?.businessDate ?? soldOn(rows);
    const isClosed = day !== undefined && day < first && closed.some((days) => isWithin(days, day));
    return isClosed ? sum(rows.map(({ tax }) => tax)) : [];
  });

/** Returns what tells the key of the order that a refund or a correction is about. The reversal of a refund names none. */
const orderOf = (beyond: readonly GivenBackBeyond[]) => {
  const recordOf = ({ key, correction }: GivenBackBeyond): string => correction?.corrects ?? key;
  const named = new Map(beyond.flatMap((each) => (each.order === '' ? [] : [[recordOf(each), each.order]])));
  return (each: GivenBackBeyond): string => {
    const record = recordOf(each);
    return nameOfKey(record).kind === 'order'
      ? record
      : orderKeyOf({ channel: each.channel, order: named.get(record) ?? '' });
  };
};

const soldOn = (own: readonly GivenBackBeyond[]): CalendarDate | undefined =>
  own.flatMap(({ correction }) => correction?.soldOn ?? [])[0];
