import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Configuration } from '../configuration/schema.ts';
import type { ClosedReport } from '../figures/period-report.ts';
import type { Remittance } from '../figures/remittance.ts';
import type { Wanted } from '../filing/law/filing-law.ts';
import { isSameName } from '../filing/registration.ts';
import { allLocks, holdsReturns, type Lock } from '../workspace/locks.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { closingOf } from './closing.ts';

type Registration = Configuration['registrations'][number];

/** The first and the last day of something. */
export type Days = { readonly first: CalendarDate; readonly last: CalendarDate };

/** A return of a locked closing, and how often it was filed. */
type FiledReturn = Wanted & Pick<Remittance, 'frequency'>;

/** The returns of a locked closing, and the registrations of its states as they counted for it. */
export type FiledClosing = {
  readonly lock: Lock;
  /** Whether it holds the returns of a longer period alone: see `holdsReturns`. */
  readonly isOfReturns: boolean;
  readonly returns: readonly FiledReturn[];
  readonly registrations: readonly Registration[];
};

/** Returns the locked closings that have days of a span, oldest first, each before its amended versions. */
export type FiledReturns = (span: Days) => Promise<readonly FiledClosing[]>;

/** Return what finds them. Each closing is read once. */
export const filedReturns = async (workspace: Workspace): Promise<FiledReturns> => {
  const all = await allLocks(workspace);
  const locks = all.filter(({ state }) => state === 'locked');
  const read = new Map<string, FiledClosing>();
  const filedWith = async (lock: Lock): Promise<FiledClosing> => {
    const known = read.get(lock.label);
    if (known) return known;
    const report = (await closingOf(workspace, lock.label))?.report;
    const filed = {
      lock,
      isOfReturns: holdsReturns(lock, all),
      returns: (report?.remittances ?? []).map(({ state, kind, name, frequency }) => ({
        ...{ state, kind, name },
        ...(frequency !== undefined && { frequency }),
      })),
      registrations: report ? registrationsWith(report) : [],
    };
    read.set(lock.label, filed);
    return filed;
  };
  return async (span) => {
    const filed: FiledClosing[] = [];
    for (const lock of locks.filter((each) => overlap(each, span))) filed.push(await filedWith(lock));
    return filed;
  };
};

/** Returns the registrations of the states with a return, each with the frequency of that. */
const registrationsWith = ({ registrations, remittances }: ClosedReport): readonly Registration[] =>
  registrations.flatMap((registration) => {
    const filed = remittances.find(({ state, kind }) => state === registration.state && kind === 'state');
    return filed
      ? { ...UNSTATED, ...registration, ...(filed.frequency && { frequency: filed.frequency }) }
      : [];
  });

/** What a close kept of a registration before it kept all of it, completed. */
const UNSTATED = {
  frequency: 'monthly',
  localReturns: [],
  locationCodes: {},
  prepayments: [],
  credits: [],
  purchases: [],
} satisfies Partial<Registration>;

/** Whether two spans have a day in common. */
export const overlap = (one: Days, other: Days): boolean =>
  one.first <= other.last && other.first <= one.last;

/** Whether a return is the one that is asked about. */
export const isReturn = ({ state, kind, name }: Wanted, wanted: Wanted): boolean =>
  state === wanted.state && kind === wanted.kind && isSameName(name, wanted.name);
