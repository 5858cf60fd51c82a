import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { addSeller, startServer } from './serving.ts';

export type ServedLedger = {
  readonly url: string;
  readonly key: string;
  /** The file of the ledger. */
  readonly path: string;
};

/** The real service in a process of its own, with one account that has nexus in these states. */
export const servedLedger = async (folder: string, states: readonly string[]): Promise<ServedLedger> => {
  const path = join(folder, 'served.db');
  const key = await addSeller(`sqlite:${path}`, states);
  const { url, child } = await startServer(`sqlite:${path}`);
  onTestFinished(() => void child.kill('SIGKILL'));
  return { url, key, path };
};
