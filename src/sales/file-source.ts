import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { glob, open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { ErrorCode } from '../kernel/error-codes.ts';
import { TieoutError } from '../kernel/errors.ts';
import { compareText } from '../kernel/text.ts';

/** One file of an export on disk: plain, compressed, or a member of a ZIP archive. */
export type FileSource = {
  /** Path for people: `exports/orders.csv`, or `exports/october.zip/orders.csv` for a member. */
  readonly name: string;
  /** The same as an absolute path, for messages. */
  readonly place: string;
  /** The file on disk, or the archive it is in. */
  readonly path: string;
  readonly packing: Packing;
};

export type Packing =
  | { readonly kind: 'none' }
  | { readonly kind: 'gzip' }
  | { readonly kind: 'zip-member'; readonly member: string };

const PIECE_BYTES = 256 * 1024;

/**
 * Read the unpacked bytes of a file, lazily and as often as needed.
 *
 * @throws {ExportError} when the file is missing, unreadable, damaged, or exceeds the limits
 */
export async function* openBytes({ place: name, path, packing }: FileSource): AsyncGenerator<Buffer> {
  try {
    if (packing.kind === 'none') {
      yield* createReadStream(path, { highWaterMark: PIECE_BYTES });
    } else if (packing.kind === 'gzip') {
      const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
      // An error in either stream also ends the other, and so reaches the reader of the bytes.
      pipeline(createReadStream(path), gunzip, () => {});
      yield* bounded(gunzip, name, () => gunzip.bytesWritten);
    } else {
      const packed = { value: 0 };
      yield* bounded(zipMemberBytes(path, name, packing.member, packed), name, () => packed.value);
    }
  } catch (error) {
    throw readingError(error, name);
  }
}

async function* bounded(
  pieces: AsyncIterable<Buffer>,
  name: string,
  packedBytes: () => number,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > UNPACKED_BYTES_MAX)
      throw beyondLimit(name, `it unpacks to more than ${sizeText(UNPACKED_BYTES_MAX)}`);
    if (bytes > UNPACKED_FREE_BYTES && bytes > EXPANSION_MAX * packedBytes())
      throw beyondLimit(name, `it unpacks to more than ${EXPANSION_MAX} times its size`);
    yield piece;
  }
}

export type ZipMember = {
  readonly name: string;
  readonly packedBytes: number;
};

/**
 * List the files of an archive, sorted like those of a folder, without folders and hidden files of operating systems.
 *
 * @throws {ExportError} E_EXPORT_ARCHIVE when it is damaged or encrypted, has names that lead out of it, too many
 * members, or overlapping members
 */
export const zipMembers = async (path: string, name: string): Promise<readonly ZipMember[]> =>
  withArchive(path, name, async (archive) => {
    const members: ZipMember[] = [];
    let packedBytes = 0;
    for await (const entry of archive.eachEntry()) {
      if (archive.entriesRead > ARCHIVE_MEMBERS_MAX)
        throw badArchive(name, `the archive has more than ${ARCHIVE_MEMBERS_MAX} members`);
      packedBytes += entry.compressedSize;
      if (isBeside(entry.fileName)) continue;
      if (entry.isEncrypted()) throw badArchive(name, `its member ${entry.fileName} is encrypted`);
      members.push({ name: entry.fileName, packedBytes: entry.compressedSize });
    }
    if (packedBytes > archive.fileSize) throw badArchive(name, 'the members of the archive overlap');
    const names = members.map((member) => member.name);
    const twice = names.find((one, index) => names.indexOf(one) !== index);
    if (twice !== undefined) throw badArchive(name, `the archive has two members ${twice}`);
    return members.sort((left, right) => compareText(left.name, right.name));
  });

/** Read the unpacked bytes of one member. */
export async function* zipMemberBytes(
  path: string,
  name: string,
  member: string,
  packedBytes: { value: number },
): AsyncGenerator<Buffer> {
  const archive = await openArchive(path, name);
  try {
    const entry = await entryNamed(archive, member);
    if (!entry) throw badArchive(name, `the archive has no member ${member} any more`);
    packedBytes.value = entry.compressedSize;
    const stream: Readable = await archive.openReadStreamPromise(entry);
    for await (const piece of stream) yield piece as Buffer;
  } catch (error) {
    throw archiveError(error, name);
  } finally {
    archive.close();
  }
}

const entryNamed = async (archive: ZipFile, member: string): Promise<Entry | undefined> => {
  for await (const entry of archive.eachEntry()) if (entry.fileName === member) return entry;
  return undefined;
};

