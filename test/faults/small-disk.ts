import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** A file system of its own in memory that can be full, or closed to writers. */
export type SmallDisk = { readonly remount: (options: string) => void };

/** Mount one at a folder for a test. Only root may; `undefined` where that is refused. */
export const smallDisk = (folder: string, options: string): SmallDisk | undefined => {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tieout-test', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', [folder]));
  return { remount: (changed) => execFileSync('mount', ['-o', `remount,${changed}`, folder]) };
};
