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
import { LOCK_PATHS } from '../evidence/lock-statement.ts';
import { keepPiece, keptBytes } from '../workspace/locks.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { OutputFile } from './closing.ts';

/** Bytes of a file in one row: what is held in memory at once. */
const PART_BYTES = 768 * 1024;

/**
 * Keep the bytes of a locked period's files in the workspace. A later version of the program could not write them
 * again, and the folder may be lost; what was filed must not be.
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
    readonly files: readonly Pick<OutputFile, 'path'>[];
  },
): Promise<void> => {
  for (const { path } of files) {
    let part = 0;
    for await (const piece of createReadStream(join(folder, path), { highWaterMark: PART_BYTES })) {
      await keepPiece(workspace, { label, path, part, content: piece as Buffer });
      part += 1;
    }
  }
};

/** What a lock leaves in the folder of its period, beside the files that it froze. */
export const lockFilesOf = async (workspace: Workspace, label: string): Promise<readonly NamedFile[]> => {
  const files: NamedFile[] = [];
  for (const path of LOCK_PATHS) {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of keptBytes(workspace, label, path)) {
      hash.update(piece);
      bytes += piece.length;
    }
    if (bytes > 0) files.push({ path, sha256: hash.digest('hex') });
  }
  return files;
};

/** Put what a lock leaves into the folder of its period, whatever an earlier lock left there. */
export const writeLockFiles = async (workspace: Workspace, label: string, folder: string): Promise<void> => {
  for (const { path } of await lockFilesOf(workspace, label))
    await writeWhole(workspace, label, path, folder);
};

/** Take what a lock left out of the folder of its period: the lock is gone. */
export const removeLockFiles = async (folder: string): Promise<void> => {
  for (const path of LOCK_PATHS) await rm(join(folder, path), { force: true });
};

/**
 * Have the files of a locked period stand in a folder as they were locked. What is missing is written again from
 * what was kept; a file that somebody changed is left to them and named.
 *
 * @returns how many files a lock froze and left there, and how many of them were written
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
    recovery: 'fix-input',
    message: `${label} is locked, and in ${folder} not as it was locked: ${changed.join(', ')}`,
    nextStep: 'Move what was changed elsewhere and close again: the files are written as they were locked.',
  });

/** The file appears in the folder when it is complete: until then it lies beside the folder, which nothing else may enter. */
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
