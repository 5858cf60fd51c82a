import { join } from 'node:path';
import { Command } from 'commander';
import { chooseEach, type LoadedConfiguration, outputOf } from '../configuration/load-configuration.ts';
import { configurationParts } from '../configuration/parts.ts';
import { lockPlaceOf } from '../core/reading.ts';
import { type LockLine, versionLabel } from '../evidence/lock-line.ts';
import { MANIFEST_PATH } from '../evidence/manifest.ts';
import { varianceOf } from '../figures/period-report.ts';
import { type CalendarDate, formatInstant } from '../kernel/calendar.ts';
import { designedError, ExitCode, exitCodeOf, type TieoutError, worstOf } from '../kernel/errors.ts';
import { formatMoney, parseMoney, ZERO } from '../kernel/money.ts';
import { amendedPeriod, parseVersion } from '../kernel/period.ts';
import { compareText, shownMoney, shownNumber } from '../kernel/text.ts';
import { type FilingLine, readFilings } from '../periods/filings.ts';
import {
  closedReportOf,
  countingPeriods,
  type LockedPeriod,
  type Locks,
  type PublishedPeriod,
  type PublishedPeriods,
  publishedPeriods,
} from '../periods/folders.ts';
import { lockedDays, readLocks } from '../periods/locks.ts';
import { isComplete, type Run, rewrittenBefore, runsOf } from '../periods/runs.ts';
import { type UnclosedReturn, unclosedMonths, unclosedReturns } from '../periods/unclosed.ts';
import { outdatedText, PRELIMINARY, todayOf } from '../run/period-folder.ts';
import { sha256OfFile } from '../runtime/publish-folder.ts';
import type { CommandIo } from './io.ts';
import { nextStep, type PeriodBooks, type PeriodStatus } from './next-step.ts';
import { type EntityOptions, periodOf, withEntities, withOutput } from './options.ts';
import { errorObject, sentence } from './print.ts';
import { linesAboutFiles, REASONS_SHOWN_MAX, reasonLine, sharedReasons } from './readiness-lines.ts';
import {
  datedReturns,
  returnLines,
  returnObjects,
  unclosedObjects,
  unclosedReturnLines,
} from './status-returns.ts';

/** Builds `tieout status`: shows each period with its returns, what is locked, and what to do next. */
export const statusCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withOutput(withEntities(new Command('status')))
    .argument('[period]', 'only this period')
    .action(async (period: string | undefined, { config, entity, output, json }: StatusOptions) => {
      if (period !== undefined) periodOf(period);
      const entities: EntityStatus[] = [];
      for (const configuration of await chooseEach(config, entity)) {
        const today = todayOf({ configuration, clock: io.clock });
        const place = outputOf(configuration, output);
        entities.push(await statusOf(configuration, { period, today, output: place }));
      }
      const objects = entities.map(objectOf);
      const object = objects.length === 1 ? objects[0] : { entities: objects };
      io.print(json ? `${JSON.stringify(object, null, 2)}\n` : textOf(entities, period));
      exit(worstOf(entities.map(({ stop }) => (stop ? exitCodeOf(stop) : ExitCode.clean))));
    });

type StatusOptions = EntityOptions & { readonly output?: string };

type EntityStatus = {
  readonly entity: string;
  /** The error with which any close of the entity stops before it reads exports. */
  readonly stop: TieoutError | undefined;
  readonly periods: readonly PeriodStatus[];
  /** Returns that no close has, as of a day. */
  readonly unclosed: readonly UnclosedReturn[];
  readonly today: CalendarDate;
  readonly versions: readonly LockedPeriod[];
  /** The lines of the register about the entity. */
  readonly lines: readonly LockLine[];
  /** The next step, in a line. */
  readonly next: string;
};

type Asked = {
  readonly period: string | undefined;
  readonly today: CalendarDate;
  readonly output: string;
};

