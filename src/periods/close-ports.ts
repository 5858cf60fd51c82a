import { join } from 'node:path';
import * as z from 'zod';
import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import type { WorksWith } from '../configuration/parts.ts';
import type { TaxResult } from '../contract/tax-result.ts';
import type { ContentCoverage, OwnEngine, TaxService } from '../contract/tax-service.ts';
import type { CalendarDate, Clock } from '../kernel/calendar.ts';
import { type FilingPeriod, parseVersion } from '../kernel/period.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';

/** The configuration, services and limits that every stage of a close works with. */
export type ClosePorts = WorksWith & {
  readonly configuration: LoadedConfiguration;
  readonly service: TaxService;
  /** Has the disk keep what was recorded with a service of this process, before books say that it was. */
  readonly sync?: () => Promise<void>;
  /** Tieout's own engine and its content, when another service is used. */
  readonly secondOpinion?: SecondOpinion;
  /** The service that keeps the records: `embedded`, or the address of a remote service. */
  readonly serviceName: string;
  /** Configured states in which the account with a remote service has no nexus today. */
  readonly nexusMissing?: readonly string[];
  /**
   * The most parallel calls: the limit for a remote service, or the number that the embedded service commits together.
   */
  readonly callsAtOnce: number;
  /** Workers of a queue that settle batches of sales; when absent, this process does all of it. */
  readonly queued?: QueuedWorkers;
  /** The folder `.tieout`: run lock, runs, answers of a remote service, and what does not fit in memory. */
  readonly state: string;
  /** The answers of a remote service that were paid for. */
  readonly answers?: AnswerStore;
  /** The folder below which `<entity>/<period>/` is written. */
  readonly output: string;
  /** Name and version of the program, printed in the workbooks. */
  readonly program: string;
  readonly clock: Clock;
  /** The most calculations that may be requested; unlimited when absent. */
  readonly maxCalculations?: number | undefined;
  /** Whether the sample for an auditor's tests is written as well. */
  readonly workingPapers?: boolean | undefined;
};

/** Workers in other processes. */
export type QueuedWorkers = {
  readonly salesPerBatch: number;
  /** Has a worker do a batch, and returns its answer. `waiting` is called repeatedly, and ends the wait by throwing. */
  readonly ask: (work: string, waiting: () => void) => Promise<string>;
  /** @throws {TieoutError} E_DATABASE_UNREACHABLE when another close may use the queue by now */
  readonly checkLock: () => void;
};

/** An answer, as JSON, by the digest of service and request. */
export type AnswerRow = {
  readonly digest: string;
  readonly result: string;
};

/** Where the answers of a remote service are kept. */
export type AnswerStore = {
  readonly results: (digests: readonly string[]) => Promise<ReadonlyMap<string, TaxResult>>;
  readonly keep: (rows: readonly AnswerRow[]) => Promise<void>;
};

/** The calculation with which the answers of another service are compared. */
export type SecondOpinion = Pick<OwnEngine, 'calculate'> & {
  /** The tax content that it is based on. */
  readonly content: string;
  readonly coverage: ContentCoverage;
};

/** The prefix of the id of every embedded service. The id of a remote service begins with its address. */
export const EMBEDDED = 'embedded in Tieout ';

/** Whether the service runs in this process, so that repeating a calculation is free. */
export const isEmbedded = ({ serviceId }: Pick<ClosePorts, 'serviceId'>): boolean =>
  serviceId.startsWith(EMBEDDED);

/** Reports the progress of a stage. */
export type Advanced = (done: number, total?: number) => void;

/** Returns the folder for the workbooks and the evidence of a period. */
export const periodFolder = (
  { output, configuration }: Pick<ClosePorts, 'output' | 'configuration'>,
  period: Pick<FilingPeriod, 'label'>,
): string => join(output, configuration.entity, period.label);

/** Follows the state of books that may still miss sales. */
export const PRELIMINARY = 'preliminary: the period is not over';

type Clocked = Pick<ClosePorts, 'configuration' | 'clock'>;

/** Returns today in the seller's time zone. */
export const todayOf = ({ configuration, clock }: Clocked): CalendarDate =>
  zoneCalendar(configuration.timeZone).dateAt(clock.now());

/** Returns today in the seller's time zone if the period is not over; otherwise `undefined`. */
export const dayBeforeEnd = (
  ports: Clocked,
  { last }: Pick<FilingPeriod, 'last'>,
): CalendarDate | undefined => {
  const today = todayOf(ports);
  return last < today ? undefined : today;
};

/** Returns a message for a period that is not over in the seller's time zone; otherwise `undefined`. */
export const runningPeriod = (ports: Clocked, { label, first, last }: FilingPeriod): string | undefined => {
  const today = dayBeforeEnd(ports, { last });
  if (today === undefined) return undefined;
  const why = today < first ? `begins on ${first}` : `ends on ${last}`;
  return `${label} ${why}, and today is ${today}: these books are preliminary; close it again after its last day`;
};

/** Says why the books of a period are out of date: `2026-09, on which it builds, was closed again since`. */
export const outdatedText = (before: string): string =>
  `${before}, on which it builds, was closed again since`;

/**
 * A filing period as a person writes it: `2026-10`, `2026-Q3`, `2026-H1`, `2026` or `2026-10..2027-03`; or an amended
 * version of one, `2026-10-amended-1`.
 */
export const PeriodParam = z.string().transform((text, context): FilingPeriod => {
  const period = parseVersion(text);
  if (period) return period;
  context.issues.push({ code: 'custom', input: text, message: 'is not a filing period' });
  return z.NEVER;
});
