import { calendarDate, laterOf } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { type DueDate, dueDateOf, filingPeriodOf } from '../filing/dates.ts';
import { dueDateRuleFor, type FilingLaw } from '../filing/filing-law.ts';
import { type JournalEntry, journalOf } from '../filing/journal.ts';
import { type MonthFigures, type NexusWatch, nexusWatchOf } from '../filing/nexus.ts';
import { type FilingRegistration, type Frequency, isSameName } from '../filing/registration.ts';
import { type MayAdd, returnOf } from '../filing/return-of.ts';
import { returnKey, type StateFigures } from '../filing/state-figures.ts';
import type { TaxReturn } from '../filing/tax-return.ts';
import { uploadFilesOf } from '../filing/upload-files.ts';
import type { UploadFile } from '../filing/upload-parts.ts';
import type { ShorterReturn } from '../reconcile/readiness.ts';

/** How the closed period relates to the period of the state's return. */
export type Coverage = 'whole' | 'part' | 'several';

export type StateReturn = {
  readonly filed: TaxReturn;
  readonly dueDate: DueDate;
  readonly coverage: Coverage;
};

/** The filing of a period: the returns of each registration, and everything that follows from them. */
export type PeriodFiling = {
  readonly returns: readonly StateReturn[];
  readonly uploads: readonly UploadFile[];
  readonly journal: readonly (JournalEntry & { readonly state: string })[];
  readonly nexus: readonly NexusWatch[];
};

export type ToFile = {
  readonly seller: string;
  readonly period: FilingPeriod;
  readonly states: readonly {
    readonly figures: StateFigures;
    readonly registration: FilingRegistration;
    /** What open decisions could add to the tax of the return; nothing if omitted. */
    readonly mayAdd?: MayAdd;
  }[];
  /** The known sales into every state, month by month. */
  readonly months: ReadonlyMap<string, readonly MonthFigures[]>;
};

export const filingOf = (law: FilingLaw, given: ToFile): PeriodFiling => {
  const returns = given.states.map(({ figures, registration, mayAdd }): StateReturn => {
    const { period } = figures;
    const rule = dueDateRuleFor(law, figures, registration.frequency, period.last);
    const { filing, coverage } = coveredBy(period, registration, rule.firstMonth);
    const dueDate = dueDateOf(law, figures, registration.frequency, filing);
    return { filed: returnOf(law, figures, registration, dueDate.due, mayAdd), dueDate, coverage };
  });
  const whole = returns.filter(isHandedIn);
  return {
    returns,
    uploads: whole.flatMap(({ filed }) => uploadFilesOf(filed, given.seller)),
    journal: whole.flatMap(({ filed }) =>
      journalOf(filed).map((entry) => ({ ...entry, state: returnKey(filed.figures) })),
    ),
    nexus: watches(law, given),
  };
};

/** Whether a return is filed: not for part of its period, and not if it is not required. */
export const isHandedIn = ({ coverage, filed }: StateReturn): boolean =>
  coverage === 'whole' && filed.instead === undefined;

/** Whether an amended version has tax of a longer return that was locked, and so filed, before it was made. */
export const isOnLockedReturn = ({
  coverage,
  dueDate: { period },
  filed: { figures, registration },
}: StateReturn): boolean =>
  coverage === 'part' &&
  (registration.longerLocked ?? []).some(
    ({ kind, name, first, last }) =>
      kind === figures.kind &&
      isSameName(name, figures.name) &&
      first === period.first &&
      last === period.last,
  );

/**
 * Returns the filing period that a close covers; if it covers several, or parts of several, the first with a return,
 * which ends on the first day of the registration or later.
 */
export const coveredBy = (
  closed: FilingPeriod,
  { frequency, since }: { readonly frequency: Frequency; readonly since: string },
  firstMonth: number,
): { readonly filing: FilingPeriod; readonly coverage: Coverage } => {
  const filing = filingPeriodOf(closed.last, frequency, firstMonth);
  if (closed.first < filing.first) {
    const begin = laterOf(closed.first, calendarDate(since));
    return { filing: filingPeriodOf(begin, frequency, firstMonth), coverage: 'several' };
  }
  const isWhole = closed.first === filing.first && closed.last === filing.last;
  return { filing, coverage: isWhole ? 'whole' : 'part' };
};

/**
 * Returns the states whose returns are of other periods than the closed one, each once. None where another return is of
 * exactly this period: the close is made for that one, and `status` lists the others until their periods are closed.
 */
export const shorterReturns = ({ returns }: Pick<PeriodFiling, 'returns'>): readonly ShorterReturn[] => {
  if (returns.some(isHandedIn)) return [];
  const shorter = returns
    .filter(({ coverage, filed }) => coverage === 'several' && filed.instead === undefined)
    .map(
      ({ filed: { figures }, dueDate: { period } }): ShorterReturn => ({
        state: figures.state,
        period: period.label,
        isLast: period.last >= figures.period.last,
      }),
    );
  return [...new Map(shorter.map((each) => [each.state, each])).values()];
};

const watches = (law: FilingLaw, { months, period, states }: ToFile): readonly NexusWatch[] =>
  [...months]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([state, known]) => {
      const isRegistered = states.some(({ registration }) => registration.state === state);
      return nexusWatchOf(law.nexus, state, known, period.last.slice(0, 7), isRegistered) ?? [];
    });
