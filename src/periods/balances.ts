import { frequencyOn } from '../configuration/fields.ts';
import type { Configuration } from '../configuration/schema.ts';
import { ofState } from '../filing/load-filing-law.ts';
import type { Completion, FilingRegistration } from '../filing/registration.ts';
import { canBeRequired, completedIn, dueDatesOver, shorterPeriods } from '../filing/return-of.ts';
import { type Finding, finding } from '../judge/finding.ts';
import { calendarDate } from '../kernel/calendar.ts';
import { add, type Money, parseMoney, sum, ZERO } from '../kernel/money.ts';
import { amendedPeriod, type FilingPeriod, monthsOf, parsePeriod, versionBefore } from '../kernel/period.ts';
import { compareText } from '../kernel/text.ts';

export type Registration = Configuration['registrations'][number];

/** The accounts of a return that one period leaves to the next. */
export const ACCOUNTS = ['prepayments', 'credits'] as const;
export type Account = (typeof ACCOUNTS)[number];

/** What the returns of a state take over from other periods. */
export type Taken = Pick<FilingRegistration, 'prepayments' | 'credits'>;

/** Returns what the state's own return of a period completes; `undefined` if it completes nothing. */
export const completingIn = (
  { state, since, frequency }: Pick<Registration, 'state' | 'since' | 'frequency'>,
  period: FilingPeriod,
) => {
  const own = ofState(state, frequencyOn(frequency, period.last));
  const longer = completedIn(own, period);
  if (!longer) return undefined;
  const all = shorterPeriods(own, period).filter(({ last }) => since <= last);
  return {
    longer,
    /** The shorter periods for which a return can be required, oldest first. */
    shorter: all.filter(({ last }) => canBeRequired(own, last)),
    /** The last shorter period, which leaves its prepayments and credits to the return. */
    last: all.at(-1),
  };
};

/**
 * Returns what the configuration states of an account for the return of a period. An amended version has what is stated
 * for the period that it amends.
 */
export const statedBalance = (
  registration: Registration,
  account: Account,
  { label }: Pick<FilingPeriod, 'label'>,
) => {
  const row = registration[account].find(({ period }) => period === amendedPeriod(label));
  return {
    /** Whether it states anything. */
    isStated: row !== undefined,
    /** `undefined` when it is what the period before left. */
    opening: row?.opening === undefined ? undefined : amountOf(row.opening),
    added: amountOf(row?.added),
  };
};

/** Whether a period is this one or a part of it, such as a month of a quarter. */
const isPartOf = (period: FilingPeriod | undefined, { first, last }: FilingPeriod): boolean =>
  period !== undefined && period.first >= first && period.last <= last;

const amountOf = (text: string | undefined): Money => parseMoney(text ?? '0') ?? ZERO;

/**
 * Returns the periods that may leave accounts to a period, of which the first that was closed does: those of the returns
 * that end with the period before, the longest first, or that period itself.
 */
export const leaversTo = (registration: Registration, period: FilingPeriod): readonly string[] => {
  const completing = completingIn(registration, period);
  if (completing) return [completing.last?.label ?? []].flat();
  const before = versionBefore(period);
  if (!before) return [];
  const { last } = before;
  const ended = returnsOver(registration, { ...before, first: last })
    .filter((each) => each.last === last)
    .sort((one, other) => compareText(one.first, other.first));
  return [...new Set([...ended.map((each) => each.label), before.label])];
};

const STATED = ['prepayments', 'credits', 'purchases'] as const;

/**
 * Returns an exception for each amount that a registration states for days of the closed period, and that counts in no
 * return: balances belong to the period of a return, purchases to a part of one.
 */
