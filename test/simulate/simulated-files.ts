import { createHash } from 'node:crypto';
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { Writable } from 'node:stream';
import { runningProcess, type SimulatedProcess } from './simulated-process.ts';

type Method = (...given: unknown[]) => Promise<unknown>;

const METHODS = ['mkdtemp', 'mkdir', 'writeFile', 'rename', 'rm', 'rmdir'] as const;

/** The last of the logs that are written before the workbooks. */
const LAST_LOG = 'report.ndjson.gz';

export type SimulatedFiles = {
  /** End this process when its evidence is written, before the workbooks. @returns digests of the logs by their names */
  readonly endBeforeBooks: (process: SimulatedProcess) => ReadonlyMap<string, string>;
  /** Give the process of the simulation its own files back. */
  readonly restore: () => void;
};

/** What ends a run that writes no workbooks: it has done all the rest. */
export class BeforeBooks extends Error {}

const full = (): Error => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

/** Make what processes of the simulation do to files effects of theirs. */
export const simulateFiles = (): SimulatedFiles => {
  const own = Object.fromEntries(METHODS.map((name) => [name, promises[name]]));
  const { createWriteStream } = fs;
  const logsOf = new WeakMap<SimulatedProcess, Map<string, string>>();
  for (const name of METHODS) {
    const original = promises[name] as Method;
    const watched: Method = (...given) => {
      const process = runningProcess.getStore();
      if (process === undefined) return original(...given);
      const words = `${name} ${basename(String(given[0])).replace(/(part|proof)-.*/, '$1')}`;
      return process.effect(words, () => original(...given), name === 'writeFile' ? full : undefined);
    };
    Object.assign(promises, { [name]: watched });
  }
  const streamTo: typeof createWriteStream = (path, options) => {
    const process = runningProcess.getStore();
    const logs = process && logsOf.get(process);
    if (logs === undefined) return createWriteStream(path, options);
    return digestOnly(basename(String(path)), logs) as ReturnType<typeof createWriteStream>;
  };
  Object.assign(fs, { createWriteStream: streamTo });
  syncBuiltinESMExports();
  return {
    endBeforeBooks: (process) => {
      const logs = new Map<string, string>();
      logsOf.set(process, logs);
      return logs;
    },
    restore: () => {
      Object.assign(promises, own);
      Object.assign(fs, { createWriteStream });
      syncBuiltinESMExports();
    },
  };
};

/** A file of which only the digest is kept; the last of the logs cannot be closed. */
const digestOnly = (name: string, logs: Map<string, string>): Writable => {
  const hash = createHash('sha256');
  return new Writable({
    write: (piece: Buffer, _, done) => {
      hash.update(piece);
      done();
    },
    final: (done) => {
      logs.set(name, hash.digest('hex'));
      done(name === LAST_LOG ? new BeforeBooks('the simulation writes no workbooks here') : null);
    },
  });
};
