import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TieoutError } from '../../kernel/errors.ts';
import { exists } from '../../runtime/exists.ts';
import { folderDifferences, type NamedFile } from '../../runtime/folder-differences.ts';
import { publishFolder, stagingFor } from '../../runtime/publish-folder.ts';
import { LOCK_PATH } from '../evidence/lock-statement.ts';
import { keepPiece, keptBytes } from '../workspace/locks.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { OutputFile } from './closing.ts';
import { stale } from './period-errors.ts';

/** Bytes of a file in one row, which is also the most that is in memory at once. */
const PART_BYTES = 768 * 1024;

/**
 * Keep the bytes of a locked period's files in the workspace. A later version of the program could not write the same
 * bytes again, and the folder may get lost, but what was filed must survive. The bytes are compared as they are read:
 * somebody may change a file after it was checked, while a question waits for its answer.
 *
 * @throws {TieoutError} E_PERIOD_STALE
 */
export const keepFiles = async (
  workspace: Workspace,
  {
    label,
    folder,
    files,
  }: {
    readonly label: string;
    readonly folder: string;
    /** Those of the lock itself have been written just now, and have no digest to compare with. */
    readonly files: readonly (Pick<NamedFile, 'path'> & Partial<NamedFile>)[];
  },
): Promise<void> => {
  for (const { path, sha256 } of files) {
    const hash = createHash('sha256');
    let part = 0;
    for await (const piece of createReadStream(join(folder, path), { highWaterMark: PART_BYTES })) {
      await keepPiece(workspace, { label, path, part, content: piece as Buffer });
      hash.update(piece as Buffer);
      part += 1;
    }
    if (sha256 !== undefined && hash.digest('hex') !== sha256)
      throw stale(label, `${join(folder, path)} was changed`);
  }
};

/** Returns the files that a lock adds to the folder of its period, in addition to the files that it froze. */
export const lockFilesOf = async (workspace: Workspace, label: string): Promise<readonly NamedFile[]> => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of keptBytes(workspace, label, LOCK_PATH)) {
    hash.update(piece);
    bytes += piece.length;
  }
  return bytes > 0 ? [{ path: LOCK_PATH, sha256: hash.digest('hex') }] : [];
};

/** Write the lock's own files into the folder of its period, replacing those of an earlier lock. */
export const writeLockFiles = async (workspace: Workspace, label: string, folder: string): Promise<void> => {
  for (const { path } of await lockFilesOf(workspace, label))
    await writeWhole(workspace, label, path, folder);
};

/** Remove the lock's own files from the folder of its period after an unlock. */
export const removeLockFiles = (folder: string): Promise<void> =>
  rm(join(folder, LOCK_PATH), { force: true });

/**
 * Make a folder contain the files of a locked period as they were locked. Missing files are written again from the kept
 * bytes. A file that somebody changed is not overwritten: the error names it.
 *
 * @returns how many files belong to the lock, frozen ones and its own, and how many of them were written
 * @throws {TieoutError} E_LOCKED_OUTPUT
 */
export const restoreFiles = async (
  workspace: Workspace,
  kept: { readonly label: string; readonly folder: string; readonly files: readonly OutputFile[] },
): Promise<{ readonly count: number; readonly written: number }> => {
  const { label, folder } = kept;
  const files = [...kept.files, ...(await lockFilesOf(workspace, label))];
  if (!(await exists(folder))) {
    await publishFolder(folder, async (staging) => {
      for (const { path } of files) await writeKept(workspace, label, path, join(staging, path));
    });
    return { count: files.length, written: files.length };
  }
  let written = 0;
  const changed: string[] = [];
  for await (const { path, what } of folderDifferences(folder, files)) {
    if (what === 'changed') changed.push(path);
    if (what !== 'missing') continue;
    await writeWhole(workspace, label, path, folder);
    written += 1;
  }
  if (changed.length > 0) throw changedOutput(label, folder, changed);
  return { count: files.length, written };
};

const changedOutput = (label: string, folder: string, changed: readonly string[]): TieoutError =>
  new TieoutError({
    code: 'E_LOCKED_OUTPUT',
    message: `${label} is locked, and in ${folder} not as it was locked: ${changed.join(', ')}`,
    nextStep: 'Move what was changed elsewhere and close again: the files are written as they were locked.',
  });

/** Write the file beside the folder and rename it into the folder once it is complete. */
const writeWhole = async (
  workspace: Workspace,
  label: string,
  path: string,
  folder: string,
): Promise<void> => {
  const staging = await stagingFor(folder);
  try {
    await writeKept(workspace, label, path, join(staging, path));
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    await rename(join(staging, path), join(folder, path));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
};

const writeKept = async (workspace: Workspace, label: string, path: string, place: string): Promise<void> => {
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  await rm(place, { force: true });
  await pipeline(Readable.from(keptBytes(workspace, label, path)), createWriteStream(place, { mode: 0o600 }));
};
