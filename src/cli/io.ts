import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import type { Verified, VerifyOptions } from '../close/evidence/verify-evidence.ts';
import type { ClosePorts } from '../close/stages/run/close-ports.ts';
import type { NotedRun } from '../close/stages/run/record-run.ts';
import type { BatchRunner } from '../close/stages/sharing/run-batch.ts';
import type { Workspace } from '../close/workspace/workspace.ts';
import type { Clock } from '../kernel/clock.ts';
import type { HandOutOptions } from '../queue/distribute-batches.ts';
import type { Taking } from '../queue/take-batches.ts';
import type { RunLog } from '../runtime/run-log.ts';
import type { Stopping } from '../runtime/stopping.ts';
import type { TaxContent } from '../service/content/tax-content.ts';
import type { TaxServer } from '../service/http/tax-server.ts';
import type { Ledger } from '../service/ledger/ledger.ts';

/** What a close may be asked for beside its configuration. */
export type CloseOptions = {
  readonly output: string | undefined;
  readonly content: string | undefined;
  readonly recompute: boolean;
  /** Instead of the configuration's. */
  readonly maxCalculations: number | undefined;
  /** What is to be noted as stopped when the tax service cannot even be reached. */
  readonly run?: NotedRun;
  /** Told when a remote service keeps the run waiting. */
  readonly onWait?: ((text: string) => void) | undefined;
  /** Hand batches out to workers. */
  readonly workers?: HandOutOptions | undefined;
  /** Instead of what the machine and the number of sales suggest. */
  readonly threads?: ThreadOptions;
};

export type ThreadOptions = {
  /** Threads beside this one. */
  readonly others?: number;
  /** Below so many sales of a period they are left alone. */
  readonly salesMin?: number;
};

export type ServeOptions = {
  readonly ledger: string;
  readonly content: string | undefined;
  readonly host: string;
  readonly port: number;
  /** The files of a PEM certificate and its key. They are read again by every process that starts. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  readonly insecure: boolean;
  readonly sandbox: boolean;
  readonly requestsPerMinuteMax?: number;
  /** Requests at once in a process, beyond which the answer is 503. */
  readonly waitingMax: number;
  /** How long requests are still taken after the service was asked to end. */
  readonly drainSeconds: number;
  /** Serve in so many processes, watched by this one. It serves itself when absent. */
  readonly processes?: number;
  readonly logLevel: LogLevel;
  /** Where metrics are served, if anywhere. */
  readonly metrics?: { readonly host: string; readonly port: number };
};

/** A log for machines. Nothing is logged when neither is given; a file alone gets `info` and what is worse. */
export type LogOptions = { readonly level: RunLogLevel | undefined; readonly file: string | undefined };
export const RUN_LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type RunLogLevel = (typeof RUN_LOG_LEVELS)[number];
export type OpenLog = { readonly log: RunLog; readonly close: () => void };

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The service, and where its metrics are when they are served. */
export type ServedService = TaxServer & {
  readonly metricsUrl?: string;
  /** Rejects when the service cannot go on. */
  readonly failed?: Promise<never>;
};

/** What a worker works with: the ports of each entity, and the queue. */
export type WorkerPorts = {
  /** How it calls itself. */
  readonly name: string;
  readonly closes: readonly ClosePorts[];
  /** Does a batch of any of these closes. */
  readonly doBatch: BatchRunner;
  /** Answers why it refused a batch, or `undefined` when it was asked to stop. */
  readonly takeBatches: (taking: Taking) => Promise<string | undefined>;
};

/** Which tax service is built alone. */
export type ComparisonServiceChoice = {
  /** The address of a remote service; the embedded one when absent. */
  readonly url: string | undefined;
  /** The folder of the embedded service's tax content. */
  readonly content: string | undefined;
};

/** A tax service by itself. Its books are in memory, so that nothing is recorded in those of the configuration. */
export type ComparisonService = Pick<ClosePorts, 'service' | 'serviceName' | 'serviceId' | 'nexusMissing'> & {
  /** Which tax content a remote service says that it calculates by; `undefined` if it names none. */
  readonly servedContent?: string | undefined;
};