const statusOf = async (
  configuration: LoadedConfiguration,
  { period, today, output }: Asked,
): Promise<EntityStatus> => {
  const { entity, registrations, undecided, resolvePath } = configuration;
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
  const all = await periodsOf(around, await runsOf(resolvePath('.tieout'), entity));
  const periods = all.filter((each) => isShown(each.period));
  const closed = await countingPeriods(published);
  const unclosed = unclosedReturns(closed, registrations, today).filter(
    ({ dueDate }) => period === undefined || dueDate.period.label === period,
  );
  const missing = [
    ...(period === undefined ? unclosedMonths(closed.map((each) => each.period)) : []),
    ...unclosed.filter(({ isLockedOut }) => !isLockedOut).map(({ dueDate }) => dueDate.period),
  ];
  return {
    entity,
    stop,
    periods,
    unclosed,
    today,
    versions: locks.value.versions.filter(({ name }) => isShown(name)),
    lines: locks.value.lines.filter((line) => line.entity === entity && isShown(line.period)),
    next: stop?.nextStep ?? nextStep(periods, missing, locks.value, period),
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

/** What tells how the books of a period stand. */
type Around = {
  readonly configuration: LoadedConfiguration;
  readonly published: PublishedPeriods;
  readonly locks: Locks;
  readonly filings: readonly FilingLine[];
  readonly today: CalendarDate;
};

/** Returns every period that has a folder or a run, in the order of their last days. */
const periodsOf = async (around: Around, runs: readonly Run[]): Promise<readonly PeriodStatus[]> => {
  const { published } = around;
  const labels = new Set([...published.versions.map(({ label }) => label), ...runs.map((run) => run.period)]);
  const periods: PeriodStatus[] = [];
  for (const period of [...labels].sort(byDays)) {
    const run = runs.findLast((each) => each.period === period);
    const { value: found } = await orStop(() => published.of(period), undefined);
    const { value: books } = await orStop(async () => found && booksOf(found, around), undefined);
    const notCurrent = found && books ? await staleReasons(found, books, run, around) : [];
    periods.push({ period, run, books, notCurrent });
  }
  return periods;
};

const byDays = (one: string, other: string): number => {
  const [left, right] = [one, other].map((label) => parseVersion(label)?.last ?? '');
  return compareText(left ?? '', right ?? '') || compareText(one, other);
};

const booksOf = async (found: PublishedPeriod, { locks, filings, today }: Around): Promise<PeriodBooks> => {
  const { period, folder, manifest, leaves, isLocked } = found;
  const report = await closedReportOf(found);
  const digest = await sha256OfFile(join(folder, MANIFEST_PATH));
  return {
    folder,
    variance: varianceOf({ ...report, exceptions: [] }),
    open: manifest.content.exceptions.open,
    readiness: manifest.content.readiness,
    isOver: period.last < today,
    isSigned: locks.lines.some(({ what, manifest: signed }) => what === 'signed' && signed === digest),
    isLocked,
    aboutFiles: linesAboutFiles(report),
    returns: datedReturns(report, { today, filings, isLocked }),
    unreturned: leaves.unreturned ?? [],
  };
};

const staleReasons = async (
  found: PublishedPeriod,
  { isLocked, isOver }: PeriodBooks,
  run: Run | undefined,
  { configuration, published }: Around,
): Promise<readonly string[]> => {
  if (isLocked) return [];
  const { madeEarly } = await closedReportOf(found);
  const outdatedBy = await rewrittenBefore(published, found);
  return [
    ...(found.manifest.content.configuration === configurationParts(configuration).configuration
      ? []
      : ['closed with another configuration']),
    ...(isOver && madeEarly ? ['closed before its last day was over'] : []),
    ...(run && !isComplete(run) ? ['its files are of an earlier run'] : []),
    ...(outdatedBy === undefined ? [] : [outdatedText(outdatedBy, 'it builds')]),
  ];
};

const objectOf = ({ versions, lines, ...status }: EntityStatus): object => ({
  entity: status.entity,
  ...(status.stop && errorObject(status.stop)),
  periods: status.periods.map(periodObject),
  unclosed: unclosedObjects(status.unclosed, status.today),
  locks: versions.map(({ name, label, version }) => {
    const digest = lines.findLast(
      ({ what, ...line }) => what === 'locked' && versionLabel(line) === name,
    )?.manifest;
    return {
      label: name,
      period: label,
      version,
      digest,
      signatures: lines
        .filter(({ what, manifest }) => what === 'signed' && manifest === digest)
        .map(({ by, at }) => ({ role: by.role, name: by.name, at, with_key: by.signature !== null })),
    };
  }),
  events: lines.map((line) => ({
    period: versionLabel(line),
    what: line.what,
    at: line.at,
    who: line.by.name,
    role: line.by.role,
    why: line.why,
  })),
  next: status.next,
});

const periodObject = ({ period, run, books, notCurrent }: PeriodStatus): object => {
  const { returns = [], unreturned = [], variance, ...shown } = books ?? {};
  return {
    period,
    started: run ? formatInstant(run.started) : null,
    exitCode: run?.exitCode ?? null,
    error: run?.error ?? null,
    notCurrent,
    ...shown,
    variance: variance === undefined ? null : formatMoney(variance),
    preliminary: books !== undefined && !books.isOver && !books.isLocked,
    ...returnObjects({ returns, unreturned }),
  };
};

const textOf = (entities: readonly EntityStatus[], period: string | undefined): string =>
  entities
    .map((status) => {
      const { entity, stop, periods, unclosed, today, lines, next } = status;
      const shown = [
        ...(stop ? [`A close of ${entity} stops now (${stop.code}): ${sentence(stop.message)}`] : []),
        ...periods.flatMap(periodLines),
        ...unclosedReturnLines(unclosed, today),
        ...lines.map(eventText),
      ];
      const none = period === undefined ? 'Nothing has' : `${period} has not`;
      return `${[
        ...(entities.length > 1 ? [entity] : []),
        ...(shown.length === 0 ? [`${none} been closed yet.`] : shown),
        `Next: ${sentence(next)}`,
      ].join('\n')}\n`;
    })
    .join('\n');

const eventText = (line: LockLine): string => {
  const { what, by, at, why } = line;
  const name = `${by.name}${by.role === '' ? '' : ` as ${by.role}`}`;
  return `${versionLabel(line).padEnd(18)} ${what} on ${minuteOf(at)} UTC by ${name}${why === '' ? '' : `: ${why}`}`;
};

const minuteOf = (at: string): string => at.slice(0, 16).replace('T', ' ');

/** Formats the last run of a period, its books and its returns. */
const periodLines = ({ period, run, books, notCurrent }: PeriodStatus): readonly string[] => {
  const at = run ? `  run of ${minuteOf(formatInstant(run.started))} UTC` : '';
  const lines = [
    ...notCurrent.map((reason) => `NOT CURRENT: ${reason}; close it again`),
    ...(run?.error ? [run.error.message] : []),
    ...(books ? bookLines(books) : []),
  ];
  return [
    `${period.padEnd(18)} ${stateOf(run, books).padEnd(27)}${at}`.trimEnd(),
    ...lines.map((line) => `${' '.repeat(18)} ${line}`),
  ];
};

const stateOf = (run: Run | undefined, books: PeriodBooks | undefined): string => {
  if (run && run.exitCode === null) return 'at work, or cut off: run it again';
  if (run && !isComplete(run))
    return `stopped: ${[run.error?.code, `exit code ${run.exitCode}`].filter(Boolean).join(', ')}`;
  if (!books) return 'no books here';
  const early = books.isOver || books.isLocked ? '' : `, ${PRELIMINARY}`;
  return `closed: ${books.readiness.ready ? 'READY' : 'NOT READY'}${early}`;
};

const bookLines = (books: PeriodBooks): readonly string[] => {
  const reasons = sharedReasons(
    books.readiness.reasons.map((reason) => ({ ...reason, effect: parseMoney(reason.effect) ?? ZERO })),
  );
  const more = reasons.length - REASONS_SHOWN_MAX;
  return [
    `variance ${shownMoney(books.variance)}, ${shownNumber(books.open, 'open exception')}`,
    books.folder,
    ...reasons.slice(0, REASONS_SHOWN_MAX).map(reasonLine),
    ...(more > 0 ? [`and ${more} more in Decide or on Checks`] : []),
    ...books.aboutFiles,
    ...returnLines(books),
  ];
};
