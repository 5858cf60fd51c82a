import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { StringDecoder } from 'node:string_decoder';
import { parse } from 'csv-parse/sync';
import { ContentRefusedError } from '../content/content-folder.ts';
import { addDays, calendarDate, dateOf } from '../kernel/calendar.ts';
import { firstBytes, sha256OfFile } from '../runtime/publish-folder.ts';

/** A file offered for import. */
export type OfferedFile = {
  /** Its name, without folders. */
  readonly name: string;
  readonly sha256: string;
  /** Open its data from the start. */
  readonly open: () => Readable;
};

/** A file in memory. */
export type OfficialFile = Omit<OfferedFile, 'open'> & { readonly bytes: Buffer };

const PIECE = { highWaterMark: 262_144 } as const;
const ZIP_START = 'PK\u0003\u0004';

/** @throws {ContentRefusedError} when the file cannot be read, is empty, or is an archive or a workbook */
export const offeredFile = async (path: string): Promise<OfferedFile> => {
  const name = basename(path);
  const start = await firstBytes(path, ZIP_START.length).catch((cause: unknown) => {
    throw new ContentRefusedError(name, 'the file cannot be read', cause);
  });
  if (start.length === 0) throw new ContentRefusedError(name, 'the file is empty');
  if (start.toString('latin1') === ZIP_START)
    throw new ContentRefusedError(
      name,
      'it is an archive or a workbook',
      undefined,
      'Unpack the archive, or save the sheet of the workbook as CSV under the same name, and import that.',
    );
  return { name, sha256: await sha256OfFile(path), open: () => createReadStream(path, PIECE) };
};

/** Read a file into memory. */
export const inMemory = async ({ open: opened, ...file }: OfferedFile): Promise<OfficialFile> => ({
  ...file,
  bytes: await buffer(opened()),
});

const MARK = '\ufeff';
/** Characters without a line end, more than any official file has. */
const LINE_MAX = 1_000_000;

/**
 * Read the lines of a file of any size, in batches, without a byte order mark. Memory holds one batch.
 *
 * @throws {ContentRefusedError} when a line has no end
 */
export const lineBatches = async function* (file: OfferedFile): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder('utf8');
  let rest: string | undefined;
  for await (const piece of file.open()) {
    const text = decoder.write(piece as Buffer);
    const lines = (rest === undefined && text.startsWith(MARK) ? text.slice(1) : (rest ?? '') + text).split(
      '\n',
    );
    rest = lines.pop() ?? '';
    if (rest.length > LINE_MAX) throw new ContentRefusedError(file.name, 'a line has no end');
    yield lines;
  }
  if (rest) yield [rest];
};

/** Read the lines of a file in memory, without line ends and byte order mark. */
export const linesOf = ({ bytes }: OfficialFile): readonly string[] =>
  bytes.toString('utf8').replace(MARK, '').split(/\r?\n/);

/** The cells of a table. */
export type Rows = readonly (readonly string[])[];

/** Read the rows of a CSV file with quoting, each with its cells trimmed. @throws {ContentRefusedError} */
export const csvRows = (file: OfficialFile): Rows => {
  try {
    return parse(file.bytes, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as string[][];
  } catch (cause) {
    throw new ContentRefusedError(file.name, 'the file is not a readable CSV', cause);
  }
};

const DAY = /^(\d{4})(\d\d)(\d\d)$/;

/** Read a day, written `20251001`. @throws {ContentRefusedError} when it is none */
export const dayOf = (text: string, place: string): string => {
  const [, year, month, day] = DAY.exec(text) ?? [];
  const date = dateOf(Number(year), Number(month), Number(day));
  if (date === undefined)
    throw new ContentRefusedError(place, `${text || 'an empty cell'} is not a day (YYYYMMDD)`);
  return date;
};

/** An end in this year or later means that a row has no end. */
const OPEN_YEAR = 2099;

/** Read the last day of a row; empty for the years that mean no end. */
export const endDayOf = (text: string, place: string): string =>
  /^\d{8}$/.test(text) && Number(text.slice(0, 4)) >= OPEN_YEAR ? '' : dayOf(text, place);

export const dayBefore = (date: string): string => addDays(calendarDate(date), -1);
export const dayAfter = (date: string): string => addDays(calendarDate(date), 1);
