import { Command } from 'commander';
import { chooseEach, type LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { outputOf } from '../close/configuration/output-of.ts';
import type { LateLine } from '../close/figures/late-line.ts';
import { lockPlaceOf } from '../core/locked.ts';
import { isRunLocked } from '../database/run-lock.ts';
import { amendedPeriod, parseVersion } from '../kernel/amended-version.ts';
import { type CalendarDate, formatInstant, type Instant, zoneCalendar } from '../kernel/calendar.ts';
import { compareText } from '../kernel/compare-text.ts';
import { designedError } from '../kernel/disk-failure.ts';
import type { TieoutError } from '../kernel/errors.ts';
import { ExitCode, exitCodeOf, worstOf } from '../kernel/exit-code.ts';
import { readFilings } from '../periods/filings.ts';
import { countingPeriods, type Locks, type PublishedPeriods, publishedPeriods } from '../periods/folders.ts';
import { lockedDays, readLocks } from '../periods/locks.ts';
import { isComplete, type Run, runsOf } from '../periods/runs.ts';
import { type UnclosedReturn, unclosedMonths, unclosedReturns } from '../periods/unclosed.ts';
import { commandOptions, type EntityOptions, periodOf, withEntities } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { nextStep } from './next-step.ts';
import { errorObject, sentence } from './print-error.ts';
import { type Around, booksOf } from './status-books.ts';
import { type LockStatus, lockLines, lockObjects } from './status-locks.ts';
import { newestLines, type PeriodStatus, periodLines, periodObject } from './status-periods.ts';
import { unclosedObjects, unclosedReturnLines } from './status-unclosed.ts';

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
