import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import type { CloseOptions } from '../app/build-close.ts';
import type { WorkerPorts } from '../app/build-worker.ts';
import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { systemClock } from '../kernel/calendar.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import { holdMemory } from '../runtime/hold-memory.ts';
import type { Stopping } from '../runtime/pipeline.ts';

/** The surroundings of commands: those of the process, or substitutes in a test. */
export type Surroundings = {
  /** Prints to standard output. */
  readonly print: (text: string) => void;
  /** Prints to standard error. */
  readonly warn: (text: string) => void;
  /** Whether standard error is a terminal. */
  readonly isTerminal: boolean;
  /** Reads an environment variable; secrets are stored nowhere else. */
  readonly variable: (name: string) => string | undefined;
  readonly version: string;
};

/** Everything that commands need from outside; a test may put other parts in place of these. */
export type CommandIo = ReturnType<typeof buildIo>;

const END_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Builds everything that commands need from their surroundings. Modules are imported only when they are used, so that a
 * command does not pay for the others.
 */
export const buildIo = (surroundings: Surroundings) => {
  const { version, variable } = surroundings;
  const ending = new AbortController();
  /** What every command that builds a service has of the process. */
  const ofProcess = {
    clock: systemClock,
    version,
    variable,
    process: process.pid,
    ending: ending.signal,
  };
  return {
    ...surroundings,
    clock: systemClock,
    /** The program and its version, `Tieout 1.2.3`. */
    program: `Tieout ${version}`,
    /** The folder of the program, with its README and docs. */
    folder: dirname(String(findPackageJSON(import.meta.url))),

    /** Builds everything a close needs, runs the work, and closes all of it in any case. */
    withClose: async <Result>(
      configuration: LoadedConfiguration,
      options: CloseOptions,
      work: (ports: ClosePorts) => Promise<Result>,
    ): Promise<Result> => {
      holdMemory();
      const { buildClose } = await import('../app/build-close.ts');
      return buildClose({ ...options, ...ofProcess, configuration }, work);
    },

    /** Builds and afterwards closes what a worker of these entities needs. The run lock stays with the close. */
    withWorker: async <Result>(
      configurations: readonly LoadedConfiguration[],
      options: { readonly content: string | undefined },
      work: (ports: WorkerPorts) => Promise<Result>,
    ): Promise<Result> => {
      holdMemory();
      const { buildWorker } = await import('../app/build-worker.ts');
      return buildWorker({ ...options, ...ofProcess, configurations }, work);
    },

    /**
     * Treats the first termination signal as a request to stop, and reports it through `told`. A second one ends the
     * process at once, as does any signal after `release`.
     */
    watchSignals: (told: () => void): Stopping & { readonly release: () => void } => {
      const release = () => {
        for (const signal of END_SIGNALS) process.removeListener(signal, stop);
      };
      const stop = () => {
        ending.abort();
        release();
        told();
      };
      for (const signal of END_SIGNALS) process.once(signal, stop);
      return { isAsked: () => ending.signal.aborted, release };
    },

    /** Resolves when the process is asked to stop. */
    untilAskedToEnd: () =>
      new Promise<void>((resolve) => {
        for (const signal of END_SIGNALS) process.once(signal, () => resolve());
      }),
  };
};
