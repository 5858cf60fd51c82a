import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import {
  access,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { diskFailure, TieoutError } from '../kernel/errors.ts';

/**
 * Fill a staging folder and rename it to the final name only when it is complete. A folder whose bytes would be the
 * same is left as it is. The next run removes what an interrupted run left behind.
 *
 * @returns the paths of the files below the folder, sorted, whether anything changed, and what `fill` returned.
 * @throws {TieoutError} E_OUTPUT_UNWRITABLE, E_OUTPUT_FULL, E_DISK_FAILED
 */
export const publishFolder = async <Filled>(
  folder: string,
  fill: (staging: string) => Promise<Filled>,
): Promise<{
  readonly files: readonly string[];
  readonly changed: boolean;
  readonly filled: Filled;
}> => {
  const staging = await stagingFor(folder).catch(refuse(folder));
  try {
    const filled = await fill(staging);
    const files = await filesBelow(staging);
    if (await isSame(staging, files, folder)) return { files, changed: false, filled };
    await replaceFolder(staging, folder);
    return { files, changed: true, filled };
  } catch (error) {
    throw folderError(error, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
};

/**
 * Create a folder if it is missing, and prove that folders can be created in it.
 *
 * @throws {TieoutError} E_OUTPUT_UNWRITABLE, E_OUTPUT_FULL, E_DISK_FAILED
 */
export const proveWritable = async (folder: string): Promise<void> => {
  const prove = async (): Promise<void> => {
    makeFolder(folder, OWNER_ONLY);
    await rmdir(await mkdtemp(join(folder, '.proof-')));
  };
  await prove().catch(refuse(folder));
};

/**
 * Refuse a place where a folder could not be published, before any work is done. What a killed run had moved away and not
 * replaced yet is put back, so that a close reads it. @throws the same errors
 */
export const provePublishable = async (folder: string): Promise<void> => {
  const parent = dirname(folder);
  await proveWritable(parent);
  for (const name of await readdir(parent)) {
    const [, own] = /^\.(.+)\.replaced$/.exec(name) ?? [];
    if (own !== undefined) await putBack(join(parent, own));
  }
  if ((await exists(folder)) && !(await stat(folder)).isDirectory())
    throw unwritable(folder, { code: 'ENOTDIR' });
};

const OWNER_ONLY = 0o700;

/**
 * Create an empty hidden folder beside this one, in which to build its content. What an interrupted run left behind is
 * removed first.
 */
const stagingFor = async (folder: string): Promise<string> => {
  const parent = dirname(folder);
  makeFolder(parent, OWNER_ONLY);
  await removeLeftovers(folder);
  return mkdtemp(join(parent, stagingPrefix(folder)));
};

/** Throw why a folder cannot be made. Before it is filled, ENOENT means that the file system cannot have it. */
const refuse =
  (folder: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw error.code === 'ENOENT' ? unwritable(folder, error) : folderError(error, folder);
  };

const UNWRITABLE = new Set(['EACCES', 'EEXIST', 'ENOTDIR', 'EPERM', 'EROFS']);

const unwritable = (folder: string, cause: unknown): TieoutError =>
  new TieoutError({
    code: 'E_OUTPUT_UNWRITABLE',
    message: `${folder} cannot be written (${(cause as NodeJS.ErrnoException).code})`,
    nextStep:
      'Name another output folder, or give this user the right to write there. Nothing was left half-written',
    cause,
  });

/** Describe an error of the file system; return any other error unchanged. */
const folderError = (error: unknown, folder: string): unknown => {
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  if (error instanceof TieoutError) return error;
  if (UNWRITABLE.has(code)) return unwritable(folder, error);
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return diskFailure(error, folder) ?? error;
  return new TieoutError({
    code: 'E_OUTPUT_FULL',
    message: `there is no space left to write ${folder}`,
    nextStep: 'Free some space and run again. Nothing was left half-written',
    cause: error,
  });
};

const stagingPrefix = (folder: string): string => `.${basename(folder)}.part-`;
const replacedName = (folder: string): string => join(dirname(folder), `.${basename(folder)}.replaced`);

/** Put a folder back that a run had moved away when it was killed, before it renamed the new one. */
const putBack = async (folder: string): Promise<void> => {
  if (!(await exists(folder))) await renameIfThere(replacedName(folder), folder);
};

/** Remove what an interrupted run left behind. */
const removeLeftovers = async (folder: string): Promise<void> => {
  const parent = dirname(folder);
  await putBack(folder);
  for (const name of await readdir(parent)) {
    if (name.startsWith(stagingPrefix(folder)))
      await rm(join(parent, name), { recursive: true, force: true });
  }
  await rm(replacedName(folder), { recursive: true, force: true });
};

const replaceFolder = async (staging: string, folder: string): Promise<void> => {
  const replaced = replacedName(folder);
  await renameIfThere(folder, replaced);
  await rename(staging, folder);
  await rm(replaced, { recursive: true, force: true });
};

const renameIfThere = (from: string, to: string): Promise<void> =>
  rename(from, to).catch(unlessAbsent(undefined));

/** List all files below a folder, relative to it and sorted. */
export const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
};

const isSame = async (staging: string, files: readonly string[], folder: string): Promise<boolean> => {
  const present = await filesBelow(folder).catch(unlessAbsent(undefined));
  if (!present || present.join('\n') !== files.join('\n')) return false;
  for (const file of files) {
    if ((await sha256OfFile(join(staging, file))) !== (await sha256OfFile(join(folder, file)))) return false;
  }
  return true;
};

const PIECE_BYTES = 256 * 1024;

/** Compute the SHA-256 of a file of any size. @throws E_DISK_FAILED, and the errors of the file system */
export const sha256OfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  // A stream takes a new buffer for each piece, and those of a large file fill memory until the next collection.
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  try {
    await using file = await open(path);
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, piece.length);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, bytesRead));
    }
  } catch (error) {
    throw diskFailure(error, path) ?? error;
  }
};

