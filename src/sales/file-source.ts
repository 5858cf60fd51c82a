import { createReadStream } from 'node:fs';
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
  readonly packing: 'none' | 'gzip' | { readonly member: string };
};

const PIECE_BYTES = 256 * 1024;

/**
 * Read the unpacked bytes of a file, lazily and as often as needed.
 *
 * @throws {ExportError} when the file is missing, unreadable, damaged, or exceeds the limits
 */
export async function* openBytes({ place: name, path, packing }: FileSource): AsyncGenerator<Buffer> {
  try {
    if (packing === 'none') {
      yield* createReadStream(path, { highWaterMark: PIECE_BYTES });
    } else if (packing === 'gzip') {
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

/**
 * List the files of an archive, sorted like those of a folder, without folders and hidden files of operating systems.
 *
 * @throws {ExportError} E_EXPORT_ARCHIVE when it is damaged or encrypted, has names that lead out of it, too many
 * members, or overlapping members
 */
export const zipMembers = async (path: string, name: string): Promise<readonly string[]> => {
  const archive = await openArchive(path, name);
  const names: string[] = [];
  let packedBytes = 0;
  try {
    for await (const entry of archive.eachEntry()) {
      if (archive.entriesRead > ARCHIVE_MEMBERS_MAX)
        throw badArchive(name, `the archive has more than ${ARCHIVE_MEMBERS_MAX} members`);
      packedBytes += entry.compressedSize;
      if (isBeside(entry.fileName)) continue;
      if (entry.isEncrypted()) throw badArchive(name, `its member ${entry.fileName} is encrypted`);
      names.push(entry.fileName);
    }
  } catch (error) {
    throw archiveError(error, name);
  } finally {
    archive.close();
  }
  if (packedBytes > archive.fileSize) throw badArchive(name, 'the members of the archive overlap');
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined) throw badArchive(name, `the archive has two members ${twice}`);
  return names.sort(compareText);
};

/** Read the unpacked bytes of one member. */
async function* zipMemberBytes(
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
const UNPACKED_BYTES_MAX = 16 * 1024 * MB;

/** Maximum ratio of unpacked to compressed size, enforced above `UNPACKED_FREE_BYTES`. */
export const EXPANSION_MAX = 300;
const UNPACKED_FREE_BYTES = 32 * MB;

/** Maximum characters in one record. Cells contain notes and addresses, not books. */
export const RECORD_LENGTH_MAX = 1_000_000;

/** Maximum bytes without a line end. Cells may contain several lines, so this is looser than the limit for records. */
export const LINE_BYTES_MAX = 4 * MB;

/** Maximum cells in one record; spreadsheets have at most 16,384 columns, exports a few hundred. */
export const RECORD_CELLS_MAX = 2_000;

/** Maximum members of one archive. */
const ARCHIVE_MEMBERS_MAX = 1_000;

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

export const damaged = (name: string, line: number, what: string): ExportError => {
  const rule = `the record that starts on line ${line} is damaged (${what})`;
  const nextStep = 'Export the file again and do not edit it.';
  return new ExportError('E_EXPORT_DAMAGED', name, rule, nextStep, undefined, { line });
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
