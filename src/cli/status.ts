import { Command } from 'commander';
import { chooseEach, type LoadedConfiguration, outputOf } from '../close/configuration/load-configuration.ts';
import type { LateLine } from '../close/figures/late-line.ts';
import { lockPlaceOf } from '../core/locked.ts';
import { isRunLocked } from '../database/run-lock.ts';
import { type CalendarDate, formatInstant, type Instant } from '../kernel/calendar.ts';
import { designedError, ExitCode, exitCodeOf, type TieoutError, worstOf } from '../kernel/errors.ts';
import { amendedPeriod, type FilingPeriod, parseVersion } from '../kernel/period.ts';
import { compareText } from '../kernel/text.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import { readFilings } from '../periods/filings.ts';
import { countingPeriods, type Locks, type PublishedPeriods, publishedPeriods } from '../periods/folders.ts';
import { lockedDays, readLocks } from '../periods/locks.ts';
import { isComplete, type Run, runsOf } from '../periods/runs.ts';
import { type UnclosedReturn, unclosedMonths, unclosedReturns } from '../periods/unclosed.ts';
import type { CommandIo } from './io.ts';
import { commandOptions, type EntityOptions, periodOf, withEntities } from './options.ts';
import { errorObject, sentence } from './print.ts';
import { pasteable } from './readiness-lines.ts';
import {
  type Around,
  booksOf,
  isCurrent,
  type LockStatus,
  lockLines,
  lockObjects,
  newestLines,
  type PeriodBooks,
  type PeriodStatus,
  periodLines,
  periodObject,
} from './status-periods.ts';
import {
  closeAgainText,
  type DatedReturn,
  isUnfiled,
  unclosedObjects,
  unclosedReturnLines,
} from './status-returns.ts';

/** Builds `tieout status`: shows each period's last run and returns, and the newest runs, even during a run. */
export const statusCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withEntities(new Command('status'))
    .argument('[period]', 'only this period')
    .option('-o, --output <folder>', 'where the books are, instead of `output` of the configuration')
    .action(async (period: string | undefined, { config, entity: name, output, json }: StatusOptions) => {
      if (period !== undefined) periodOf(period);
      const entities: EntityStatus[] = [];
      const now = io.clock.now();
      const configurations = await chooseEach(config, name);
      for (const configuration of configurations) {
        const entity = configurations.length > 1 ? configuration.entity : name;
        const options = commandOptions({ config, entity });
        const place = outputOf(configuration, output);
        entities.push(await statusOf(configuration, { period, now, output: place, options }));
      }
      const objects = entities.map(objectOf);
      const object = objects.length === 1 ? objects[0] : { entities: objects };
      io.print(json ? `${JSON.stringify(object, null, 2)}\n` : textOf(entities, period, now));
      exit(worstOf(entities.map(({ stop }) => (stop ? exitCodeOf(stop) : ExitCode.clean))));
    });

type StatusOptions = EntityOptions & { readonly output?: string };

type EntityStatus = LockStatus & {
  readonly entity: string;
  /** The error with which any close of the entity stops before it reads exports. */
  readonly stop: TieoutError | undefined;
  readonly periods: readonly PeriodStatus[];
  /** Returns of longer periods that were not closed, as of a day. */
  readonly unclosed: readonly UnclosedReturn[];
  readonly today: CalendarDate;
  readonly newest: readonly (Run & { readonly isLive: boolean })[];
  /** The next step, in a line. */
  readonly next: string;
};

type Asked = {
  readonly period: string | undefined;
  readonly now: Instant;
  readonly output: string;
  readonly options: string;
};

const statusOf = async (
  configuration: LoadedConfiguration,
  { period, now, output, options }: Asked,
): Promise<EntityStatus> => {
  const { entity, registrations, timeZone, undecided } = configuration;
  const today = zoneCalendar(timeZone).dateAt(now);
  const place = lockPlaceOf({ configuration, output });
  const locks = await orStop(() => readLocks(place), NO_LOCKS);
  const filings = await orStop(() => readFilings(place.root, entity), []);
  const labels = new Set(locks.value.versions.map(({ name }) => name));
  const folders = await orStop(() => publishedPeriods(place.output, labels), NOTHING_PUBLISHED);
  const published = folders.value;
  const stop = locks.stop ?? undecided ?? filings.stop;
  const isShown = (label: string): boolean =>
    period === undefined || label === period || amendedPeriod(label) === period;
  const around = { configuration, published, locks: locks.value, filings: filings.value, today };
  const runs = await runsHere(configuration);
  const periods = await periodsOf(around, runs);
  const shown = periods.filter((each) => isShown(each.period));
  const closed = await countingPeriods(published);
  const unclosed = unclosedReturns(closed, registrations, today).filter(
    ({ dueDate }) => period === undefined || dueDate.period.label === period,
  );
  const labelsOf = (lockedOut: boolean) =>
    unclosed.filter(({ isLockedOut }) => isLockedOut === lockedOut).map(({ dueDate }) => dueDate.period);
  const months = period === undefined ? unclosedMonths(closed.map((each) => each.period)) : [];
  const open = { open: [...months, ...labelsOf(false)], locked: labelsOf(true) };
  return {
    ...{ entity, stop, periods: shown, unclosed, today },
    newest: runs.filter((run) => period === undefined || run.period === period).slice(-NEWEST_SHOWN),
    versions: locks.value.versions.filter(({ name }) => isShown(name)),
    lines: locks.value.lines.filter((line) => line.entity === entity && isShown(line.period)),
    late: await lateIn(published),
    next: stop?.nextStep ?? nextStep(shown, open, options, period),
  };
};

