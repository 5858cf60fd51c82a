import type { ContentCoverage } from '../../../contract/content-coverage.ts';
import type { TaxRequestInput } from '../../../contract/tax-request.ts';
import type { TaxResult } from '../../../contract/tax-result.ts';
import type { TaxService } from '../../../contract/tax-service.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Json } from '../../../kernel/digest.ts';
import type { Workers } from '../../../runtime/worker-pool.ts';
import type { LoadedConfiguration } from '../../configuration/load-configuration.ts';
import type { WorksWith } from '../../configuration/parts.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** What every stage of a close works with. */
export type ClosePorts = WorksWith & {
  readonly configuration: LoadedConfiguration;
  readonly workspace: Workspace;
  readonly service: TaxService;
  /** What Tieout's own engine and content say, where another service answers. */
  readonly secondOpinion?: SecondOpinion;
  /** Where records are kept: `embedded`, or the address of a remote service. */
  readonly serviceName: string;
  /** States of the configuration in which the account with a remote service has no nexus. */
  readonly nexusMissing?: readonly string[];
  /** Calls under way at once: as many as a remote service is to bear, or as the embedded one commits together. */
  readonly callsAtOnce: number;
  /**
   * Calculations that may wait to be kept together, beside those in flight: what a kill costs. Few where asking again
   * costs money, many where it costs nothing.
   */
  readonly answersAtRisk: number;
  /** What went over the wire so far, where there is one. It varies from run to run and never reaches the output. */
  readonly metered?: () => Readonly<Record<string, Json>>;
  /** Who does the batches of a stage; this process by itself when absent. */
  readonly workers?: Workers;
  /** Who does the pages of a large period side by side, in this process; this thread alone when absent. */
  readonly threads?: Threads;
  /** The folder below which `<entity>/<period>/` is written. */
  readonly output: string;
  /** Name and version of the program, printed in the workbooks. */
  readonly program: string;
  readonly clock: Clock;
  /** Calculations that may be asked for; unlimited when absent. */
  readonly maxCalculations?: number | undefined;
  /** Ask again for what is known. */
  readonly recompute: boolean;
  /** Told of the report of each period that a run has closed. */
  readonly published?: (report: PeriodReport) => void;
};

/** A calculation in this process, without a call. */
export type SecondOpinion = {
  /** Which tax content it rests on. */
  readonly content: string;
  readonly coverage: ContentCoverage;
  /** @throws {ServiceRefusal} */
  readonly calculate: (request: TaxRequestInput) => TaxResult;
};

/** Threads of the process. */
export type Threads = Workers & {
  /** Work on fewer sales is not worth theirs: it is done before another thread has begun, if none has so far. */
  readonly salesMin: () => number;
  /** Have the first that is free do a piece whose result is handed over; absent where that wins nothing. */
  readonly ask?: (piece: Json, waiting: () => void) => Promise<Json>;
  /** Have them begin now: they are ready when this thread comes to what they can share. */
  readonly begin: () => void;
  /** End those that have nothing to do, so that they take no memory. They begin again with the next piece. */
  readonly rest: () => Promise<void>;
};

/** How the id of every embedded service begins; that of a remote one begins with its address. */
export const EMBEDDED = 'embedded in Tieout ';

/** Whether the service answers in this process, so that asking again costs nothing. */
export const isEmbedded = ({ serviceId }: Pick<ClosePorts, 'serviceId'>): boolean =>
  serviceId.startsWith(EMBEDDED);

/** Tell how far a stage is. */
export type Advanced = (done: number, total?: number) => void;