const withArchive = async <Result>(
  path: string,
  name: string,
  work: (archive: ZipFile) => Promise<Result>,
): Promise<Result> => {
  const archive = await openArchive(path, name);
  try {
    return await work(archive);
  } catch (error) {
    throw archiveError(error, name);
  } finally {
    archive.close();
  }
};

// yauzl rejects the whole archive if a name leads out of it or is not a plain relative path.
const openArchive = async (path: string, name: string): Promise<ZipFile> => {
  try {
    const archive = await openPromise(path, { autoClose: false, strictFileNames: true });
    // Errors during a pending read are already reported to its caller.
    archive.on('error', () => {});
    return archive;
  } catch (error) {
    throw archiveError(error, name);
  }
};

const isBeside = (member: string): boolean =>
  member.endsWith('/') || member.split('/').some((part) => part === '__MACOSX' || isHidden(part));

const archiveError = (error: unknown, name: string): unknown => {
  const known = readingError(error, name);
  if (known !== error || known instanceof ExportError || !(error instanceof Error)) return known;
  if ('code' in error) return error;
  const isName = /path|characters/.test(error.message);
  return badArchive(
    name,
    isName ? 'the archive has a member whose name could lead out of it' : 'the archive is damaged',
    error,
  );
};

const MB = 1024 * 1024;

/** Resource limits for one file, far above any shop's export: a file beyond them is malicious, or not an export. */

/** Maximum unpacked size of a compressed file, in bytes. */
export const UNPACKED_BYTES_MAX = 16 * 1024 * MB;

/** Maximum ratio of unpacked to compressed size, enforced above `UNPACKED_FREE_BYTES`. */
export const EXPANSION_MAX = 300;
export const UNPACKED_FREE_BYTES = 32 * MB;

/** Maximum characters in one record. Cells contain notes and addresses, not books. */
export const RECORD_LENGTH_MAX = 1_000_000;

/** Maximum bytes without a line end. Cells may contain several lines, so this is looser than the limit for records. */
export const LINE_BYTES_MAX = 4 * MB;

/** Maximum cells in one record; spreadsheets have at most 16,384 columns, exports a few hundred. */
export const RECORD_CELLS_MAX = 2_000;

/** Maximum members of one archive. */
export const ARCHIVE_MEMBERS_MAX = 1_000;

/** A workbook is read as a whole: about 1.5 million cells in one gigabyte of memory. */
export const WORKBOOK_BYTES_MAX = 32 * MB;
export const WORKBOOK_XML_BYTES_MAX = 64 * MB;

/** Above this size a workbook may expand at most `EXPANSION_MAX` times; real ones expand ten to twenty times. */
export const WORKBOOK_XML_FREE_BYTES = 4 * MB;

/** Maximum number of tags in the XML of a workbook. */
export const XML_TAGS_MAX = 8_000_000;

/** Maximum rows of a sheet in spreadsheet programs. */
export const SHEET_ROWS_MAX = 1_048_576;

/** A size as text for people. */
export const sizeText = (bytes: number): string =>
  bytes >= 1024 * MB ? `${bytes / (1024 * MB)} GB` : bytes >= MB ? `${bytes / MB} MB` : `${bytes} bytes`;

/** Whether a file or folder of this name is a hidden one of an operating system or spreadsheet program. */
export const isHidden = (name: string): boolean => /^(\.|~\$)|^(Thumbs\.db|desktop\.ini)$/i.test(name);

/** What was filed, beside `tieout.yaml`. A spreadsheet may edit it. */
export const FILINGS = 'filings.csv';

/** Whether a path from the configuration is a file of answers or filings, which no folder or pattern of exports means. */
export const isOwnFile = (path: string): boolean => path === FILINGS || path === 'decisions.csv';

const TABLE = /\.(csv|tsv|tab|psv|xlsx?|xlsm|xlsb|ods|numbers|zip|gz)$/i;

/** Whether a file is called a table. Exports may have any ending, or none: others are tables where their content is. */
export const isTableName = (name: string): boolean => TABLE.test(name);

/** The error for a file that is unusable as a whole. Unusable rows are findings, not errors. */
export class ExportError extends TieoutError {
  constructor(
    code: Extract<ErrorCode, `E_EXPORT_${string}`>,
    file: string,
    rule: string,
    nextStep: string,
    cause?: unknown,
    details: object = {},
  ) {
    super({
      code,
      message: `${file}: ${rule}.`,
      nextStep,
      details: { file, ...details },
      cause,
    });
  }
}

