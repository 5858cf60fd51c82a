import { Command } from 'commander';
import { chooseEntities } from '../close/configuration/load-configuration.ts';
import { outdatedLabels } from '../close/periods/outdated-closings.ts';
import { eventsOf, type PeriodEvent } from '../close/periods/period-events.ts';
import type { ReadinessFigures } from '../close/reconcile/readiness.ts';
import { type Lock, locksOf } from '../close/workspace/locks.ts';
import { lastRuns, type RunNote } from '../close/workspace/runs.ts';
import type { Workspace } from '../close/workspace/workspace.ts';
import { isRunLocked } from '../database/run-lock.ts';
import { amendedPeriod } from '../kernel/amended-version.ts';
import { formatInstant, type Instant } from '../kernel/calendar.ts';
import { parseMoney, ZERO } from '../kernel/money.ts';
import { shownChange, shownMoney, shownNumber } from '../kernel/shown-figures.ts';
import { shownSeconds } from '../runtime/progress.ts';
import { type EntityOptions, periodOf, withEntities } from './close-options.ts';
import type { CommandIo } from './io.ts';

/** `tieout status`: how the last run of each period ended. It may be asked while a run is at work. */
export const statusCommand = (io: CommandIo): Command =>
  withEntities(new Command('status'))
    .argument('[period]', 'only this period')
    .action(async (period: string | undefined, { config, entity: name, json }: EntityOptions) => {
      if (period !== undefined) periodOf(period);
      const entities: EntityStatus[] = [];
      for (const configuration of await chooseEntities(config, name))
        entities.push(await io.withWorkspace(configuration, (workspace) => statusOf(workspace, period)));
      const objects = entities.map(objectOf);
      const [only] = objects;
      const object = objects.length === 1 ? only : { entities: objects };
      io.print(json ? `${JSON.stringify(object, null, 2)}\n` : textOf(entities, period, io.clock.now()));
    });

/** How the last run of a period went, and whether the exports say something else of it by now. */
type PeriodRun = RunNote & { readonly isOutdated: boolean; readonly isLive: boolean };

type EntityStatus = {
  readonly entity: string;
  readonly runs: readonly PeriodRun[];
  readonly locks: readonly Lock[];
  readonly events: readonly PeriodEvent[];
};

const statusOf = async (workspace: Workspace, period: string | undefined): Promise<EntityStatus> => {
  const isShown = (label: string) => period === undefined || amendedPeriod(label) === period;
  const outdated = await outdatedLabels(workspace);
  const isAtWork = await isRunLocked(workspace.database);
  return {
    entity: workspace.entity,
    runs: (await lastRuns(workspace))
      .filter((run) => period === undefined || run.period === period)
      .map((run) => ({
        ...run,
        isOutdated: outdated.has(run.period),
        isLive: isAtWork && run.exitCode === null,
      })),
    locks: (await locksOf(workspace)).filter(({ label }) => isShown(label)),
    events: (await eventsOf(workspace)).filter((event) => isShown(event.period)),
  };
};

const objectOf = ({ entity, runs, locks, events }: EntityStatus): object => ({
  entity,
  periods: runs.map((run) => ({ ...run, readiness: readinessIn(run) ?? null })),
  ...lockObjects(locks, events),
});

const textOf = (entities: readonly EntityStatus[], period: string | undefined, now: Instant): string =>
  entities
    .map(({ entity, runs, locks, events }) => {
      const lines = [...runs.map((run) => lineOf(run, now)), ...lockLines(locks, events)];
      const shown =
        lines.length === 0
          ? [period === undefined ? 'Nothing has been closed yet.' : `${period} has not been closed yet.`]
          : lines;
      return `${[...(entities.length > 1 ? [entity] : []), ...shown].join('\n')}\n`;
    })
    .join('\n');

/** What a run came to: the variance, the open exceptions, and the folder of the books. */
type Outcome = { readonly variance: string; readonly open: number; readonly folder: string };

const outcomeIn = ({ figures }: PeriodRun): Outcome | undefined =>
  (figures as { readonly outcome?: Outcome } | null)?.outcome;