export const misplacedAmounts = (
  registrations: readonly Registration[],
  closed: FilingPeriod,
): readonly Finding[] =>
  registrations
    .filter(({ since }) => since <= closed.last)
    .flatMap((registration) => {
      const { state } = registration;
      const returns = returnsOver(registration, closed);
      return STATED.flatMap((account) =>
        registration[account]
          .flatMap(({ period }) => parsePeriod(period) ?? [])
          .filter((stated) => stated.first <= closed.last && closed.first <= stated.last)
          .filter(
            (stated) =>
              !returns.some((filed) =>
                account === 'purchases' ? isPartOf(stated, filed) : stated.label === filed.label,
              ),
          )
          .map(({ label }) =>
            finding(
              'amount-without-return',
              `the ${account} that the registration of ${state} states for ${label} are on none of its returns, which are those of ${[...new Set(returns.map((each) => each.label))].join(' and ')}`,
              { record: `${state} ${account} ${label}`, state },
            ),
          ),
      );
    });

/**
 * Returns an exception for each registration whose frequency changes within a return: a month of it would be on two
 * returns, or on none.
 */
export const changedWithin = (
  registrations: readonly Registration[],
  closed: FilingPeriod,
): readonly Finding[] =>
  registrations.flatMap(({ state, frequency }) =>
    (typeof frequency === 'string' ? [] : frequency).flatMap(({ from, value }, index, rows) => {
      const day = calendarDate(from);
      const returns = [rows[index - 1]?.value ?? value, value].flatMap((own) =>
        shorterPeriods(ofState(state, own), { first: day, last: day }),
      );
      const within = returns.find(({ first }) => first < day);
      if (index === 0 || !within || closed.last < within.first || within.last < closed.first) return [];
      const message = `the frequency of ${state} changes on ${from}, within its return for ${within.label}`;
      return [finding('frequency-within-return', message, { record: `${state} frequency ${from}`, state })];
    }),
  );

/** The periods of the returns over a closed period, and of the longer returns that complete them. */
const returnsOver = ({ state, frequency }: Registration, closed: FilingPeriod): readonly FilingPeriod[] =>
  monthsOf(closed)
    .flatMap((month) => dueDatesOver(ofState(state, frequencyOn(frequency, month.last)), month))
    .map(({ period }) => period);

/** The returns of a period that complete returns of shorter ones, by state. */
export type Completions = ReadonlyMap<string, Completion>;

/** Returns the registrations with what their returns complete; what was settled before is among the prepayments. */
export const withCompletions = (
  registrations: readonly FilingRegistration[],
  completions: Completions,
): readonly FilingRegistration[] =>
  registrations.map((registration) => {
    const completes = completions.get(registration.state);
    if (!completes) return registration;
    const own = registration.prepayments ?? { opening: ZERO, added: ZERO };
    const settled = sum(completes.returns.map((each) => each.settled));
    return { ...registration, completes, prepayments: { ...own, added: add(own.added, settled) } };
  });

/**
 * Returns the registrations with a return for a period: those that began by its end. Each has the amounts paid in
 * advance for the period; an amended version has those of the period that it amends. If the configuration does not state
 * the opening amount, it is what it takes over from an earlier period.
 */
export const filingRegistrations = (
  registrations: readonly Registration[],
  period: FilingPeriod,
  takenOver: ReadonlyMap<string, Taken>,
): readonly FilingRegistration[] =>
  registrations
    .filter(({ since }) => since <= period.last)
    .toSorted((left, right) => compareText(left.state, right.state))
    .map(({ state, since, account = '', frequency, purchases, ...registration }) => ({
      state,
      account,
      since: calendarDate(since),
      frequency: frequencyOn(frequency, period.last),
      basis: registration.basis,
      localTax: registration.localTax,
      localReturns: registration.localReturns,
      deliveryFee: registration.deliveryFee,
      locationCodes: registration.locationCodes,
      purchases: sum(
        purchases
          .filter((row) => isPartOf(parsePeriod(row.period), period))
          .map((row) => amountOf(row.amount)),
      ),
      ...takenOver.get(state),
    }));
