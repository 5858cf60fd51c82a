import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { verifyEvidence } from '../../src/evidence/verify-evidence.ts';

/** Looks at a published folder between runs. */
export type FolderWatch = {
  /** What is wrong with it now. A lock that was cut off may have written one of its two files. */
  readonly look: (isLockCutOff: boolean) => Promise<readonly string[]>;
  /** From now on it must stay as it is. */
  readonly freeze: () => Promise<void>;
};

/** What verifying says of a lock, or of a part of one. */
const LOCK_TESTS = ['the lock is of exactly these files', 'the folder carries no lock, and no part of one'];

/** A folder is missing, or whole: each state of it that was not seen before proves itself from its own files. */
export const folderWatch = (folder: string, build: string): FolderWatch => {
  const proved = new Set<string>();
  let last: string | undefined;
  let frozen: string | undefined;
  return {
    look: async (isLockCutOff) => {
      const state = await stateOf(folder);
      if (state === undefined) {
        const replaced = await stateOf(join(dirname(folder), `.${basename(folder)}.replaced`));
        return last === undefined || replaced === last ? [] : ['the published folder is gone'];
      }
      last = state;
      if (frozen !== undefined) return state === frozen ? [] : ['the folder of a locked month has changed'];
      if (proved.has(state)) return [];
      const { verdicts } = await verifyEvidence(folder, { build });
      const failed = verdicts.filter(({ problem }) => problem !== undefined);
      if (failed.length === 0) proved.add(state);
      return failed
        .filter(({ test }) => !(isLockCutOff && LOCK_TESTS.includes(test)))
        .map(({ test, problem }) => `the published folder: ${test}: ${JSON.stringify(problem)}`);
    },
    freeze: async () => {
      frozen = await stateOf(folder);
    },
  };
};

/** The digest of each file below a folder by its path, but of those that a kill may leave and the next run removes. */
export const folderState = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = files.map((file) => relative(folder, file)).filter((path) => !/(^|\/)\./.test(path));
  return new Map(
    await Promise.all(
      found.sort().map(async (path) => [path, hash('sha256', await readFile(join(folder, path)))] as const),
    ),
  );
};

const stateOf = async (folder: string): Promise<string | undefined> => {
  const state = await folderState(folder).catch(() => undefined);
  return state && [...state].map(([path, digest]) => `${path} ${digest}`).join('\n');
};
