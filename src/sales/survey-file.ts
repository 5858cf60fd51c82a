import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { glob, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { compareText } from '../kernel/text.ts';
import { firstBytes } from '../runtime/publish-folder.ts';
import {
  badArchive,
  beyondLimit,
  ExportError,
  type FileSource,
  isHidden,
  LINE_BYTES_MAX,
  missingExport,
  notText,
  openBytes,
  readingError,
  sizeText,
  zipMembers,
} from './file-source.ts';

type Encoding = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be';

/** The form of a file: text in an encoding, or a workbook. */
type FileForm =
  | {
      readonly kind: 'text';
      readonly encoding: Encoding;
      readonly endsWithLineEnd: boolean;
    }
  | { readonly kind: 'workbook' };

/** Names of encodings for messages. */
export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252',
  'utf-16le': 'UTF-16 (little-endian)',
  'utf-16be': 'UTF-16 (big-endian)',
};

/** A file after one complete pass over its bytes. */
export type SurveyedFile = FileSource & {
  /** Size of the unpacked content. */
  readonly bytes: number;
  readonly sha256: string;
  /** What the file system says of the file, which changes when it is written or replaced. */
  readonly state: string;
  readonly form: FileForm;
};

/**
 * Read all bytes of a file once for its size, digest and form. A file that is not an export, or has lines too long for
 * memory, is rejected as soon as that is known.
 *
 * @throws {ExportError} when it is unreadable, is neither text nor a workbook, or has a line beyond the limit
 */
export const surveyFile = async (source: FileSource): Promise<SurveyedFile> => {
  const hash = createHash('sha256');
  const text = textSurvey(source.place);
  const state = await fileState(source);
  let bytes = 0;
  let isWorkbook = false;
  for await (const piece of openBytes(source)) {
    if (bytes === 0) isWorkbook = isZip(refuseOthers(source, piece));
    bytes += piece.length;
    hash.update(piece);
    if (!isWorkbook) text.add(piece);
  }
  const form: FileForm = isWorkbook ? { kind: 'workbook' } : text.end();
  return {
    ...source,
    bytes,
    sha256: hash.digest('hex'),
    state,
    form,
  };
};

/** Returns what the file system says of a file: equal as long as it is neither written nor replaced. */
export const fileState = async ({ path, place }: FileSource): Promise<string> => {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    throw readingError(error, place);
  }
};

const isZip = (piece: Buffer): boolean => piece.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'));

/** Old workbooks, and new ones that are encrypted. */
const COMPOUND = '\xd0\xcf\x11\xe0';

const refuseOthers = ({ place }: FileSource, piece: Buffer): Buffer => {
  const start = piece.subarray(0, 512).toString('latin1');
  if (start.startsWith(COMPOUND))
    throw new ExportError(
      'E_EXPORT_ENCODING',
      place,
      'it is an old Excel workbook (.xls), or one with a password',
      'Take the password off, or export it as CSV in UTF-8 or as an XLSX workbook.',
    );
  if (/^\s*(<!doctype html|<html|<table|<\?xml)/i.test(start))
    throw notText(place, 'it is HTML or XML, whatever its name says');
  return piece;
};

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const textSurvey = (
  name: string,
): {
  add: (piece: Buffer) => void;
  end: () => FileForm;
} => {
  let isUnicode = true;
  let unended: Buffer = Buffer.alloc(0);
  let first: Buffer | undefined;
  let hasZeros = false;
  let lineBytes = 0;
  let last = LINE_FEED;
  return {
    add: (piece) => {
      first ??= Buffer.from(piece.subarray(0, 1024));
      const end = Math.max(piece.lastIndexOf(LINE_FEED), piece.lastIndexOf(CARRIAGE_RETURN));
      lineBytes = end < 0 ? lineBytes + piece.length : piece.length - end - 1;
      if (lineBytes > LINE_BYTES_MAX)
        throw beyondLimit(name, `it has ${sizeText(LINE_BYTES_MAX)} without the end of a line`);
      hasZeros ||= piece.includes(0);
      if (isUnicode) {
        // No character goes on behind the end of a line.
        const lines = unended.length === 0 ? piece : Buffer.concat([unended, piece]);
        const cut = end < 0 ? 0 : lines.length - lineBytes;
        isUnicode = isUtf8(lines.subarray(0, cut));
        unended = Buffer.from(lines.subarray(cut));
      }
      // In UTF-16, one of the last two bytes is zero.
      last = piece.at(-1) || piece.at(-2) || last;
    },
    end: () => {
      const start = first ?? Buffer.alloc(0);
      const encoding = encodingOf(name, start, isUnicode && isUtf8(unended), hasZeros);
      const endsWithLineEnd = last === LINE_FEED || last === CARRIAGE_RETURN;
      return { kind: 'text', encoding, endsWithLineEnd };
    },
  };
};

