import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import { commandIo, PROGRAM, runCommand } from '../entry/command.ts';

const SAMPLE = fileURLToPath(new URL('../../samples/harbor-and-pine', import.meta.url));

/** What Node compiled of the sources for one test it need not compile for the next. */
const COMPILE_CACHE = join(tmpdir(), 'tieout-test-compile-cache');

export type Ran = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order in which they were written. */
  readonly printed: string;
};

export type RunOptions = {
  readonly cwd?: string;
  readonly node?: readonly string[];
  /** A script that takes the same arguments, instead of the command. */
  readonly start?: string;
  /** Environment variables beside those of the test; `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Called with everything printed so far; answering true kills the process at once, as a power cut would. */
  readonly killWhen?: (stdout: string) => boolean;
  /** Instead of the power cut, a signal that the process can hear. */
  readonly killSignal?: NodeJS.Signals;
  /** When this is fulfilled the process is killed. */
  readonly killOn?: Promise<unknown>;
  /** Milliseconds between the wish to kill and the kill. */
  readonly killAfterMs?: number;
};

/**
 * Run a command line: in this process, with what comes with the program loaded once for all tests of a worker. It gets
 * a process of its own where the options are about the process.
 */
export const tieout = (args: readonly string[], options: RunOptions = {}): Promise<Ran> => {
  const { env, ...ofProcess } = options;
  return Object.keys(ofProcess).length > 0 ? launch(args, options) : runHere(args, options);
};

const runHere = async (args: readonly string[], { env = {} }: RunOptions): Promise<Ran> => {
  let stdout = '';
  let stderr = '';
  let printed = '';
  const io = commandIo({
    variable: (name) => (name in env ? env[name] : process.env[name]),
    print: (text) => {
      stdout += text;
      printed += text;
    },
    warn: (text) => {
      stderr += text;
      printed += text;
    },
  });
  return { code: await runCommand(args, io), signal: null, stdout, stderr, printed };
};

/** Run the real command in a process of its own. */
export const launch = (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...(options.node ?? []), options.start ?? PROGRAM, ...args], {
      cwd: options.cwd ?? tmpdir(),
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, ...options.env },
    });
    let stdout = '';
    let stderr = '';
    let printed = '';
    let killing = false;
    const killIfWanted = () => {
      if (killing || !options.killWhen?.(stdout)) return;
      killing = true;
      setTimeout(() => child.kill(options.killSignal ?? 'SIGKILL'), options.killAfterMs ?? 0);
    };
    killIfWanted();
    void options.killOn?.then(() => child.kill('SIGKILL'));
    // A character of several bytes can be in two pieces.
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8');
    child.stdout.on('data', (piece: string) => {
      stdout += piece;
      printed += piece;
      killIfWanted();
    });
    child.stderr.on('data', (piece: string) => {
      stderr += piece;
      printed += piece;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr, printed }));
  });

export type Merchant = {
  readonly folder: string;
  readonly config: string;
  readonly output: string;
  /** Close a period of this merchant with its output beside it. */
  readonly close: (args?: readonly string[], options?: RunOptions) => Promise<Ran>;
};

/** A folder of its own, removed when the test has finished. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** A folder that the tests of a file share, removed when all of them have finished. */
export const sharedFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-tests-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** A fresh copy of the sample merchant, with no databases and no output. */
export const sampleMerchant = async (folder?: string): Promise<Merchant> => {
  const place = folder ?? (await temporaryFolder());
  await cp(SAMPLE, place, { recursive: true, filter: isGiven });
  const output = join(place, 'output');
  const config = join(place, 'tieout.yaml');
  return {
    folder: place,
    config,
    output,
    close: (args = ['2026-10'], options = {}) =>
      tieout(['close', ...args, '--config', config, '--output', output], options),
  };
};

/** The files below a folder with their bytes, by relative path; empty when there is none. */
export const filesOf = async (folder: string): Promise<ReadonlyMap<string, Buffer>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = new Map<string, Buffer>();
  for (const path of paths.sort()) files.set(relative(folder, path), await readFile(path));
  return files;
};

/** Whether a file of a sample is part of it, and not what a close made there. */
export const isGiven = (path: string): boolean => !/[\\/](?:\.tieout|output)(?:[\\/]|$)/.test(path);

/** Published files without those that a lock adds to them: they have the time at which it was set. */
export const withoutLock = (files: ReadonlyMap<string, Buffer>): ReadonlyMap<string, Buffer> =>
  new Map([...files].filter(([path]) => !/evidence\/lock[-.]/.test(path)));

/** The code of the error that a command printed, whatever it said of waits before. */
export const codeOf = (stderr: string): string | undefined => /^(E_[A-Z_]+):/m.exec(stderr)?.[1];
