import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import type { CommandIo } from '../cli/io.ts';
import { systemClock } from '../kernel/clock.ts';
import { holdMemory, holdPauses } from '../runtime/hold-memory.ts';

/** The surroundings of commands: those of the process, or substitutes in a test. */
export type ProcessEnvironment = Pick<CommandIo, 'print' | 'warn' | 'isTerminal' | 'ask' | 'variable'> & {
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
  ask,
  paint,
}: ProcessEnvironment): CommandIo => {
  let isEnding = false;
  const io: CommandIo = {
    print,
    warn,
    isTerminal,
    ask,
    paint: paint ?? ((_tone, text) => text),
    variable,
    clock: systemClock,
    program: `Tieout ${version}`,
    folder: dirname(String(findPackageJSON(import.meta.url))),
    build: async () => (await import('./program-digest.ts')).programDigest(),

    loadContent: async (folder) =>
      (await import('../service/content/load-content.ts')).loadWholeContent(folder),

    withLedger: async (url, work) => (await import('./with-ledger.ts')).withLedger(url, systemClock, work),

    withRunLock: async (configuration, work) =>
      (await import('./with-run-lock.ts')).withRunLock(configuration, process.pid, work),

    withClose: async (configuration, options, work) => {
      holdMemory();
      const { buildClose } = await import('./close/build-close.ts');
      return buildClose(
        {
          ...options,
          configuration,
          clock: systemClock,
          version,
          variable,
          process: process.pid,
          isEnding: () => isEnding,
        },
        work,
      );
    },

    withWorker: async (configurations, options, work) => {
      holdMemory();
      const { buildWorker } = await import('./close/build-worker.ts');
      const settings = {
        clock: systemClock,
        version,
        variable,
        isEnding: () => isEnding,
        process: process.pid,
      };
      return buildWorker({ ...settings, ...options, configurations }, work);
    },

    withService: async (configuration, choice, work) => {
      const { withService } = await import('./build-service.ts');
      const settings = { configuration, clock: systemClock, version, variable, isEnding: () => isEnding };
      return withService({ ...settings, ...choice, ledger: 'sqlite::memory:' }, work);
    },

    tryExports: async (channel, entries) => {
      holdMemory();
      return (await import('../setup/try-exports.ts')).tryExports(channel, entries);
    },

    serve: async (options) => {
      holdPauses();
      const { processes } = options;
      const served =
        processes === undefined
          ? await (await import('./serve/build-server.ts')).buildServer(options, io, warn)
          : await (await import('./serve/serve-processes.ts')).serveOnProcesses(
              options,
              processes,
              systemClock,
              warn,
            );
      // Without a certificate the signal ends the process, as it ends any program whose terminal is closed.
      if (served.renewCertificate) process.on('SIGHUP', served.renewCertificate);
      return served;
    },

    verify: async (folders, options) => {
      holdMemory();
      return (await import('./verify/verify-folders.ts')).verifyFolders(folders, options);
    },

    openLog: async (options) => (await import('./build-log.ts')).buildLog(options, warn),

    watchSignals: (told) => {
      const release = () => {
        for (const signal of END_SIGNALS) process.removeListener(signal, stop);
      };
      const stop = () => {
        isEnding = true;
        release();
        told();
      };
      for (const signal of END_SIGNALS) process.once(signal, stop);
      return { isAsked: () => isEnding, release };
    },

    untilAskedToEnd: () =>
      new Promise((resolve) => {
        for (const signal of END_SIGNALS) process.once(signal, () => resolve());
      }),
  };
  return io;
};