/** What keeps it from being filed; nothing of a run that did not complete. */
const readinessIn = ({ figures }: PeriodRun): ReadinessFigures | undefined =>
  (figures as { readonly readiness?: ReadinessFigures } | null)?.readiness;

const WORDS: Readonly<Record<number, string>> = { 0: 'closed: READY', 1: 'closed: NOT READY' };

const endOf = ({ exitCode, isLive, started }: PeriodRun, now: Instant): string => {
  if (isLive) return `running for ${shownSeconds((now - started) / 1000)}`;
  if (exitCode === null) return 'cut off: run it again';
  return WORDS[exitCode] ?? `stopped with exit code ${exitCode}`;
};

/** Reasons shown of a period; the sheet Checks has them all. */
const REASONS_SHOWN_MAX = 5;

/** Nothing where it is zero, or not known. */
const changeText = (effect: string): string => {
  const amount = parseMoney(effect) ?? ZERO;
  return amount === ZERO ? '' : shownChange(amount);
};

const reasonLines = (run: PeriodRun): readonly string[] => {
  const reasons = readinessIn(run)?.reasons ?? [];
  const lines = reasons
    .slice(0, REASONS_SHOWN_MAX)
    .map(
      ({ code, state, effect, what }) =>
        `${[code, state, changeText(effect)].filter(Boolean).join(' ')}: ${what}`,
    );
  const more = reasons.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more in the sheet Checks of variance.xlsx`] : [])].map(
    (line) => `${' '.repeat(18)} ${line}`,
  );
};

const lineOf = (run: PeriodRun, now: Instant): string =>
  [headOf(run, now), ...outcomeLines(run), ...reasonLines(run)].join('\n');

const outcomeLines = (run: PeriodRun): readonly string[] => {
  const outcome = outcomeIn(run);
  if (!outcome) return [];
  const { variance, open, folder } = outcome;
  const figures = `variance ${shownMoney(parseMoney(variance) ?? ZERO)}, ${shownNumber(open, 'open exception')}`;
  return [figures, folder].map((line) => `${' '.repeat(18)} ${line}`);
};

const headOf = (run: PeriodRun, now: Instant): string => {
  const { period, started, filesOf, filesAreCurrent, isOutdated } = run;
  const line = `${period.padEnd(18)} ${endOf(run, now).padEnd(28)} run of ${minuteOf(started)} UTC`;
  if (filesOf === null || (filesAreCurrent && !isOutdated)) return line;
  const reason = filesAreCurrent
    ? 'what the exports say of it has changed since; close it again'
    : `its files are of the run of ${minuteOf(filesOf)} UTC`;
  return `${line}\n${' '.repeat(18)} NOT CURRENT: ${reason}`;
};

const minuteOf = (at: Instant): string => formatInstant(at).slice(0, 16).replace('T', ' ');

const DIGEST_SHOWN = 12;

/** Which periods are locked, and what ever happened to periods, as a person reads it. */
const lockLines = (locks: readonly Lock[], events: readonly PeriodEvent[]): readonly string[] => [
  ...locks.map(({ label, state, digest }) =>
    state === 'locked'
      ? `${label.padEnd(18)} locked, digest ${digest.slice(0, DIGEST_SHOWN)}`
      : `${label.padEnd(18)} to be closed: \`tieout late\` with --amend does it`,
  ),
  ...events.map(({ period, what, at, who, why }) => {
    const day = formatInstant(at).slice(0, 16).replace('T', ' ');
    const said = `${who === '' ? '' : ` by ${who}`}${why === '' ? '' : `: ${why}`}`;
    return `${period.padEnd(18)} ${what} on ${day} UTC${said}`;
  }),
];

/** The same for scripts. */
const lockObjects = (
  locks: readonly Lock[],
  events: readonly PeriodEvent[],
): { readonly locks: readonly object[]; readonly events: readonly object[] } => ({
  locks: locks.map(({ label, period, version, state, digest }) => ({
    label,
    period,
    version,
    state,
    digest,
  })),
  events: events.map(({ at, ...event }) => ({ ...event, at: formatInstant(at) })),
});
