import { readFileSync } from 'node:fs';
import type { CommandIo } from './cli/io.ts';
import { run } from './cli/run.ts';
import { systemClock } from './kernel/clock.ts';
import { holdYoungSpace } from './runtime/hold-young-space.ts';

/**
 * The composition root: the one place that touches the process and builds things. What it builds is imported only
 * when it is built, so that a command pays for nothing that it does not use.
 */

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

// Secrets come from the environment, so a report that Node writes of a crash must not hold it.
process.report.excludeEnv = true;

const END_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const io: CommandIo = {
  print: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  clock: systemClock,
  program: `Tieout ${version}`,

  loadContent: async (folder) => (await import('./service/content/load-content.ts')).loadContent(folder),

  withLedger: async (url, work) => (await import('./with-ledger.ts')).withLedger(url, systemClock, work),

  withWorkspace: async (configuration, work) => {
    const { connect } = await import('./database/connect.ts');
    const { openWorkspace } = await import('./close/workspace/workspace.ts');
    const database = await connect(configuration.resolveUrl(configuration.databases.workspace));
    try {
      return await work(await openWorkspace(database, configuration.entity));
    } finally {
      await database.close();
    }
  },

  withWorkspaceAlone: async (configuration, work) => {
    const { connect } = await import('./database/connect.ts');
    const { takeRunLock } = await import('./database/run-lock.ts');
    const { openWorkspace } = await import('./close/workspace/workspace.ts');
    const database = await connect(configuration.resolveUrl(configuration.databases.workspace));
    try {
      const lock = await takeRunLock(database, `process ${process.pid}`);
      try {
        return await work(await openWorkspace(database, configuration.entity));
      } finally {
        await lock.release();
      }
    } finally {
      await database.close();
    }
  },

  withClose: async (configuration, options, work) => {
    holdYoungSpace();
    const { buildClose } = await import('./build-close.ts');
    return buildClose(
      {
        ...options,
        configuration,
        clock: systemClock,
        version,
        variable: (name) => process.env[name],
        process: process.pid,
      },
      work,
    );
  },

  withService: async (configuration, choice, work) => {
    const { withService } = await import('./build-service.ts');
    const variable = (name: string) => process.env[name];
    const settings = { configuration, clock: systemClock, version, variable };
    return withService({ ...settings, ...choice, ledger: 'sqlite::memory:' }, work);
  },

  withScratch: async (work) => {
    holdYoungSpace();
    const { connect } = await import('./database/connect.ts');
    const { openWorkspace } = await import('./close/workspace/workspace.ts');
    const database = await connect('sqlite::memory:');
    try {
      return await work(await openWorkspace(database, 'trial'));
    } finally {
      await database.close();
    }
  },

  serve: async (options) => {
    const { buildServer } = await import('./build-server.ts');
    return buildServer(options, io, (text) => process.stderr.write(text));
  },

  importFile: async (file) => (await import('./import-file.ts')).importFile(file),

  openLog: async (options) => (await import('./build-log.ts')).buildLog(options),

  watchSignals: (told) => {
    let isAsked = false;
    const release = () => {
      for (const signal of END_SIGNALS) process.removeListener(signal, stop);
    };
    const stop = () => {
      isAsked = true;
      release();
      told();
    };
    for (const signal of END_SIGNALS) process.once(signal, stop);
    return { isAsked: () => isAsked, release };
  },

  untilAskedToEnd: () =>
    new Promise((resolve) => {
      for (const signal of END_SIGNALS) process.once(signal, () => resolve());
    }),
};

process.exitCode = await run(process.argv.slice(2), version, io);
