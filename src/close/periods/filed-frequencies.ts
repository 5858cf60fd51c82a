import { type FilingPeriod, monthsOf } from '../../kernel/period.ts';
import type { Configuration } from '../configuration/schema.ts';
import type { Remittance } from '../figures/remittance.ts';
import type { Wanted } from '../filing/law/filing-law.ts';
import { FREQUENCIES, type Frequency, isSameName } from '../filing/registration.ts';
import { shorterPeriods } from '../filing/return/longer-return.ts';
import { loadFilingLaw } from '../filing-law/load-filing-law.ts';
import { allLocks } from '../workspace/locks.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { closingOf } from './closing.ts';
import { ofState } from './shorter-returns.ts';

type Registration = Configuration['registrations'][number];

/** Returns registrations as they count for a period. */
type CountedRegistrations = (
  registrations: readonly Registration[],
  period: FilingPeriod,
) => Promise<readonly Registration[]>;

type Days = Pick<FilingPeriod, 'first' | 'last'>;

/** A return of a locked closing, and how often it was filed. */
type FiledReturn = Wanted & { readonly frequency: Remittance['frequency'] | undefined };

/**
 * Return what gives registrations the frequencies that count for a period. The configuration says how often a return is
 * filed today, and a day is filed once: a locked day keeps the frequency with which it was closed. A longer one begins
 * with the first of its periods of which no part was filed by itself, a shorter one after the last period of which a part
 * was locked. Each closing is read once.
 */
export const filedFrequencies = async (workspace: Workspace): Promise<CountedRegistrations> => {
  const locks = (await allLocks(workspace)).filter(({ state }) => state === 'locked');
  const read = new Map<string, readonly FiledReturn[]>();
  const returnsIn = async (label: string): Promise<readonly FiledReturn[]> => {
    const known = read.get(label);
    if (known) return known;
    const returns = (await closingOf(workspace, label))?.report.remittances ?? [];
    const filed = returns.map(({ state, kind, name, frequency }) => ({ state, kind, name, frequency }));
    read.set(label, filed);
    return filed;
  };

  /** Returns the locks with days of a span that have such a return, and how often it was filed. */
  const filedIn = async (span: Days, wanted: Wanted) => {
    const filed: { readonly lock: Days; readonly frequency: Frequency }[] = [];
    for (const lock of locks.filter((each) => overlap(each, span))) {
      const frequency = (await returnsIn(lock.label)).find((each) => isOf(each, wanted))?.frequency;
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

  const counted = async (registration: Registration, period: FilingPeriod): Promise<Registration> => {
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

  return async (registrations, period) => {
    const all: Registration[] = [];
    for (const registration of registrations) all.push(await counted(registration, period));
    return all;
  };
};

/** Returns the registrations as they count for one period. */
export const countedRegistrations: (
  workspace: Workspace,
  ...of: Parameters<CountedRegistrations>
) => ReturnType<CountedRegistrations> = async (workspace, ...of) =>
  (await filedFrequencies(workspace))(...of);

/** Returns the days of the filing periods that a period is in. */
const spanOf = (wanted: Wanted, frequency: Frequency, period: FilingPeriod): Days => {
  const periods = shorterPeriods(loadFilingLaw(), wanted, frequency, period);
  return { first: periods[0]?.first ?? period.first, last: periods.at(-1)?.last ?? period.last };
};

const overlap = (one: Days, other: Days): boolean => one.first <= other.last && other.first <= one.last;

const isOf = ({ state, kind, name }: FiledReturn, wanted: Wanted): boolean =>
  state === wanted.state && kind === wanted.kind && isSameName(name, wanted.name);

const isShorter = (one: Frequency, other: Frequency): boolean =>
  FREQUENCIES.indexOf(one) < FREQUENCIES.indexOf(other);
