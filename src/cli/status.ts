import { join } from 'node:path';
import { Command } from 'commander';
import { chooseEach, type LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { outputOf } from '../close/configuration/output-of.ts';
import { closedEarly } from '../close/periods/closed-early.ts';
import { closingOf, wholeReport } from '../close/periods/closing.ts';
import { overlaps } from '../close/periods/lock-period.ts';
import { versionsWithin } from '../close/periods/locked-returns.ts';
import { openClosings } from '../close/periods/open-closings.ts';
import { outdatedCauses } from '../close/periods/outdated-closings.ts';
import { refuseUnknownLocks } from '../close/periods/refuse-unknown-locks.ts';
import { unclosedMonths } from '../close/periods/unclosed-months.ts';
import { type UnclosedReturn, unclosedReturns } from '../close/periods/unclosed-returns.ts';
import { type WaitingLate, waitingLate } from '../close/periods/waiting-late.ts';
import { earlyEndLines } from '../close/reconcile/silent-days.ts';
import { allLocks, type Lock } from '../close/workspace/locks.ts';
import { eventsOf, type PeriodEvent } from '../close/workspace/period-events.ts';
import { errorOf, lastRuns, mayBeAtWork, newestRuns, type Run } from '../close/workspace/runs.ts';
import { signaturesUnder } from '../close/workspace/signatures.ts';
import type { Workspace } from '../close/workspace/workspace.ts';
import { isRunLocked } from '../database/run-lock.ts';
import { amendedPeriod, parseVersion } from '../kernel/amended-version.ts';
import { type CalendarDate, formatInstant, type Instant, zoneCalendar } from '../kernel/calendar.ts';
import { designedError } from '../kernel/disk-failure.ts';
import type { TieoutError } from '../kernel/errors.ts';
import { ExitCode, exitCodeOf, worstOf } from '../kernel/exit-code.ts';
import { type FilingPeriod, parsePeriod } from '../kernel/period.ts';
import { changedSettings } from './changed-settings.ts';
import { commandOptions, type EntityOptions, periodOf, withEntities } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { linesAboutFiles } from './lines-about-files.ts';
import { nextStep } from './next-step.ts';
import { errorObject, sentence } from './print-error.ts';
import { lockDay, lockLines, lockObjects } from './status-locks.ts';
import { periodReturns, returnObjects } from './status-returns.ts';
import {
  isCurrent,
  lineOf,
  newestLines,
  outcomeIn,
  type PeriodRun,
  readinessIn,
  type ShownRun,
} from './status-runs.ts';
import { unclosedObjects, unclosedReturnLines } from './status-unclosed.ts';

/** Builds `tieout status`: shows each period's last run and returns, and the newest runs, even during a run. */
export const statusCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withEntities(new Command('status'))
    .argument('[period]', 'only this period')
    .option('-o, --output <folder>', 'where the books are, instead of `output` of the configuration')
    .action(async (period: string | undefined, { config, entity: name, output, json }: StatusOptions) => {
      if (period !== undefined) periodOf(period);
      const entities: EntityStatus[] = [];
      const configurations = await chooseEach(config, name);
      for (const configuration of configurations)
        entities.push(
          await io.withWorkspace(configuration, (workspace) =>
            statusOf(workspace, configuration, {
              period,
              now: io.clock.now(),
              output: outputOf(configuration, output),
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
      const stops = entities.map(stopOf);
      exit(worstOf(stops.map((stop) => (stop ? exitCodeOf(stop) : ExitCode.clean))));
    });

type StatusOptions = EntityOptions & { readonly output?: string };

type EntityStatus = {
  readonly entity: string;
  /** The error with which a close refuses a workspace that lacks a published lock or signature. */
  readonly lost: TieoutError | undefined;
  /** The error with which it refuses decision files that cannot be used. */
  readonly undecided: TieoutError | undefined;
  readonly runs: readonly PeriodRun[];
  /** Returns of longer periods that were not closed, as of a day. */
  readonly unclosed: readonly UnclosedReturn[];
  readonly today: CalendarDate;
  readonly newest: readonly ShownRun[];
  readonly locks: readonly Lock[];
  readonly late: readonly WaitingLate[];
  readonly events: readonly PeriodEvent[];
  /** The next step, in a line. */
  readonly next: string;
};

/** The error with which any close of the entity stops now, in the order in which a close comes upon them. */
const stopOf = ({ lost, undecided }: Pick<EntityStatus, 'lost' | 'undecided'>): TieoutError | undefined =>
  lost ?? undecided;

const statusOf = async (
  workspace: Workspace,
  configuration: LoadedConfiguration,
  asked: {
    readonly period: string | undefined;
    readonly now: Instant;
    readonly output: string;
    readonly options: string;
  },
): Promise<EntityStatus> => {
  const { period, now, options } = asked;
  const lost = await lostOf(workspace, join(asked.output, workspace.entity));
  const { registrations, timeZone, policy, undecided } = configuration;
  const calendar = zoneCalendar(timeZone);
  const today = calendar.dateAt(now);
  const isShown = (label: string) =>
    period === undefined || label === period || amendedPeriod(label) === period;
  const outdated = await outdatedCauses(workspace);
  const open = new Set((await openClosings(workspace)).map((closing) => closing.period));
  const isAtWork = await isRunLocked(workspace.database);
  const [last] = await newestRuns(workspace, 1);
  const isLive = (run: Run) => isAtWork && mayBeAtWork(run, last);
  const newest = await newestRuns(workspace, NEWEST_SHOWN, period);
  const locks = await allLocks(workspace);
  const events = await eventsOf(workspace);
  const late = (await waitingLate(workspace, policy.lateItems === 'carry')).filter((of) =>
    isShown(of.period),
  );
  const runs: PeriodRun[] = [];
  for (const run of await lastRuns(workspace)) {
    if (!isShown(run.period)) continue;
    const isLocked = locks.some(({ label, state }) => label === run.period && state === 'locked');
    const kept = await closingOf(workspace, run.period);
    const closing = isLocked ? undefined : kept;
    runs.push({
      ...run,
      outdated: outdated.get(run.period),
      isLive: isLive(run),
      isLocked,
      isLockedInPart:
        closing !== undefined &&
        locks.some((lock) => lock.state === 'locked' && overlaps(lock, closing.period)) &&
        versionsWithin(closing.period, locks) === undefined,
      isOver: closing !== undefined && closing.period.last < today,
      closedEarly: closing && closedEarly(run, closing.period, calendar),
      isSigned:
        closing !== undefined &&
        (await signaturesUnder(workspace, run.period, closing.report.signOff.contentDigest)).length > 0,
      configurationChanged:
        closing && open.has(run.period) ? await changedSettings(closing, configuration) : [],
      aboutFiles: closing ? linesAboutFiles(closing.report) : [],
      endsEarly: closing ? earlyEndLines(closing.report) : [],
      ...periodReturns(kept && (await wholeReport(workspace, kept.report)), registrations, {
        isLocked,
        day: isLocked ? lockDay(events, run.period, calendar) : today,
      }),
    });
  }
  const unclosed = (await unclosedReturns(workspace, registrations, today)).filter(
    ({ dueDate }) => period === undefined || dueDate.period.label === period,
  );
  return {
    ...{ entity: workspace.entity, lost, undecided, runs, unclosed, today },
    newest: newest.map((run) => ({ ...run, isLive: isLive(run) })),
    locks: locks.filter(({ label }) => isShown(label)),
    late,
    events: events.filter((event) => isShown(event.period)),
    next:
      stopOf({ lost, undecided })?.nextStep ??
      nextStep(
        runs.map((run) => ({
          ...run,
          error: errorOf(run),
          isCurrent: isCurrent(run),
          readiness: readinessIn(run),
          folder: outcomeIn(run)?.folder,
        })),
        {
          open: [
            ...(period === undefined ? await monthsLeftOut(workspace, runs) : []),
            ...periodsOf(unclosed.filter(({ isLockedOut }) => !isLockedOut)),
          ],
          locked: periodsOf(unclosed.filter(({ isLockedOut }) => isLockedOut)),
        },
        late,
        options,
        period,
      ),
  };
};

const periodsOf = (returns: readonly UnclosedReturn[]): readonly FilingPeriod[] =>
  returns.map(({ dueDate }) => dueDate.period);

/** Returns the months with sales between the closed ones that were not closed, as a close names them. */
const monthsLeftOut = async (
  workspace: Workspace,
  runs: readonly PeriodRun[],
): Promise<readonly FilingPeriod[]> => {
  const [newest] = runs
    .flatMap(({ period }) => parseVersion(period) ?? [])
    .sort((one, other) => (one.first < other.first ? 1 : -1));
  const labels = newest ? await unclosedMonths(workspace, newest) : [];
  return labels.flatMap((label) => parsePeriod(label) ?? []);
};

/** Returns why the workspace is not the one of the published folders. Folders that cannot be read say nothing of it. */
const lostOf = async (workspace: Workspace, published: string): Promise<TieoutError | undefined> => {
  try {
    await refuseUnknownLocks(workspace, published);
    return undefined;
  } catch (error) {
    const designed = designedError(error);
    if (!designed) throw error;
    return designed.code === 'E_LOCK_UNKNOWN' ? designed : undefined;
  }
};

/** Number of newest runs listed below the periods, with any outcome. */
const NEWEST_SHOWN = 5;

const objectOf = (status: EntityStatus): object => {
  const { entity, runs, unclosed, today, newest, locks, late, events, next } = status;
  const stop = stopOf(status);
  return {
    entity,
    ...(stop && errorObject(stop)),
    periods: runs.map(({ returns, unreturned, ...run }) => ({
      ...run,
      readiness: readinessIn(run) ?? null,
      preliminary: readinessIn(run) !== undefined && !run.isOver && !run.isLocked,
      error: errorOf(run) ?? null,
      ...returnObjects({ returns, unreturned }),
    })),
    unclosed: unclosedObjects(unclosed, today),
    runs: newest.map((run) => ({
      period: run.period,
      started: formatInstant(run.started),
      exit_code: run.exitCode,
      error: errorOf(run) ?? null,
    })),
    ...lockObjects(locks, late, events),
    next,
  };
};

const FORMS =
  'Each return line by line: filing-summary.xlsx of its period. The form of each state: docs/coverage.md.';

const textOf = (entities: readonly EntityStatus[], period: string | undefined, now: Instant): string =>
  entities
    .map(({ entity, lost, undecided, runs, unclosed, today, newest, locks, late, events, next }) => {
      const lines = [
        ...(lost
          ? [`The workspace was lost, set back or exchanged (${lost.code}): ${sentence(lost.message)}`]
          : []),
        ...(undecided
          ? [`The decision files cannot be used (${undecided.code}): ${sentence(undecided.message)}`]
          : []),
        ...runs.map((run) => lineOf(run, now)),
        ...(runs.some(({ returns }) => returns.length > 0) ? [FORMS] : []),
        ...unclosedReturnLines(unclosed, today),
        ...lockLines(locks, late, events),
        ...newestLines(newest),
      ];
      const none = period === undefined ? 'Nothing has' : `${period} has not`;
      const shown = lines.length === 0 ? [`${none} been closed yet.`] : lines;
      return `${[...(entities.length > 1 ? [entity] : []), ...shown, `Next: ${sentence(next)}`].join('\n')}\n`;
    })
    .join('\n');
