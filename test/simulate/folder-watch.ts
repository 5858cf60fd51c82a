import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { verifyEvidence } from '../../src/close/evidence/verify-evidence.ts';

/** Looks at a published folder between runs. */
export type FolderWatch = {
  /** What is wrong with it now. */
  readonly look: () => Promise<readonly string[]>;
  /** From now on it must stay as it is. */
  readonly freeze: () => Promise<void>;
};

/** A folder is missing, or whole: each state of it that was not seen before proves itself from its own files. */
export const folderWatch = (folder: string, build: string): FolderWatch => {
  const proved = new Set<string>();
  let last: string | undefined;
  let frozen: string | undefined;
  return {
    look: async () => {
      const state = await stateOf(folder);
      if (state === undefined) {
        const replaced = await stateOf(
          join(dirname(folder), `.${folder.slice(dirname(folder).length + 1)}.replaced`),
        );
        return last === undefined || replaced === last ? [] : ['the published folder is gone'];
      }
      last = state;
      if (frozen !== undefined && state !== frozen) return ['the folder of a locked month has changed'];
      if (proved.has(state)) return [];
      proved.add(state);
      const { verdicts } = await verifyEvidence(folder, { build });
      return verdicts.flatMap(({ test, problem }) =>
        problem === undefined ? [] : [`the published folder: ${test}: ${JSON.stringify(problem)}`],
      );
    },
    freeze: async () => {
      frozen = await stateOf(folder);
    },
  };
};

const stateOf = async (folder: string): Promise<string | undefined> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return undefined;
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const lines = await Promise.all(
    files.sort().map(async (file) => `${relative(folder, file)} ${hash('sha256', await readFile(file))}`),
  );
  return lines.join('\n');
};
