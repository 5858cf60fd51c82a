import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import type { TaxContent } from '../content/tax-content.ts';
import type { BatchTaker } from '../core/share.ts';
import type { Verified, VerifyOptions } from '../evidence/verify-evidence.ts';
import type { Clock } from '../kernel/calendar.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ClosePorts, QueuedWorkers } from '../periods/close-ports.ts';
import type { NotedStart } from '../periods/runs.ts';
import type { HandOutOptions } from '../queue/distribute-batches.ts';
import type { Taking } from '../queue/take-batches.ts';
import type { Stopping } from '../runtime/pipeline.ts';
import type { RunLog } from '../runtime/progress.ts';
import type { TaxServer } from '../service/tax-server.ts';
import type { TryExports } from '../setup/try-exports.ts';

/** Options of a close besides its configuration. */
export type CloseOptions = {
  readonly output: string | undefined;
  readonly content: string | undefined;
  readonly recompute: boolean;
  readonly workingPapers?: boolean | undefined;
  /** Replaces the configuration's limit. */
  readonly maxCalculations: number | undefined;
  /** The run to record as stopped if the tax service cannot be reached at all. */
  readonly run?: NotedStart;
  /** Called when a remote service or missing workers delay the run. */
  readonly onWait?: ((text: string) => void) | undefined;
  /** Hands out batches to workers. */
  readonly workers?: (HandOutOptions & Pick<QueuedWorkers, 'salesPerBatch'>) | undefined;
};

/** The options of `tieout serve`. */
export type ServeOptions = {
  readonly ledger: string;
  readonly content?: string;
  readonly host: string;
  readonly port: number;
  /** The files of a PEM certificate and its key. Every process reads them when it starts. */
  readonly certificate?: string;
  readonly key?: string;
  readonly insecure?: boolean;
  /** Seconds during which requests are still accepted after the service was asked to stop. */
  readonly drain: number;
  /** Number of serving processes, started by this one; if absent, this process serves. */
  readonly processes?: number;
  readonly logLevel: LogLevel;
  /** Port of the metrics, if they are served. */
  readonly metricsPort?: number;
  readonly metricsHost: string;
};

/** A log for machines. Without options there is no log; a file alone gets the level `info`. */
export type LogOptions = { readonly level: RunLogLevel | undefined; readonly file: string | undefined };
export const RUN_LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type RunLogLevel = (typeof RUN_LOG_LEVELS)[number];
export type OpenLog = { readonly log: RunLog; readonly close: () => void };

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The service, and the address of its metrics if they are served. */
export type ServedService = Pick<TaxServer, 'url' | 'stop'> & {
  readonly metricsUrl?: string;
  /** Rejects when the service cannot continue. */
  readonly failed?: Promise<never>;
};

/** The ports of a worker: those of each entity, and the queue. */
export type WorkerPorts = {
  /** The name of the worker. */
  readonly name: string;
  readonly entities: readonly string[];
  /** Does a batch of any of these entities. */
  readonly doBatch: BatchTaker;
  /** Resolves with the reason why it refused a batch, or `undefined` when it was asked to stop. */
  readonly takeBatches: (taking: Taking) => Promise<string | undefined>;
};

export const TONES = ['good', 'bad', 'heading'] as const;
export type Tone = (typeof TONES)[number];
export type Paint = (tone: Tone, text: string, stream?: 'stdout' | 'stderr') => string;

/** Everything that commands need from outside. The composition root provides it; tests may substitute it. */
export type CommandIo = {
  /** Prints to standard output. */
  readonly print: (text: string) => void;
  /** Prints to standard error. */
  readonly warn: (text: string) => void;
  /** Colours a text for standard output or standard error if colours are supported. */
  readonly paint: Paint;
  /** Whether standard error is a terminal. */
  readonly isTerminal: boolean;
  readonly clock: Clock;
  /** Reads an environment variable. */
  readonly variable: (name: string) => string | undefined;
  /** The program and its version, `Tieout 1.2.3`. */
  readonly program: string;
  /** The folder of the program, with its README and docs. */
  readonly folder: string;
  /** Digest of the program's files: two programs with the same digest produce the same bytes. */
  readonly build: () => Promise<string>;
  /** Builds everything a close needs, runs the work, and closes all of it in any case. */
  readonly withClose: <Result>(
    configuration: LoadedConfiguration,
    options: CloseOptions,
    work: (ports: ClosePorts) => Promise<Result>,
  ) => Promise<Result>;
  /** Builds and afterwards closes what a worker of these entities needs. The run lock stays with the close. */
  readonly withWorker: <Result>(
    configurations: readonly LoadedConfiguration[],
    options: { readonly content: string | undefined },
    work: (ports: WorkerPorts) => Promise<Result>,
  ) => Promise<Result>;
  /** Asks the remote service of a configuration once, and fails where a close would wait and try again. */
  readonly askService: (configuration: LoadedConfiguration) => Promise<{
    /** The states of the configuration in which the service has no nexus. */
    readonly nexusMissing: readonly string[];
    /** The tax content that the service reports; `undefined` if it does not report one. */
    readonly servedContent: string | undefined;
  }>;
  /** Runs work while no other process closes or locks with the configuration. */
  readonly withRunLock: <Result>(
    configuration: LoadedConfiguration,
    work: () => Promise<Result>,
  ) => Promise<Result>;
  readonly tryExports: TryExports;
  /** Opens and afterwards closes the service's database at an address. */
  readonly withLedger: <Result>(url: string, work: (ledger: Ledger) => Promise<Result>) => Promise<Result>;
  /** Loads the tax content of a folder, or the built-in one. */
  readonly loadContent: (folder: string | undefined) => Promise<TaxContent>;
  /** Starts the tax service over HTTP; it runs until it is stopped. */
  readonly serve: (options: ServeOptions) => Promise<ServedService>;
  /** Verifies the evidence of periods in parallel; the results are in the order of the folders. */
  readonly verify: (folders: readonly string[], options: VerifyOptions) => Promise<readonly Verified[]>;
  /** Opens a log, which is written line by line, so that a killed run leaves a record. */
  readonly openLog: (options: LogOptions) => Promise<OpenLog>;
  /**
   * Treats the first termination signal as a request to stop, and reports it through `told`. A second one ends the
   * process at once, as does any signal after `release`.
   */
  readonly watchSignals: (told: () => void) => Stopping & { readonly release: () => void };
  /** Resolves when the process is asked to stop. */
  readonly untilAskedToEnd: () => Promise<void>;
};
