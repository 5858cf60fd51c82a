import { Command } from 'commander';
import { chooseEntities, type LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { closingOf } from '../close/periods/closing.ts';
import { outdatedLabels } from '../close/periods/outdated-closings.ts';
import { type WaitingLate, waitingLate } from '../close/periods/waiting-late.ts';
import type { ReadinessFigures } from '../close/reconcile/readiness.ts';
import { PRELIMINARY } from '../close/stages/run/running-period.ts';
import { type Lock, locksOf } from '../close/workspace/locks.ts';
import { eventsOf, type PeriodEvent } from '../close/workspace/period-events.ts';
import {
  errorOf,
  lastRuns,
  mayBeAtWork,
  newestRuns,
  type Run,
  type RunNote,
} from '../close/workspace/runs.ts';
import { signaturesUnder } from '../close/workspace/signatures.ts';
import type { Workspace } from '../close/workspace/workspace.ts';
import { isRunLocked } from '../database/run-lock.ts';
import { amendedPeriod } from '../kernel/amended-version.ts';
import { formatInstant, type Instant, zoneCalendar } from '../kernel/calendar.ts';
import { parseMoney, ZERO } from '../kernel/money.ts';
import { shownMoney, shownNumber } from '../kernel/shown-figures.ts';
import { shownSeconds } from '../runtime/progress.ts';
import { changedSettings } from './changed-settings.ts';
import { commandOptions, type EntityOptions, periodOf, withEntities } from './close-options.ts';
import { earlyEndLines } from './early-end-lines.ts';
import { endWord } from './end-words.ts';
import type { CommandIo } from './io.ts';
import { linesAboutFiles } from './lines-about-files.ts';
import { nextStep } from './next-step.ts';
import { REASONS_SHOWN_MAX, reasonLine } from './readiness-lines.ts';
import { lockDay, lockLines, lockObjects } from './status-locks.ts';
import { type PeriodReturns, periodReturns, returnLines, returnObjects } from './status-returns.ts';

/** Builds `tieout status`: shows each period's last run and returns, and the newest runs, even during a run. */
export const statusCommand = (io: CommandIo): Command =>
  withEntities(new Command('status'))
    .argument('[period]', 'only this period')
    .action(async (period: string | undefined, { config, entity: name, json }: EntityOptions) => {
      if (period !== undefined) periodOf(period);
      const entities: EntityStatus[] = [];
      const configurations = await chooseEntities(config, name);
      for (const configuration of configurations)
        entities.push(
          await io.withWorkspace(configuration, (workspace) =>
            statusOf(workspace, configuration, {
              period,
              now: io.clock.now(),
              options: commandOptions({
                config,
                entity: configurations.length > 1 ? configuration.entity : name,
              }),
            }),
          ),
        );
      const objects = entities.map(objectOf);
      const object = objects.length === 1 ? objects[0] : { entities: objects };
      io.print(json ? `${JSON.stringify(object, null, 2)}\n` : textOf(entities, period, io.clock.now()));
    });

/** The last run of a period, with whether its exports or its configuration changed since. */
type PeriodRun = RunNote &
  PeriodReturns & {
    readonly isOutdated: boolean;
    readonly isLive: boolean;
    readonly isLocked: boolean;
    readonly isOver: boolean;
    readonly isSigned: boolean;
    /** Settings that changed since it was closed; its returns are computed with the current ones. */
    readonly configurationChanged: readonly string[];
    /** Exports that now lack rows on which the books are based. */
    readonly aboutFiles: readonly string[];
    readonly endsEarly: readonly string[];
  };

type ShownRun = Run & { readonly isLive: boolean };

type EntityStatus = {
  readonly entity: string;
  readonly runs: readonly PeriodRun[];
  readonly newest: readonly ShownRun[];
  readonly locks: readonly Lock[];
  readonly late: readonly WaitingLate[];
  readonly events: readonly PeriodEvent[];
  /** The next step, in a line. */
  readonly next: string;
};

const statusOf = async (
  workspace: Workspace,
  configuration: LoadedConfiguration,
  asked: { readonly period: string | undefined; readonly now: Instant; readonly options: string },
): Promise<EntityStatus> => {
  const { period, now, options } = asked;
  const { registrations, timeZone, policy } = configuration;
  const calendar = zoneCalendar(timeZone);
  const today = calendar.dateAt(now);
  const isShown = (label: string) => period === undefined || amendedPeriod(label) === period;
  const outdated = await outdatedLabels(workspace);
  const isAtWork = await isRunLocked(workspace.database);
  const [last] = await newestRuns(workspace, 1);
  const isLive = (run: Run) => isAtWork && mayBeAtWork(run, last);
  const newest = await newestRuns(workspace, NEWEST_SHOWN, period);
  const locks = await locksOf(workspace);
  const events = await eventsOf(workspace);
  const late = (await waitingLate(workspace, policy.lateItems === 'carry')).filter((of) =>
    isShown(of.period),
  );
  const runs: PeriodRun[] = [];
  for (const run of await lastRuns(workspace)) {
    if (period !== undefined && run.period !== period) continue;
    const isLocked = locks.some(({ label, state }) => label === run.period && state === 'locked');
    const kept = await closingOf(workspace, run.period);
    const closing = isLocked ? undefined : kept;
    runs.push({
      ...run,
      isOutdated: outdated.has(run.period),
      isLive: isLive(run),
      isLocked,
      isOver: closing !== undefined && closing.period.last < today,
      isSigned:
        closing !== undefined &&
        (await signaturesUnder(workspace, run.period, closing.report.signOff.contentDigest)).length > 0,
      configurationChanged: closing ? await changedSettings(closing, configuration) : [],
      aboutFiles: closing ? linesAboutFiles(closing.report) : [],
      endsEarly: closing ? earlyEndLines(closing.report) : [],
      ...periodReturns(kept?.report, registrations, {
        isLocked,
        day: isLocked ? lockDay(events, run.period, calendar) : today,
      }),
    });
  }
  return {
    entity: workspace.entity,
    runs,
    newest: newest.map((run) => ({ ...run, isLive: isLive(run) })),
    locks: locks.filter(({ label }) => isShown(label)),
    late,
    events: events.filter((event) => isShown(event.period)),
    next: nextStep(
      runs.map((run) => ({
        ...run,
        error: errorOf(run),
        isCurrent: isCurrent(run),
        readiness: readinessIn(run),
        folder: outcomeIn(run)?.folder,
      })),
      late,
      options,
      period,
    ),
  };
};

/** Number of newest runs listed below the periods, with any outcome. */
const NEWEST_SHOWN = 5;

const objectOf = ({ entity, runs, newest, locks, late, events, next }: EntityStatus): object => ({
  entity,
  periods: runs.map(({ returns, unreturned, ...run }) => ({
    ...run,
    readiness: readinessIn(run) ?? null,
    error: errorOf(run) ?? null,
    ...returnObjects({ returns, unreturned }),
  })),
  runs: newest.map((run) => ({
    period: run.period,
    started: formatInstant(run.started),
    exit_code: run.exitCode,
    error: errorOf(run) ?? null,
  })),
  ...lockObjects(locks, late, events),
  next,
});

const textOf = (entities: readonly EntityStatus[], period: string | undefined, now: Instant): string =>
  entities
    .map(({ entity, runs, newest, locks, late, events, next }) => {
      const lines = [
        ...runs.map((run) => lineOf(run, now)),
        ...lockLines(locks, late, events),
        ...newestLines(newest),
      ];
      const none = period === undefined ? 'Nothing has' : `${period} has not`;
      const shown = lines.length === 0 ? [`${none} been closed yet.`] : lines;
      return `${[...(entities.length > 1 ? [entity] : []), ...shown, `Next: ${next}`].join('\n')}\n`;
    })
    .join('\n');

/** The outcome of a run: the variance, the open exceptions, and the folder of the books. */
type Outcome = { readonly variance: string; readonly open: number; readonly folder: string };

const outcomeIn = ({ figures }: Pick<Run, 'figures'>): Outcome | undefined =>
  (figures as { readonly outcome?: Outcome } | null)?.outcome;

/** Returns the readiness of a run; `undefined` if the run did not complete. */
const readinessIn = ({ figures }: Pick<Run, 'figures'>): ReadinessFigures | undefined =>
  (figures as { readonly readiness?: ReadinessFigures } | null)?.readiness;

const endOf = (run: Pick<Run, 'exitCode' | 'figures'>, isPreliminary = false): string => {
  const { exitCode } = run;
  if (exitCode === null) return 'cut off: run it again';
  const word = endWord(exitCode);
  return word
    ? `closed: ${word}${isPreliminary ? `, ${PRELIMINARY}` : ''}`
    : `stopped: ${[errorOf(run)?.code, `exit code ${exitCode}`].filter(Boolean).join(', ')}`;
};

const reasonLines = (run: PeriodRun): readonly string[] => {
  const reasons = readinessIn(run)?.reasons ?? [];
  const lines = reasons
    .slice(0, REASONS_SHOWN_MAX)
    .map(({ effect, ...reason }) => reasonLine({ ...reason, effect: parseMoney(effect) ?? ZERO }));
  const more = reasons.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more in the sheet Decide of variance.xlsx`] : [])];
};

const lineOf = (run: PeriodRun, now: Instant): string =>
  [
    headOf(run, now),
    ...indented([
      ...errorLines(run),
      ...outcomeLines(run),
      ...reasonLines(run),
      ...run.aboutFiles,
      ...run.endsEarly,
      ...returnLines(run),
    ]),
  ].join('\n');

const indented = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => `${' '.repeat(18)} ${line}`);

const errorLines = (run: Pick<Run, 'figures'>): readonly string[] => [errorOf(run)?.message ?? []].flat();

/** Lists the newest runs; a failed one stays visible even if a later one succeeded. */
const newestLines = (runs: readonly ShownRun[]): readonly string[] =>
  runs.length < 2
    ? []
    : [
        '',
        'Newest runs:',
        ...runs.map((run) => {
          const end = run.isLive ? 'running' : endOf(run);
          const line = `  ${minuteOf(run.started)} UTC  ${run.period.padEnd(10)} ${end}`;
          return [line, ...errorLines(run)].join(': ');
        }),
      ];

const outcomeLines = (run: PeriodRun): readonly string[] => {
  const outcome = outcomeIn(run);
  if (!outcome) return [];
  const { variance, open, folder } = outcome;
  const figures = `variance ${shownMoney(parseMoney(variance) ?? ZERO)}, ${shownNumber(open, 'open exception')}`;
  return [figures, folder];
};

const stateOf = (run: PeriodRun, now: Instant): string =>
  run.isLive
    ? `running for ${shownSeconds((now - run.started) / 1000)}`
    : endOf(run, !run.isOver && !run.isLocked);

const headOf = (run: PeriodRun, now: Instant): string => {
  const { period, started } = run;
  const line = `${period.padEnd(18)} ${stateOf(run, now).padEnd(28)} run of ${minuteOf(started)} UTC`;
  const reasons = run.filesOf === null ? [] : staleReasons(run, run.filesOf);
  return [line, ...indented(reasons.map((reason) => `NOT CURRENT: ${reason}`))].join('\n');
};

const isCurrent = ({ filesAreCurrent, isOutdated, configurationChanged }: PeriodRun): boolean =>
  filesAreCurrent && !isOutdated && configurationChanged.length === 0;

/** Lists why the books of a period differ from what a close would write now. */
const staleReasons = (run: PeriodRun, filesOf: Instant): readonly string[] => {
  const { started, filesAreCurrent, isOutdated, configurationChanged } = run;
  const unfinished = `its files are of the run of ${secondOf(filesOf)} UTC, and that of ${secondOf(started)} UTC ${unwritten(run)}`;
  return [
    ...(configurationChanged.length === 0
      ? []
      : [`closed with another configuration (${configurationChanged.join(', ')}); close it again`]),
    ...(filesAreCurrent ? [] : [unfinished]),
    ...(filesAreCurrent && isOutdated
      ? ['what the exports say of it has changed since; close it again']
      : []),
  ];
};

/** Describes why a run kept the files of an earlier one. */
const unwritten = ({ isLive, exitCode }: PeriodRun): string => {
  if (isLive) return 'is still at work';
  return exitCode === null ? 'was cut off before it wrote any' : 'stopped before it wrote any';
};

const secondOf = (at: Instant): string => formatInstant(at).slice(0, 19).replace('T', ' ');

const minuteOf = (at: Instant): string => formatInstant(at).slice(0, 16).replace('T', ' ');
