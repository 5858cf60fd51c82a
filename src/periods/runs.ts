import { randomUUID } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCK_FILE } from '../evidence/lock-line.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { Instant } from '../kernel/calendar.ts';
import { ExitCode, exitCodeOf, writtenError } from '../kernel/errors.ts';
import { jsonIn } from '../kernel/json.ts';
import { type FilingPeriod, versionBefore } from '../kernel/period.ts';
import { exists, provePublishable } from '../runtime/publish-folder.ts';
import { type ClosePorts, periodFolder } from './close-ports.ts';
import type { PublishedPeriod, PublishedPeriods } from './folders.ts';

/** The error that stopped a run, and what to do about it when that is known. */
export type RunError = {
  readonly code: string;
  readonly message: string;
  readonly nextStep?: string;
};

/**
 * A run of the close of a period, as a line of `.tieout/runs.ndjson`: when it began, and again once it ended. Times and
 * ids of runs stand here alone and never reach the output folder.
 */
export type Run = {
  readonly id: string;
  readonly entity: string;
  readonly period: string;
  readonly started: Instant;
  readonly finished?: Instant;
  /** `null` while it is running, and permanently when it was killed. */
  readonly exitCode: number | null;
  readonly error: RunError | null;
};

type Noting = Pick<ClosePorts, 'state' | 'clock' | 'configuration' | 'output'>;

/** Exit codes of runs that completed and wrote their files. */
const COMPLETE: ReadonlySet<number | null> = new Set([0, 1]);

/** Returns 0 when nothing that the policy forbids is open. */
export const exitCodeOfReport = (report: Pick<PeriodReport, 'readiness'>): ExitCode =>
  report.readiness.ready ? ExitCode.clean : ExitCode.open;

export const isComplete = ({ exitCode }: Pick<Run, 'exitCode'>): boolean => COMPLETE.has(exitCode);

const fileOf = (state: string): string => join(state, 'runs.ndjson');

/** Runs the close of a period, and notes its beginning and its end. */
export const notedRun = async <Closed extends { readonly written: { readonly report: PeriodReport } }>(
  ports: Noting,
  period: FilingPeriod,
  work: () => Promise<Closed>,
): Promise<Closed> => {
  const begun = beginning(ports, period);
  await noteLine(ports, begun);
  try {
    await provePublishable(periodFolder(ports, period));
    const closed = await work();
    await noteEnd(ports, begun, { exitCode: exitCodeOfReport(closed.written.report) });
    return closed;
  } catch (error) {
    await noteEnd(ports, begun, { exitCode: exitCodeOf(error), error: errorNote(error) });
    throw error;
  }
};

/** Notes a run that ended before that of its period began; of several periods, for those that were closed before and are open. */
export const noteFailedStart = async (
  ports: Noting,
  periods: readonly FilingPeriod[],
  error: unknown,
): Promise<void> => {
  for (const period of periods) {
    const folder = periodFolder(ports, period);
    const isOpen = periods.length === 1 || (await exists(folder));
    if (!isOpen || (await exists(join(folder, LOCK_FILE)))) continue;
    await noteEnd(ports, beginning(ports, period), { exitCode: exitCodeOf(error), error: errorNote(error) });
  }
};

const beginning = ({ configuration, clock }: Noting, period: FilingPeriod): Run => ({
  id: randomUUID(),
  entity: configuration.entity,
  period: period.label,
  started: clock.now(),
  exitCode: null,
  error: null,
});

const noteEnd = (ports: Noting, begun: Run, ended: Partial<Run>): Promise<void> =>
  noteLine(ports, { ...begun, finished: ports.clock.now(), ...ended });

const noteLine = async ({ state }: Noting, line: Run): Promise<void> =>
  appendFile(fileOf(state), `${JSON.stringify(line)}\n`, { mode: 0o600 });

/** Returns the error that stopped a run, as it is noted. */
const errorNote = (error: unknown): RunError =>
  writtenError(error) ?? {
    code: 'E_DEFECT',
    message: error instanceof Error ? error.message : String(error),
  };

/** Returns the runs of an entity, oldest first. A line that a kill cut short says nothing. */
export const runsOf = async (state: string, entity: string): Promise<readonly Run[]> => {
  const text = await readFile(fileOf(state), 'utf8').catch(() => '');
  const runs = new Map<string, Run>();
  for (const line of text.split('\n')) {
    const run = jsonIn(line) as Run | undefined;
    if (run) runs.set(run.id, run);
  }
  return [...runs.values()].filter((run) => run.entity === entity);
};

/** A closed period that is to be closed again, because one that it builds on was closed again since. */
export type OutdatedPeriod = {
  readonly label: string;
  readonly before: string;
};

/** Returns the period whose books were written again since a period was built on them; `undefined` if none was. */
export const rewrittenBefore = async (
  published: PublishedPeriods,
  { period, manifest, isLocked }: PublishedPeriod,
): Promise<string | undefined> => {
  if (isLocked) return undefined;
  const before = versionBefore(period);
  const now = before && (await published.last(before.label));
  const { previous } = manifest.content;
  if (previous?.contentDigest === now?.manifest.contentDigest) return undefined;
  return now?.period.label ?? previous?.period;
};

/** Returns the closed periods that build on books that were written again. */
export const outdatedPeriods = async (published: PublishedPeriods): Promise<readonly OutdatedPeriod[]> => {
  const outdated: OutdatedPeriod[] = [];
  for (const { label } of published.versions) {
    const found = await published.of(label);
    const before = found && (await rewrittenBefore(published, found));
    if (before !== undefined) outdated.push({ label, before });
  }
  return outdated;
};
