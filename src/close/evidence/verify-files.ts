import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { sha256OfFile } from '../../runtime/publish-folder.ts';
import { LOCK_FILE } from './lock-line.ts';
import { MANIFEST_PATH, Manifest, type NamedFile } from './manifest.ts';

/** The problem in words; `undefined` if the check passes. */
export type Problem = string | undefined;

/** A larger manifest is not one of Tieout's and is not read into memory. */
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;

/** Reads the manifest of a folder, or returns why it cannot be used. */
export const readManifest = async (folder: string): Promise<Manifest | string> => {
  let text: string;
  try {
    const about = await lstat(join(folder, MANIFEST_PATH));
    if (!about.isFile()) return `${MANIFEST_PATH} is ${kindOf(about)}, and no file`;
    if (about.size > MANIFEST_BYTES_MAX) return `${MANIFEST_PATH} is larger than any manifest`;
    text = await readFile(join(folder, MANIFEST_PATH), 'utf8');
  } catch (error) {
    return `${MANIFEST_PATH} cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
  const parsed = Manifest.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `${MANIFEST_PATH} is not a manifest: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? ''}`;
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Checks that the folder has exactly the manifest's files: no other file, symbolic link, pipe or empty folder. */
export const checkNames = async (folder: string, manifest: Manifest): Promise<Problem> => {
  const { logs, outputs } = manifest.content;
  const named = new Map([...logs, ...outputs].map((file) => [file.path, file]));
  const known = new Set([MANIFEST_PATH, ...named.keys()]);
  if (known.size !== 1 + logs.length + outputs.length) return 'a file is named twice';
  const present = await entriesBelow(folder);
  const odd = present.find(({ kind }) => kind !== 'a file' && kind !== 'a folder');
  if (odd) return `${odd.path} is ${odd.kind}, and a folder of evidence holds files only`;
  const paths = new Set(present.flatMap(({ path, kind }) => (kind === 'a file' ? [path] : [])));
  const missing = [...known].find((path) => !paths.has(path));
  if (missing !== undefined) return `${missing} is missing`;
  // Signatures and locks come after the manifest.
  known.add(LOCK_FILE);
  const stranger = [...paths].find((path) => !known.has(path));
  if (stranger !== undefined) return `${stranger} is not named by the manifest`;
  const folders = new Set([...known].flatMap(foldersAbove));
  const empty = present.find(({ path, kind }) => kind === 'a folder' && !folders.has(path));
  return empty && `${empty.path} is an empty folder, and not named by the manifest`;
};

/** Checks that each of these files is unchanged, byte for byte. */
export const checkBytes = async (folder: string, files: readonly NamedFile[]): Promise<Problem> => {
  for (const { path, bytes, sha256 } of files) {
    const { size } = await lstat(join(folder, path));
    if (size === bytes && (await sha256OfFile(join(folder, path))) === sha256) continue;
    if (await haveLineEndsChanged(join(folder, path), size, sha256))
      return `only the line ends of ${path} were changed: copy the folder byte for byte, without a program that converts line ends`;
    if (size !== bytes) return `${path} has ${size} bytes, and the manifest says ${bytes}`;
    return `${path} was changed: its bytes are others`;
  }
  return undefined;
};

/** Whether only the line ends changed, as by an editor, git or a transfer as text. */
const haveLineEndsChanged = async (file: string, size: number, sha256: string): Promise<boolean> => {
  if (size > TEXT_BYTES_MAX) return false;
  const fed = (await readFile(file, 'latin1')).replaceAll('\r\n', '\n');
  return [fed, fed.replaceAll('\n', '\r\n')].some(
    (text) => createHash('sha256').update(text, 'latin1').digest('hex') === sha256,
  );
};

/** Larger files are not read into memory just to explain a difference. */
const TEXT_BYTES_MAX = 16 * 1024 * 1024;

type Kind = 'a file' | 'a folder' | 'a symbolic link' | 'a named pipe' | 'a socket' | 'a device';
type Entry = { readonly path: string; readonly kind: Kind };

/** Lists everything below a folder, sorted by path. Links are listed but not followed. */
const entriesBelow = async (folder: string): Promise<readonly Entry[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => ({ path: relative(folder, join(entry.parentPath, entry.name)), kind: kindOf(entry) }))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
};

type Typed = Record<'isFile' | 'isDirectory' | 'isSymbolicLink' | 'isFIFO' | 'isSocket', () => boolean>;

const kindOf = (entry: Typed): Kind => {
  if (entry.isFile()) return 'a file';
  if (entry.isDirectory()) return 'a folder';
  if (entry.isSymbolicLink()) return 'a symbolic link';
  if (entry.isFIFO()) return 'a named pipe';
  return entry.isSocket() ? 'a socket' : 'a device';
};

const foldersAbove = (path: string): readonly string[] => {
  const above = dirname(path);
  return above === '.' ? [] : [above, ...foldersAbove(above)];
};
