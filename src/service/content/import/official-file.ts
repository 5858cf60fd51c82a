import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { sha256 } from '../../../kernel/digest.ts';
import { ContentRefusedError } from '../content-error.ts';
import { unzipFiles } from './unzip.ts';

/** A file offered for import. Of a zipped file the one member that holds the data. */
export type OfficialFile = {
  /** The name of the data file, without folders. */
  readonly name: string;
  /** The name under which it was offered: that of the archive, where it came in one. */
  readonly offered: string;
  readonly bytes: Buffer;
  /** Digest of the file as it was offered. */
  readonly sha256: string;
};

const isZip = (bytes: Buffer): boolean => bytes.length > 4 && bytes.readUInt32LE(0) === 0x04034b50;

/** A workbook is a zipped file too; its importer opens it itself. */
const isWorkbook = (name: string): boolean => /\.xlsx$/i.test(name);

/** @throws {ContentRefusedError} when the file cannot be read, is empty, or is a zip without one data file */
export const readOfficialFile = async (path: string): Promise<OfficialFile> => {
  const name = basename(path);
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new ContentRefusedError(name, 'the file cannot be read', cause);
  });
  if (bytes.length === 0) throw new ContentRefusedError(name, 'the file is empty');
  const digest = sha256(bytes);
  if (!isZip(bytes) || isWorkbook(name)) return { name, offered: name, bytes, sha256: digest };
  const members = (await unzipFiles(bytes, name)).filter(({ name: member }) => /\.(csv|txt)$/i.test(member));
  const [member] = members;
  if (member === undefined || members.length > 1) {
    throw new ContentRefusedError(name, `the archive holds ${members.length} data files instead of one`);
  }
  return { name: basename(member.name), offered: name, bytes: member.bytes, sha256: digest };
};

const LINE_FEED = 10;

/** The lines of a file without their ends, without a byte order mark. A blank last line is none. */
export const linesOf = function* ({ bytes }: OfficialFile): Generator<string> {
  let start = bytes.length > 2 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.toString('utf8', start, end);
    yield line.endsWith('\r') ? line.slice(0, -1) : line;
    start = end + 1;
  }
};
