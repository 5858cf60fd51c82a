import { type FilingPeriod, monthsOf } from '../../kernel/period.ts';
import type { Configuration } from '../configuration/schema.ts';
import type { Wanted } from '../filing/law/filing-law.ts';
import { FREQUENCIES, type Frequency } from '../filing/registration.ts';
import { shorterPeriods } from '../filing/return/longer-return.ts';
import { loadFilingLaw } from '../filing-law/load-filing-law.ts';
import { type Days, type FiledReturns, isReturn, overlap } from './filed-returns.ts';
import { ofState } from './shorter-returns.ts';

type Registration = Configuration['registrations'][number];

/** Returns a registration with the frequencies that count for a period. */
type WithFrequencies = (registration: Registration, period: FilingPeriod) => Promise<Registration>;

/**
 * Return what gives registrations the frequencies that count for a period. The configuration says how often a return is
 * filed today, and a day is filed once: a locked day keeps the frequency with which it was closed. A longer one begins
 * with the first of its periods of which no part was filed by itself, a shorter one after the last period of which a part
 * was locked.
 */
export const filedFrequencies = (closings: FiledReturns): WithFrequencies => {
  /** Returns the locks with days of a span that have such a return, and how often it was filed. */
  const filedIn = async (span: Days, wanted: Wanted) => {
    const filed: { readonly lock: Days; readonly frequency: Frequency }[] = [];
    for (const { lock, returns } of await closings(span)) {
      const frequency = returns.find((each) => isReturn(each, wanted))?.frequency;
      if (frequency !== undefined) filed.push({ lock, frequency });
    }
    return filed;
  };

  /** Returns the longer frequency of a return that a period is a part of, if it has a locked part and none was filed. */
  const begunIn = async (
    wanted: Wanted,
    configured: Frequency,
    period: FilingPeriod,
  ): Promise<Frequency | undefined> => {
    for (const longer of FREQUENCIES.filter((each) => isShorter(configured, each))) {
      const [whole, ...others] = shorterPeriods(loadFilingLaw(), wanted, longer, period);
      if (!whole || others.length > 0) continue;
      const filed = await filedIn(whole, wanted);
      if (filed.length > 0 && filed.every(({ frequency }) => frequency === longer)) return longer;
    }
    return undefined;
  };

  const countedFor = async (wanted: Wanted, asked: Frequency, period: FilingPeriod): Promise<Frequency> => {
    const configured = (await begunIn(wanted, asked, period)) ?? asked;
    const within: Days[] = [];
    const filed = new Set<Frequency>();
    for (const { lock, frequency } of await filedIn(spanOf(wanted, configured, period), wanted)) {
      if (overlap(lock, period)) within.push(lock);
      if (overlap(lock, period) || isShorter(frequency, configured)) filed.add(frequency);
    }
    if (!monthsOf(period).every((month) => within.some((lock) => overlap(lock, month))))
      filed.add(configured);
    return FREQUENCIES.find((each) => filed.has(each)) ?? configured;
  };

  return async (registration, period) => {
    const { state } = registration;
    const frequency = await countedFor(ofState(state), registration.frequency, period);
    const localReturns: Registration['localReturns'] = [];
    for (const own of registration.localReturns) {
      const wanted = { state, kind: 'place', name: own.place } as const;
      const configured = own.frequency ?? frequency;
      const filed = await countedFor(wanted, configured, period);
      localReturns.push(filed === configured ? own : { ...own, frequency: filed });
    }
    return { ...registration, frequency, localReturns };
  };
};

/** Returns the days of the filing periods that a period is in. */
const spanOf = (wanted: Wanted, frequency: Frequency, period: FilingPeriod): Days => {
  const periods = shorterPeriods(loadFilingLaw(), wanted, frequency, period);
  return { first: periods[0]?.first ?? period.first, last: periods.at(-1)?.last ?? period.last };
};

const isShorter = (one: Frequency, other: Frequency): boolean =>
  FREQUENCIES.indexOf(one) < FREQUENCIES.indexOf(other);