/** Detect the encoding: by byte order mark, else strict UTF-8 before Windows-1252. */
const encodingOf = (name: string, start: Buffer, isUnicode: boolean, hasZeros: boolean): Encoding => {
  const hex = start.subarray(0, 3).toString('hex');
  if (hex.startsWith('fffe')) return 'utf-16le';
  if (hex.startsWith('feff')) return 'utf-16be';
  if (hasZeros) throw notText(name, 'it has zero bytes, so it is not text');
  if (isUnicode) return 'utf-8';
  if (hex === 'efbbbf') throw notText(name, 'it begins as UTF-8 text and goes on as something else');
  return 'windows-1252';
};

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
  // Of several entries that match a file, the first one counts.
  const found = new Map<string, FileSource>();
  for (const entry of entries)
    for (const name of await namesOf(entry, resolvePath))
      for (const source of await sourcesAt(name, resolvePath(name)))
        if (!found.has(source.place)) found.set(source.place, source);
  return [...found.values()];
};

const namesOf = async (entry: string, resolvePath: (path: string) => string): Promise<readonly string[]> => {
  const path = resolvePath(entry);
  const kind = await kindAt(path);
  if (kind === 'folder') {
    const inside = await filesIn(path).catch((error: unknown) => {
      throw readingError(error, path);
    });
    if (inside.length === 0) throw missingExport(path, 'the folder has no files');
    return inside.map((name) => join(entry, name));
  }
  if (kind === 'file' || !/[*?[\]{}]/.test(entry)) return [entry];
  const names: string[] = [];
  for await (const name of glob(entry, { cwd: resolvePath('.') })) {
    const fits = (await kindAt(resolvePath(name))) === 'file' && !isHidden(basename(name));
    if (fits) names.push(name.replaceAll('\\', '/'));
  }
  if (names.length === 0) throw missingExport(path, 'no file fits this pattern');
  return names.sort(compareText);
};

/** Returns the names of the files in a folder, but for hidden ones, sorted. */
export const filesIn = async (folder: string): Promise<readonly string[]> => {
  const inside = await readdir(folder, { withFileTypes: true });
  const files = inside.filter((one) => !one.isDirectory() && !isHidden(one.name));
  return files.map(({ name }) => name).sort(compareText);
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
  const bytes = await firstBytes(path, 4).catch((error: unknown) => {
    throw readingError(error, path);
  });
  const start = bytes.toString('hex');
  const whole: FileSource = { name, place: path, path, packing: 'none' };
  if (start.startsWith('1f8b')) return [{ ...whole, packing: 'gzip' }];
  if (!ZIP_STARTS.includes(start)) return [whole];
  const members = await zipMembers(path, path);
  if (members.includes('[Content_Types].xml')) return [whole];
  if (members.length === 0) throw badArchive(path, 'the archive has no files');
  return members.map((member) => ({
    name: `${name}/${member}`,
    place: `${path}/${member}`,
    path,
    packing: { member },
  }));
};

const ZIP_STARTS = ['504b0304', '504b0506'];