export const TONES = ['good', 'bad', 'heading'] as const;
export type Tone = (typeof TONES)[number];
export type Paint = (tone: Tone, text: string, stream?: 'stdout' | 'stderr') => string;

/** What commands need from the world. The composition root gives it to them; tests may give another. */
export type CommandIo = {
  /** To standard output. */
  readonly print: (text: string) => void;
  /** To standard error. */
  readonly warn: (text: string) => void;
  /** Give a text on standard output, or on standard error, a colour where colours are shown. */
  readonly paint: Paint;
  /** Whether a person watches standard error. */
  readonly isTerminal: boolean;
  /** Ask the person at the terminal; absent where no one can answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  readonly clock: Clock;
  /** Reads the environment. */
  readonly variable: (name: string) => string | undefined;
  /** The program and its version, `Tieout 1.2.3`. */
  readonly program: string;
  /** Where the program lies, with its README and docs. */
  readonly folder: string;
  /** Digest of the program's files: it draws the same bytes as another one of the same digest. */
  readonly build: () => Promise<string>;
  /** Build everything a close works with, do the work, and put it all away again, whatever happens. */
  readonly withClose: <Result>(
    configuration: LoadedConfiguration,
    options: CloseOptions,
    work: (ports: ClosePorts) => Promise<Result>,
  ) => Promise<Result>;
  /** Build what a worker of these entities needs, and put it away again. The run lock stays with the close. */
  readonly withWorker: <Result>(
    configurations: readonly LoadedConfiguration[],
    options: { readonly content: string | undefined },
    work: (ports: WorkerPorts) => Promise<Result>,
  ) => Promise<Result>;
  /** Build a tax service alone, with nothing of a close, and put it away again. */
  readonly withService: <Result>(
    configuration: LoadedConfiguration,
    choice: ComparisonServiceChoice,
    work: (service: ComparisonService) => Promise<Result>,
  ) => Promise<Result>;
  /** Open what the closes of an entity know so far, without taking their lock, and close it again. */
  readonly withWorkspace: <Result>(
    configuration: LoadedConfiguration,
    work: (workspace: Workspace) => Promise<Result>,
  ) => Promise<Result>;
  /** The same, alone: no other run may be at work. The tax service is not needed; `output` is where periods are published. */
  readonly withWorkspaceAlone: <Result>(
    configuration: LoadedConfiguration,
    output: string,
    work: (workspace: Workspace) => Promise<Result>,
  ) => Promise<Result>;
  /** The same, for what gives the workspace the locks and signatures of published folders that it lacks. */
  readonly withWorkspaceAdopting: <Result>(
    configuration: LoadedConfiguration,
    work: (workspace: Workspace) => Promise<Result>,
  ) => Promise<Result>;
  /** A workspace in memory, empty, and forgotten after the work. */
  readonly withScratch: <Result>(work: (workspace: Workspace) => Promise<Result>) => Promise<Result>;
  /** Open the books of the service at a database address, and close them again. */
  readonly withLedger: <Result>(url: string, work: (ledger: Ledger) => Promise<Result>) => Promise<Result>;
  /** Load the tax content of a folder, or the one that comes with the program. */
  readonly loadContent: (folder: string | undefined) => Promise<TaxContent>;
  /** Start the tax service over HTTP; it runs until it is stopped. */
  readonly serve: (options: ServeOptions) => Promise<ServedService>;
  /** Verify the evidence of periods side by side; answers in the order of their folders. */
  readonly verify: (folders: readonly string[], options: VerifyOptions) => Promise<readonly Verified[]>;
  /** Import a file of the user's, in which `tieout` is this program. */
  readonly importFile: (file: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Open a log; it is written line by line, so that a killed run leaves what it did. */
  readonly openLog: (options: LogOptions) => Promise<OpenLog>;
  /**
   * From now on take the first signal to end as a wish to stop, and say so through `told`. A second one ends the
   * process at once, as any does after `release`.
   */
  readonly watchSignals: (told: () => void) => Stopping & { readonly release: () => void };
  /** Resolves when the process is asked to end. */
  readonly untilAskedToEnd: () => Promise<void>;
};
