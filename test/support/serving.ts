import { type ChildProcess, spawn } from 'node:child_process';
import { PROGRAM, serve } from '../entry/command.ts';
import { tieout } from './tieout.ts';

export type Server = {
  readonly url: string;
  readonly child: ChildProcess;
};

/** Make an account with nexus in these states in the ledger at a database address; answers its key. */
export const addSeller = async (
  ledger: string,
  states: readonly string[],
  name = 'seller',
): Promise<string> => {
  const nexus = JSON.stringify(states.map((state) => ({ country: 'US', state })));
  const added = await tieout(['account', 'add', name, '--ledger', ledger, '--nexus', nexus, '--json']);
  return (JSON.parse(added.stdout) as { key: string }).key;
};

/** The real `tieout serve` in a process of its own, which anyone who starts it has to end. */
export const startServer = (ledger: string): Promise<Server> => {
  const args = ['serve', '--port', '0', '--log-level', 'error', '--json', '--ledger', ledger];
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (piece: Buffer) =>
      resolve({ url: (JSON.parse(piece.toString()) as { url: string }).url, child }),
    );
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
  });
};

/** The service with its metrics in this process, which anyone who starts it has to stop. */
export const serveHere = (ledger: string, content?: string) =>
  serve({
    ledger,
    ...(content !== undefined && { content }),
    host: '127.0.0.1',
    port: 0,
    drain: 0,
    logLevel: 'silent',
    metricsHost: '127.0.0.1',
    metricsPort: 0,
  });
