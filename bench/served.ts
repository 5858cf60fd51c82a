import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REGISTERED_STATES } from './month/merchant.ts';

const START = join(import.meta.dirname, '..', 'src', 'start.js');
const PLACE = { country: 'US', state: 'CA', zip: '90404' };

export type Served = {
  readonly url: string;
  readonly metrics: string;
  readonly key: string;
  readonly child: ChildProcess;
};

/** The account has nexus where the drawn merchant is registered. */
const NEXUS = [
  PLACE,
  ...REGISTERED_STATES.flatMap((state) => (state === PLACE.state ? [] : [{ country: 'US', state }])),
];

/** The real command with its metrics and its log, which goes nowhere, and an account with a new key. */
export const serve = async (
  ledger: string,
  name = 'bench',
  more: readonly string[] = [],
): Promise<Served> => {
  const settings = ['--address', JSON.stringify(PLACE), '--nexus', JSON.stringify(NEXUS)];
  const run = (...args: string[]): { key: string | null } => {
    const command = [START, 'account', ...args, '--ledger', ledger, '--json'];
    return JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' }));
  };
  // An account that is there, as after a restart, keeps its keys and needs one more.
  const key = run('add', name, ...settings).key ?? run('key', 'add', name).key ?? '';
  const options = ['--port', '0', '--metrics-port', '0', '--ledger', ledger, '--json', ...more];
  const child = spawn(process.execPath, [START, 'serve', ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url, metrics } = JSON.parse(line.toString()) as { url: string; metrics: string };
  return { url, metrics, key, child };
};

const TICKS_PER_SECOND = 100;

/** Seconds of processor time that a process has taken so far, as Linux counts them; `NaN` when it is over. */
export const processorSeconds = (process: ChildProcess): number => {
  try {
    const [, fields = ''] = readFileSync(`/proc/${process.pid}/stat`, 'utf8').split(') ');
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return ((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
};

/** One figure of the served metrics, of all processes together. */
export const figure = async (served: Served, name: string): Promise<number> => {
  const text = await (await fetch(served.metrics)).text();
  const found = [...text.matchAll(new RegExp(`^${name}(?:{process="\\d+"})? (\\S+)$`, 'gm'))];
  return found.length === 0 ? Number.NaN : found.reduce((sum, [, value]) => sum + Number(value), 0);
};

export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
