import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { styleText } from 'node:util';
import type { CommandIo, Paint, Tone } from '../cli/io.ts';
import type { Verified } from '../evidence/verify-evidence.ts';
import { systemClock } from '../kernel/calendar.ts';
import { holdMemory, holdPauses } from '../runtime/hold-memory.ts';

/** The surroundings of commands: those of the process, or substitutes in a test. */
export type ProcessEnvironment = Pick<CommandIo, 'print' | 'warn' | 'isTerminal' | 'variable'> & {
  /** Without it, output has no colours. */
  readonly paint?: CommandIo['paint'];
  readonly version: string;
};

const END_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Builds everything that commands need from their surroundings. Modules are imported only when they are used, so that a
 * command does not pay for the others.
 */
export const buildIo = ({
  version,
  variable,
  print,
  warn,
  isTerminal,
  paint,
}: ProcessEnvironment): CommandIo => {
  const ending = new AbortController();
  const io: CommandIo = {
    print,
    warn,
    isTerminal,
    paint: paint ?? ((_tone, text) => text),
    variable,
    clock: systemClock,
    program: `Tieout ${version}`,
    folder: dirname(String(findPackageJSON(import.meta.url))),
    build: async () => (await import('./program.ts')).programDigest(),

    loadContent: async (folder) => (await import('../content/load-content.ts')).loadWholeContent(folder),

    withLedger: async (url, work) => (await import('./build-service.ts')).withLedger(url, systemClock, work),

    withRunLock: async (configuration, work) =>
      (await import('./build-service.ts')).withRunLock(configuration, process.pid, work),

    withClose: async (configuration, options, work) => {
      holdMemory();
      const { buildClose } = await import('./build-close.ts');
      return buildClose(
        {
          ...options,
          configuration,
          clock: systemClock,
          version,
          variable,
          process: process.pid,
          ending: ending.signal,
        },
        work,
      );
    },

    withWorker: async (configurations, options, work) => {
      holdMemory();
      const { buildWorker } = await import('./build-worker.ts');
      const settings = {
        clock: systemClock,
        version,
        variable,
        ending: ending.signal,
        process: process.pid,
      };
      return buildWorker({ ...settings, ...options, configurations }, work);
    },

    askService: async (configuration) => {
      const { withService } = await import('./build-service.ts');
      const service = { ...configuration.service, retries: 0, timeoutSeconds: 10 };
      const once = { ...configuration, service };
      const options = { configuration: once, content: undefined, clock: systemClock, version, variable };
      return withService(options, async ({ nexusMissing = [], servedContent }) => ({
        nexusMissing,
        servedContent,
      }));
    },

    tryExports: async (channel, entries) => {
      holdMemory();
      return (await import('../setup/try-exports.ts')).tryExports(channel, entries);
    },

    serve: async (options) => {
      holdPauses();
      const { processes } = options;
      return processes === undefined
        ? (await import('./build-server.ts')).buildServer(options, io, warn)
        : (await import('./serve-processes.ts')).serveOnProcesses(options, processes, warn);
    },

    verify: async (folders, options) => {
      holdMemory();
      const { verifyEvidence } = await import('../evidence/verify-evidence.ts');
      const verified: Verified[] = [];
      for (const folder of folders) verified.push(await verifyEvidence(folder, options));
      return verified;
    },

    openLog: async (options) => (await import('./build-log.ts')).buildLog(options, warn),

    watchSignals: (told) => {
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

    untilAskedToEnd: () =>
      new Promise((resolve) => {
        for (const signal of END_SIGNALS) process.once(signal, () => resolve());
      }),
  };
  return io;
};

const STYLES = { good: 'green', bad: 'red', heading: 'bold' } as const satisfies Record<Tone, string>;

/** Colours text if the terminal supports it. Node respects NO_COLOR, and FORCE_COLOR if there is no terminal. */
export const terminalPaint: Paint = (tone, text, stream = 'stdout') =>
  styleText(STYLES[tone], text, { stream: process[stream] });
