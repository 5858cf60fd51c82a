import { glob, open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { compareText } from '../../kernel/text.ts';
import {
  badArchive,
  ExportError,
  missingExport,
  namingAllMissing,
  notText,
  readingError,
} from './export-error.ts';
import { type FileSource, isHidden, zipMembers } from './file-source.ts';

/**
 * Expand entries of the configuration, or of a command line, into files: a file, the files of a folder, the matches of
 * a pattern such as `exports/*.csv`, and the members of each ZIP archive. Sorted by name, so that the result does not
 * depend on the file system, and a later copy of an export stands after the first.
 *
 * @param resolvePath makes a path absolute
 * @throws {ExportError} when an entry matches no file, or an archive cannot be opened
 */
export const expandFiles = async (
  entries: readonly string[],
  resolvePath: (path: string) => string,
): Promise<readonly FileSource[]> => {
  const found = await namingAllMissing(entries, async (entry) => {
    const sources: FileSource[] = [];
    for (const name of await namesOf(entry, resolvePath))
      sources.push(...(await sourcesAt(name, resolvePath(name))));
    return sources;
  });
  return eachOnce(found.flat());
};

/** Keep each file once, at its first position, if several entries match it. */
export const eachOnce = (sources: readonly FileSource[]): readonly FileSource[] => {
  const found = new Map<string, FileSource>();
  for (const source of sources) {
    const member = source.packing.kind === 'zip-member' ? source.packing.member : '';
    const key = `${source.path}\n${member}`;
    if (!found.has(key)) found.set(key, source);
  }
  return [...found.values()];
};

const namesOf = async (entry: string, resolvePath: (path: string) => string): Promise<readonly string[]> => {
  const path = resolvePath(entry);
  const kind = await kindAt(path);
  if (kind === 'folder') return namesIn(entry, path);
  if (kind === 'file' || !/[*?[\]{}]/.test(entry)) return [entry];
  const names: string[] = [];
  for await (const name of glob(entry, { cwd: resolvePath('.') })) {
    const fits = (await kindAt(resolvePath(name))) === 'file' && !isHidden(basename(name));
    if (fits) names.push(name.replaceAll('\\', '/'));
  }
  if (names.length === 0) throw missingExport(path, 'no file fits this pattern');
  return names.sort(compareText);
};

const namesIn = async (entry: string, path: string): Promise<readonly string[]> => {
  try {
    const inside = await readdir(path, { withFileTypes: true });
    const names = inside.filter((one) => !one.isDirectory() && !isHidden(one.name)).map(({ name }) => name);
    if (names.length === 0) throw missingExport(path, 'the folder has no files');
    return names.sort(compareText).map((name) => join(entry, name));
  } catch (error) {
    throw readingError(error, path);
  }
};

const kindAt = async (path: string): Promise<'file' | 'folder' | 'other' | undefined> => {
  try {
    const found = await stat(path);
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other';
  } catch {
    // The cause is reported when the file is read.
    return undefined;
  }
};

const sourcesAt = async (name: string, path: string): Promise<readonly FileSource[]> => {
  if ((await kindAt(path)) === 'other')
    throw new ExportError(
      'E_EXPORT_UNREADABLE',
      path,
      'it is a pipe or a device, which cannot be read twice',
      'Write what it gives into a file, and name that.',
    );
  const start = await firstBytes(path);
  if (start.startsWith('1f8b')) return [{ name, place: path, path, packing: { kind: 'gzip' } }];
  if (!ZIP_STARTS.some((bytes) => start.startsWith(bytes)))
    return [{ name, place: path, path, packing: { kind: 'none' } }];
  const members = await zipMembers(path, path);
  if (members.some((member) => member.name === '[Content_Types].xml'))
    return [{ name, place: path, path, packing: { kind: 'none' } }];
  const other = OTHER_PACKAGES.find(([part]) => members.some(({ name }) => name === part));
  if (other) throw notText(path, other[1]);
  if (members.length === 0) throw badArchive(path, 'the archive has no files');
  return members.map((member) => {
    if (/\.(zip|gz|tgz|7z|rar|bz2|xz|tar)$/i.test(member.name))
      throw badArchive(path, `its member ${member.name} is an archive itself`);
    return {
      name: `${name}/${member.name}`,
      place: `${path}/${member.name}`,
      path,
      packing: { kind: 'zip-member', member: member.name },
    };
  });
};

/** Spreadsheets that are archives, by a part that each of them has. */
const OTHER_PACKAGES: readonly (readonly [part: string, what: string])[] = [
  ['mimetype', 'it is an OpenDocument spreadsheet (.ods)'],
  ['Index/Document.iwa', 'it is a Numbers document'],
];

const ZIP_STARTS = ['504b0304', '504b0506'];

const firstBytes = async (path: string): Promise<string> => {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
      return buffer.subarray(0, bytesRead).toString('hex');
    } finally {
      await file.close();
    }
  } catch (error) {
    throw readingError(error, path);
  }
};