/** Returns what is read, or in its place nothing and the error that a close would stop with. */
const orStop = async <Value>(
  read: () => Promise<Value>,
  nothing: Value,
): Promise<{ readonly value: Value; readonly stop?: TieoutError }> => {
  try {
    return { value: await read() };
  } catch (error) {
    const stop = designedError(error);
    if (!stop) throw error;
    return { value: nothing, stop };
  }
};

const NO_LOCKS: Locks = { lines: [], ...lockedDays([]) };
const NOTHING_PUBLISHED: PublishedPeriods = {
  versions: [],
  of: async () => undefined,
  last: async () => undefined,
};

/** Returns the runs of an entity, oldest first, and which of them is at work. */
const runsHere = async ({ entity, resolvePath }: LoadedConfiguration) => {
  const state = resolvePath('.tieout');
  const isAtWork = await isRunLocked({ place: `${state}/run` });
  const runs = await runsOf(state, entity);
  return runs.map((run) => ({ ...run, isLive: isAtWork && run.isNewest && run.exitCode === null }));
};

/** Returns every period that has a folder or a run, oldest first. */
const periodsOf = async (
  around: Around,
  runs: readonly (Run & { readonly isLive: boolean })[],
): Promise<readonly PeriodStatus[]> => {
  const { published } = around;
  const labels = new Set([...published.versions.map(({ label }) => label), ...runs.map((run) => run.period)]);
  const periods: PeriodStatus[] = [];
  for (const period of [...labels].sort(byDays)) {
    const own = runs.filter((run) => run.period === period);
    const [run, lastClose] = [own.at(-1), own.findLast(isComplete)];
    const { value: found } = await orStop(() => published.of(period), undefined);
    const { value: books } = await orStop(async () => found && booksOf(found, lastClose, around), undefined);
    if (!run && !books) continue;
    periods.push({
      ...{ period, run, books, isLive: run?.isLive ?? false },
      filesOf: lastClose?.started ?? null,
      filesAreCurrent: run === lastClose,
    });
  }
  return periods;
};

const byDays = (one: string, other: string): number => {
  const [left, right] = [one, other].map((label) => parseVersion(label)?.first ?? '');
  return compareText(left ?? '', right ?? '') || compareText(one, other);
};

/** What came late is open in the books of open periods. */
const lateIn = async (published: PublishedPeriods): Promise<readonly LateLine[]> => {
  const late: LateLine[] = [];
  for (const { label } of published.versions) {
    const found = await published.of(label);
    if (found && !found.isLocked) late.push(...(await found.frame()).undecided);
  }
  return late;
};

/** Number of newest runs listed below the periods, with any outcome. */
const NEWEST_SHOWN = 5;

const objectOf = (status: EntityStatus): object => ({
  entity: status.entity,
  ...(status.stop && errorObject(status.stop)),
  periods: status.periods.map(periodObject),
  unclosed: unclosedObjects(status.unclosed, status.today),
  runs: status.newest.toReversed().map(({ period, started, exitCode, error }) => ({
    ...{ period, started: formatInstant(started), exit_code: exitCode, error },
  })),
  ...lockObjects(status),
  next: status.next,
});

const FORMS =
  'Each return line by line: filing-summary.xlsx of its period. The form of each state: docs/coverage.md.';

const textOf = (entities: readonly EntityStatus[], period: string | undefined, now: Instant): string =>
  entities
    .map((status) => {
      const { entity, stop, periods, next } = status;
      const lines = [
        ...(stop ? [`A close of ${entity} stops now (${stop.code}): ${sentence(stop.message)}`] : []),
        ...periods.map((each) => periodLines(each, now)),
        ...(periods.some(({ books }) => (books?.returns.length ?? 0) > 0) ? [FORMS] : []),
        ...unclosedReturnLines(status.unclosed, status.today),
        ...lockLines(status),
        ...newestLines(status.newest.toReversed()),
      ];
      const none = period === undefined ? 'Nothing has' : `${period} has not`;
      const shown = lines.length === 0 ? [`${none} been closed yet.`] : lines;
      return `${[...(entities.length > 1 ? [entity] : []), ...shown, `Next: ${sentence(next)}`].join('\n')}\n`;
    })
    .join('\n');

/** Periods with returns that no close has, the earliest due first: those to close, and those that are locked without them. */
type UnclosedPeriods = Readonly<Record<'open' | 'locked', readonly FilingPeriod[]>>;

/**
 * Describes the next step: for the earliest period that is not locked, or for returns that are not filed. Returns that are
 * overdue come first, because penalty and interest run on them.
 *
 * @param options Options that select the configuration and the entity in a command
 * @param asked The requested period, if any
 */
