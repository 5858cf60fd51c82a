import fs, { copyFileSync, existsSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { isMainThread, Worker } from 'node:worker_threads';
import { Client } from 'pg';
import { DISK_FOLDER } from './disk.ts';
import { KILL_POINT, type KillPoint, type Operation, TALLY_FILE } from './kill-point.ts';

/**
 * `node --import` of this module counts what the process does to its files and databases, and kills it without warning
 * at the point that it is told.
 */

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Target = Record<string, Method>;

const wanted = process.env[KILL_POINT];
const point = wanted === undefined ? undefined : (JSON.parse(wanted) as KillPoint);
const tally: Partial<Record<Operation, number>> = {};

const { fdatasync } = fs;

/** The disk has taken a database and its log as they were when the trip began, once it is over. */
const keptOnDisk =
  (disk: string) =>
  (descriptor: number, done: fs.NoParamCallback): void => {
    const log = readlinkSync(`/proc/self/fd/${descriptor}`);
    const files = [log.replace(/-wal$/, ''), log].filter((path) => existsSync(path));
    const kept = files.map((path) => join(disk, basename(path)));
    for (const [index, path] of files.entries()) copyFileSync(path, `${kept[index]}.next`);
    fdatasync(descriptor, (error) => {
      for (const path of kept) renameSync(`${path}.next`, path);
      done(error);
    });
  };

const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
  // The signal is on its way; nothing more may be done until it is here.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};

/** Another thread that kills the process a while after it is told, whatever this one is at by then. */
const killerBeside = (afterMicroseconds: number): (() => void) => {
  const told = new Int32Array(new SharedArrayBuffer(8));
  const code = `const { workerData: told } = require('node:worker_threads');
    Atomics.store(told, 1, 1); Atomics.notify(told, 1);
    Atomics.wait(told, 0, 0);
    const until = process.hrtime.bigint() + ${afterMicroseconds * 1_000}n;
    while (process.hrtime.bigint() < until);
    process.kill(process.pid, 'SIGKILL');`;
  new Worker(code, { eval: true, workerData: told, execArgv: [] }).unref();
  Atomics.wait(told, 1, 0);
  return () => {
    Atomics.store(told, 0, 1);
    Atomics.notify(told, 0);
  };
};

const killBeside =
  isMainThread && point?.when === 'during' ? killerBeside(point.afterMicroseconds) : undefined;

/** Whether this is the operation around which the process ends; both ends of it are told. */
const watched = (operation: Operation): boolean => {
  const count = (tally[operation] ?? 0) + 1;
  tally[operation] = count;
  return isMainThread && point?.operation === operation && point.nth === count;
};

const watch = (
  target: object,
  names: readonly string[],
  operationOf: (args: unknown[], target: unknown) => Operation,
): void => {
  for (const name of names) {
    const original = (target as Target)[name];
    if (original === undefined) throw new Error(`there is no ${name} to watch`);
    (target as Target)[name] = function (...args) {
      if (!watched(operationOf(args, this))) return original.apply(this, args);
      if (point?.when === 'before') die();
      killBeside?.();
      const result = original.apply(this, args);
      if (point?.when === 'after') {
        if (!(result instanceof Promise)) die();
        else return result.finally(die);
      }
      return result;
    };
  }
};

const commandOf = ([text]: unknown[], target: unknown): Operation => {
  const [word] = String(text).toLowerCase().split(/\W/);
  if (word === 'commit' && isBooks(target)) return 'record';
  if (word === 'begin' || word === 'commit') return word;
  return 'statement';
};

const isBooks = (file: unknown): boolean =>
  file instanceof DatabaseSync && file.location()?.endsWith('ledger.db') === true;

const disk = process.env[DISK_FOLDER];
if (disk !== undefined) {
  Object.assign(fs, { fdatasync: keptOnDisk(disk) });
  syncBuiltinESMExports();
}

if (point === undefined ? isMainThread && process.env[TALLY_FILE] !== undefined : isMainThread) {
  watch(fs, ['write', 'writev', 'writeSync'], () => 'write');
  watch(fs, ['mkdirSync'], () => 'create');
  watch(promises, ['mkdtemp', 'mkdir', 'open'], () => 'create');
  watch(promises, ['writeFile'], () => 'write');
  watch(promises, ['rename'], () => 'rename');
  watch(promises, ['rm', 'rmdir'], () => 'remove');
  syncBuiltinESMExports();
  watch(DatabaseSync.prototype, ['exec'], commandOf);
  watch(StatementSync.prototype, ['run', 'all'], () => 'statement');
  watch(Client.prototype, ['query'], () => 'query');
  process.on('exit', () => {
    const file = process.env[TALLY_FILE];
    if (file !== undefined) writeFileSync(file, JSON.stringify(tally));
  });
}
