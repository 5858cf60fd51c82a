import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { tieout } from './tieout.ts';

const START = fileURLToPath(new URL('../../src/start.js', import.meta.url));

const started = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stdout?.once('data', (piece: Buffer) =>
      resolve((JSON.parse(piece.toString()) as { url: string }).url),
    );
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
  });

export type ServedLedger = {
  readonly url: string;
  readonly key: string;
  /** The file of the ledger. */
  readonly path: string;
};

/** The real service in a process of its own, with one account that has nexus in these states. */
export const servedLedger = async (folder: string, states: readonly string[]): Promise<ServedLedger> => {
  const path = join(folder, 'served.db');
  const ledger = ['--ledger', `sqlite:${path}`];
  const nexus = JSON.stringify(states.map((state) => ({ country: 'US', state })));
  const added = await tieout(['account', 'add', 'seller', ...ledger, '--nexus', nexus, '--json']);
  const { key } = JSON.parse(added.stdout) as { key: string };
  const server = spawn(
    process.execPath,
    [START, 'serve', '--port', '0', '--log-level', 'error', '--json', ...ledger],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void server.kill('SIGKILL'));
  return { url: await started(server), key, path };
};