/** Read the first bytes of a file. @throws the errors of the file system */
export const firstBytes = async (path: string, count: number): Promise<Buffer> => {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0);
  return buffer.subarray(0, bytesRead);
};

/** Codes of the operating system for a path where nothing exists. */
const ABSENT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR']);

/** Handles the error of a path where nothing exists by a value, and throws any other. */
const unlessAbsent =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (ABSENT.has(error.code)) return value;
    throw error;
  };

/** Whether anything exists at this path. @throws the error of the file system when that cannot be determined */
export const exists = (path: string): Promise<boolean> => access(path).then(() => true, unlessAbsent(false));

/**
 * Create a folder and its missing parents, one by one. Where a file system reports a folder as missing that it has just
 * refused to create, as `/proc` does, Node's recursive option would retry forever.
 *
 * @throws the error of the file system, also ENOENT
 */
export const makeFolder = (folder: string, mode = 0o777): void => {
  const missing: string[] = [];
  for (let place = resolve(folder); !existsSync(place); place = dirname(place)) missing.unshift(place);
  for (const place of missing) makeOne(place, mode);
};

/** Create one folder, which another process may have created in the meantime. */
const makeOne = (place: string, mode: number): void => {
  try {
    mkdirSync(place, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(place)) throw error;
  }
};

/** Reads a file as text; `undefined` if there is none. */
export const textOf = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8')
    .catch(unlessAbsent(undefined))
    .catch((error: unknown) => {
      throw folderError(error, path);
    });

/** Replaces a file as a whole: a reader, and a run that is killed, has the old text or the new one. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  const part = join(dirname(path), `.${basename(path)}.part`);
  try {
    await writeFile(part, text, { mode: 0o600, flush: true });
    await rename(part, path);
  } catch (error) {
    throw folderError(error, path);
  }
};

/** A file, by its path below a folder. */
export type NamedFile = { readonly path: string; readonly sha256: string };

/** A file that differs from what is expected: foreign (not expected), missing, or changed (other bytes). */
export type FolderDifference = { readonly path: string; readonly what: 'foreign' | 'missing' | 'changed' };

/**
 * Compare a folder with these files, byte for byte, and yield the differences in the order of their paths. An entry
 * that is not a regular file counts as missing, and a file in the place of the folder as a folder without any.
 */
export async function* folderDifferences(
  folder: string,
  files: readonly NamedFile[],
): AsyncGenerator<FolderDifference> {
  const wanted = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const present = new Set(await filesBelow(folder).catch(unlessAbsent<readonly string[]>([])));
  for (const path of [...new Set([...wanted.keys(), ...present])].sort()) {
    const sha256 = wanted.get(path);
    if (sha256 === undefined) yield { path, what: 'foreign' };
    else if (!present.has(path)) yield { path, what: 'missing' };
    else if ((await sha256OfFile(join(folder, path))) !== sha256) yield { path, what: 'changed' };
  }
}

/** Digest files below a folder together with their names, in the given order. */
export const filesDigest = (folder: string, paths: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const path of paths) {
    const bytes = readFileSync(join(folder, path));
    hash.update(`\n${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
};

/** List all files below a folder, relative to it and sorted, including files that links lead to. */
export const filePathsBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