/** An error of one code and next step: made of the file's name, the rule that it breaks, and the cause. */
const failing =
  (code: ConstructorParameters<typeof ExportError>[0], nextStep: string) =>
  (name: string, rule: string, cause?: unknown): ExportError =>
    new ExportError(code, name, rule, nextStep, cause);

/** The error for a file that exceeds a limit that no real export reaches. */
export const beyondLimit = failing(
  'E_EXPORT_LIMIT',
  'Check that it is the export it should be; a larger one has to be exported in parts.',
);

/** The error for a compressed file or archive that cannot or must not be unpacked. */
export const badArchive = failing(
  'E_EXPORT_ARCHIVE',
  'Unpack it yourself, look at what it holds, and name the files themselves.',
);

export const notText = failing('E_EXPORT_ENCODING', 'Export it as CSV in UTF-8, or as an XLSX workbook.');

/** The error for a path with no file. */
export const missingExport = failing('E_EXPORT_MISSING', 'Put the export there, or correct its name.');

export const oldOrLocked = (name: string): ExportError =>
  new ExportError(
    'E_EXPORT_ENCODING',
    name,
    'it is an old Excel workbook (.xls), or one with a password',
    'Take the password off, or export it as CSV in UTF-8 or as an XLSX workbook.',
  );

export const damaged = (name: string, line: number, what: string, cause?: unknown): ExportError => {
  const rule = `the record that starts on line ${line} is damaged (${what})`;
  const nextStep = 'Export the file again and do not edit it.';
  return new ExportError('E_EXPORT_DAMAGED', name, rule, nextStep, cause, { line });
};

/** Convert an error of the operating system or of unpacking into a message about the file. */
export const readingError = (error: unknown, name: string): unknown => {
  if (error instanceof ExportError || !(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return missingExport(name, 'there is no such file', error);
  if (code !== undefined && UNREADABLE.includes(code)) {
    const nextStep = 'Name a file that this user may read.';
    return new ExportError('E_EXPORT_UNREADABLE', name, `it cannot be read (${code})`, nextStep, error);
  }
  if (code === 'Z_BUF_ERROR') {
    const rule = 'its compressed data ends too early: it was cut off';
    return new ExportError('E_EXPORT_ARCHIVE', name, rule, 'Export or download it again.', error);
  }
  if (code?.startsWith('Z_')) return badArchive(name, `its compressed data is damaged (${code})`, error);
  return error;
};

const UNREADABLE = ['EISDIR', 'EACCES', 'EPERM', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EIO', 'ENXIO'];

export type Encoding = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be';

/** The form of a file: text in an encoding, or a workbook. */
export type FileForm =
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
  return { ...source, bytes, sha256: hash.digest('hex'), state, form };
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
  if (start.startsWith(COMPOUND)) throw oldOrLocked(place);
  if (/^\s*(<!doctype html|<html|<table|<\?xml)/i.test(start))
    throw notText(place, 'it is HTML or XML, whatever its name says');
  return piece;
};

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const textSurvey = (name: string): { add: (piece: Buffer) => void; end: () => FileForm } => {
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

const kindAt = async (path: string): Promise<'file' | 'folder' | undefined> => {
  try {
    const found = await stat(path);
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : undefined;
  } catch {
    // The cause is reported when the file is read.
    return undefined;
  }
};

const sourcesAt = async (name: string, path: string): Promise<readonly FileSource[]> => {
  const start = await firstBytes(path);
  const whole: FileSource = { name, place: path, path, packing: { kind: 'none' } };
  if (start.startsWith('1f8b')) return [{ ...whole, packing: { kind: 'gzip' } }];
  if (!ZIP_STARTS.includes(start)) return [whole];
  const members = await zipMembers(path, path);
  if (members.some((member) => member.name === '[Content_Types].xml')) return [whole];
  if (members.length === 0) throw badArchive(path, 'the archive has no files');
  return members.map(({ name: member }) => ({
    name: `${name}/${member}`,
    place: `${path}/${member}`,
    path,
    packing: { kind: 'zip-member', member },
  }));
};

const ZIP_STARTS = ['504b0304', '504b0506'];

const firstBytes = async (path: string): Promise<string> => {
  try {
    const file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0).finally(() => file.close());
    return buffer.subarray(0, bytesRead).toString('hex');
  } catch (error) {
    throw readingError(error, path);
  }
};
