import { historicalBackfill } from '../../pipelines/historical-backfill.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { buildClose } from '../../src/app/build-close.ts';
import { buildWorker } from '../../src/app/build-worker.ts';
import { tieChecks } from '../../src/books/checks.ts';
import { passes } from '../../src/books/checks-sheet.ts';
import { loadConfiguration } from '../../src/configuration/load-configuration.ts';
import { addLocks } from '../../src/core/lock.ts';
import type { ClosePorts } from '../../src/index.ts';
import { fixedClock, instant } from '../../src/kernel/calendar.ts';
import { type FilingPeriod, parseVersion } from '../../src/kernel/period.ts';
import { silentProgress, type Watch } from '../../src/runtime/pipeline.ts';
import { VERSION } from './command.ts';

/** What is run over the ports of a configuration. */
export const pipelines = { monthlyClose, historicalBackfill };

/** Locks a period, or signs it, as the commands do. */
export const addLine = (
  ports: ClosePorts,
  { label, ...wish }: Partial<Parameters<typeof addLocks>[1]> & { readonly label: string },
): ReturnType<typeof addLocks> =>
  addLocks(ports, {
    ...{ what: 'locked', name: 'Dana', role: '', openExceptions: '' },
    period: parseVersion(label) as FilingPeriod,
    ...wish,
  });

/** What pipelines work with. */
export type PipelinePorts = ClosePorts & Watch;
/** What a close is built of, where it is not to be as usual. */
export type PortOptions = Partial<Parameters<typeof buildClose>[0]>;
/** How a close hands its work out to workers. */
export type HandOut = NonNullable<PortOptions['workers']>;
export type WorkerPorts = Parameters<Parameters<typeof buildWorker>[1]>[0];
export type WorkerOptions = Partial<Omit<Parameters<typeof buildWorker>[0], 'configurations'>>;

/** November 2, 2026 by the clock, and no variables. */
const usual = {
  content: undefined,
  clock: fixedClock(instant(Date.UTC(2026, 10, 2))),
  version: VERSION,
  variable: () => undefined,
  process: process.pid,
};

/** Work with what a pipeline of a configuration works with. */
export const withPorts = async <Result>(
  config: string,
  work: (ports: PipelinePorts) => Promise<Result>,
  options: PortOptions = {},
): Promise<Result> =>
  buildClose(
    {
      ...usual,
      configuration: await loadConfiguration(config),
      output: undefined,
      maxCalculations: undefined,
      ...options,
    },
    // Without marks of its days: what a test puts around the service is asked in every close.
    ({ service: { dayMarks: _, ...service }, ...ports }) =>
      work({ ...ports, service, progress: silentProgress }),
  );

/** Work with what a worker of a configuration takes batches with. */
export const withWorker = async <Result>(
  config: string,
  work: (ports: WorkerPorts) => Promise<Result>,
  options: WorkerOptions = {},
): Promise<Result> =>
  buildWorker({ ...usual, configurations: [await loadConfiguration(config)], ...options }, work);

/** The ids of the checks of Tie-out that fail by a report. */
export const failingTies = (report: Parameters<typeof tieChecks>[0]): readonly string[] =>
  tieChecks(report).flatMap((check) => (passes(check) ? [] : [check.id]));
