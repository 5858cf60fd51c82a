import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const START = fileURLToPath(new URL('../../dist/tieout.js', import.meta.url));

export type Serving = {
  readonly url: string;
  readonly metrics?: string;
  readonly child: ChildProcess;
  /** Everything on standard error so far. */
  readonly log: () => string;
};

/** Start `tieout serve` and wait for the one object it prints. */
export const serving = async (args: readonly string[]): Promise<Serving> => {
  const child = spawn(process.execPath, [START, 'serve', '--port', '0', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let log = '';
  child.stderr.on('data', (piece: Buffer) => {
    log += piece.toString();
  });
  const first = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (piece: Buffer) => resolve(piece.toString()));
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${log}`)));
  });
  return { ...(JSON.parse(first) as { url: string; metrics?: string }), child, log: () => log };
};

/** Ask it to end, and wait for its exit code. */
export const ended = async (child: ChildProcess): Promise<number> => {
  const exit = once(child, 'exit') as Promise<[number]>;
  child.kill('SIGTERM');
  return (await exit)[0];
};