export const nextStep = (
  periods: readonly PeriodStatus[],
  unclosed: UnclosedPeriods,
  options: string,
  asked: string | undefined,
): string => {
  const overdue = returnsWith(periods, ({ isLate }) => isLate);
  const unknown = returnsWith(periods, ({ mayBeLate }) => mayBeLate);
  return [
    ...(overdue === '' ? [] : [`file and pay the overdue returns of ${overdue} now. Then `]),
    ...(unknown === ''
      ? []
      : [
          `look up when the returns of ${unknown} are due: those dates are not verified, and may be over. Then `,
        ]),
    stepAfterPayment(periods, unclosed, options, asked),
  ].join('');
};

/** Names the returns that are still to be filed and fit, period by period: `2026-10 (FL, CO) and 2026-11 (FL)`. */
const returnsWith = (periods: readonly PeriodStatus[], fits: (each: DatedReturn) => boolean): string =>
  periods
    .flatMap((status) => {
      const keys = unfiledIn(status)
        .filter(fits)
        .map(({ key }) => key);
      return isCurrent(status) && keys.length > 0 ? `${status.period} (${keys.join(', ')})` : [];
    })
    .join(' and ');

const unfiledIn = ({ books }: PeriodStatus): readonly DatedReturn[] => books?.returns.filter(isUnfiled) ?? [];

const stepAfterPayment = (
  periods: readonly PeriodStatus[],
  unclosed: UnclosedPeriods,
  options: string,
  asked: string | undefined,
): string => {
  for (const status of periods.filter(({ books }) => !books?.isLocked)) {
    const first = parseVersion(status.period)?.first ?? '';
    const earlier = unclosed.open.find(({ last }) => last < first);
    const step = unclosedStep(earlier, options) ?? stepOf(status, options);
    if (step !== undefined) return step;
  }
  const step = unclosedStep(unclosed.open[0], options);
  if (step !== undefined) return step;
  const unfiled = periods.find((status) => unfiledIn(status).length > 0);
  if (unfiled) return filingStep(unfiled, options);
  const [without] = unclosed.locked;
  if (without)
    return `file the returns of ${without.label} that it was locked without, or ${closeAgainText(without.label, options)}.`;
  if (periods.length > 0)
    return asked === undefined
      ? 'nothing. Every day closed so far is locked, and its returns are filed.'
      : `nothing for ${asked}, which is locked and filed.`;
  return `\`tieout doctor${options}\` checks that a close has everything it needs, \`tieout close ${asked ?? 'PERIOD'}${options}\` closes ${asked ?? 'a month such as 2026-10'}.`;
};

const filingStep = (status: PeriodStatus, options: string): string => {
  const { period, books } = status;
  const [first] = unfiledIn(status);
  const held = books?.isLocked
    ? ''
    : ` \`tieout lock ${period} --as NAME${options}\` holds them as soon as all of its days are in locked periods.`;
  return `file the returns of ${period}, and write each down: \`tieout filed ${period} ${JSON.stringify(first?.key ?? '').replace(/^"(\S*)"$/, '$1')} --on DAY --confirmation TEXT${options}\`.${held}`;
};

const unclosedStep = (unclosed: FilingPeriod | undefined, options: string): string | undefined =>
  unclosed &&
  `\`tieout close ${unclosed.label}${options}\`, which works out the returns of ${unclosed.label}.`;

/** Describes the next step for a period that is not locked; `undefined` if nothing is left but to file its returns. */
const stepOf = (status: PeriodStatus, options: string): string | undefined => {
  const { period, run, books, filesAreCurrent } = status;
  const close = `\`tieout close ${period}${options}\``;
  if (status.isLive) return `wait; the run of ${period} is at work.`;
  if (!books || !filesAreCurrent) {
    return run?.error
      ? `${run.error.code} stopped the run of ${period}: ${sentence(run.error.nextStep ?? 'settle that first')} Then ${close}.`
      : `${close}.`;
  }
  if (!isCurrent(status)) return `${close}, because the books of ${period} are not current.`;
  return stepOfBooks(period, books, close, options);
};

const stepOfBooks = (
  period: string,
  { readiness, folder, isOver, isLockedInPart, isSigned }: PeriodBooks,
  close: string,
  options: string,
): string | undefined => {
  const [reason] = readiness.reasons;
  if (reason) {
    const shown = pasteable(reason.todo, { options, folder, record: reason.record });
    const text = `${period}, ${[reason.code, reason.record].filter((word) => word !== '').join(' of ')}: ${shown}`;
    // A return of a shorter period is filed from another close; this one stays as it is.
    return reason.kind === 'period' ? text : `${text} Then ${close}.`;
  }
  if (!isOver) return `${close} once ${period} is over.`;
  if (isLockedInPart) return undefined;
  const lock = `\`tieout lock ${period} --as NAME${options}\` when it is filed.`;
  if (isSigned) return lock;
  return `look through the books of ${period}, then \`tieout sign ${period} --as NAME --role preparer${options}\`, and ${lock}`;
};
