import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { runningProcess } from './simulated-process.ts';

type Method = (...given: unknown[]) => Promise<unknown>;

const METHODS = ['mkdtemp', 'mkdir', 'writeFile', 'rename', 'rm', 'rmdir'] as const;

const full = (): Error => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

/** Make what processes of the simulation do to files effects of theirs. @returns what takes that back */
export const simulateFiles = (): (() => void) => {
  const own = Object.fromEntries(METHODS.map((name) => [name, promises[name]]));
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
  syncBuiltinESMExports();
  return () => {
    Object.assign(promises, own);
    syncBuiltinESMExports();
  };
};
