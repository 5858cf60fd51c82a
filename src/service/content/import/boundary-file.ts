import type { BoundaryRecord } from '../boundaries/boundary-record.ts';
import { ContentRefusedError } from '../content-error.ts';
import { OPEN_END } from '../dated.ts';
import type { TaxContent } from '../tax-content.ts';
import { lineBatches, type OfferedFile } from './official-file.ts';
import type { FilePeriod, ParsedFile } from './parsed-file.ts';

/** Reads the lines of one boundary file, from the first to the last. */
export type BoundaryReader = {
  readonly kind: string;
  /**
   * Return the record of a line, or the reason why it has none.
   *
   * @throws {ContentRefusedError} when the line is damaged
   */
  readonly read: (line: string, place: string) => BoundaryRecord | string;
  /** Return the state and the period of the file, once it has been read. @throws {ContentRefusedError} */
  readonly described: () => { readonly state: string; readonly period: FilePeriod | undefined };
};

/** Recognizes a layout by the name and the first line of a file, and creates readers of it. */
export type BoundaryLayout = (
  file: OfferedFile,
  content: TaxContent,
  firstLine: string,
) => (() => BoundaryReader) | undefined;

/**
 * Read a boundary file to its end, so that it is imported completely or not at all. Its records are read again when
 * they are written: the largest files have millions, too many to hold in memory.
 */
export const parseBoundaryFile = async (
  file: OfferedFile,
  reader: () => BoundaryReader,
): Promise<ParsedFile> => {
  const first = reader();
  const ignored = new Map<string, number>();
  let rows = 0;
  let since = OPEN_END;
  for await (const records of recordBatches(file, first)) {
    rows += records.length;
    for (const record of records)
      if (typeof record === 'string') ignored.set(record, (ignored.get(record) ?? 0) + 1);
      else if (record.area.from < since) since = record.area.from;
  }
  return {
    kind: first.kind,
    ...first.described(),
    rows,
    stateRates: [],
    localRates: [],
    boundaries: async function* () {
      for await (const records of recordBatches(file, reader()))
        yield records.filter((record) => typeof record !== 'string');
    },
    boundariesSince: since,
    replaces: () => [],
    warnings: [...ignored].map(([why, count]) => `${count} of ${rows} rows were left out: ${why}.`),
  };
};

const recordBatches = async function* (
  file: OfferedFile,
  { read }: BoundaryReader,
): AsyncGenerator<readonly (BoundaryRecord | string)[]> {
  let number = 0;
  for await (const lines of lineBatches(file)) {
    const records: (BoundaryRecord | string)[] = [];
    for (const line of lines) {
      number += 1;
      if (line.trim() === '') continue;
      records.push(read(line, `${file.name}:${number}`));
    }
    yield records;
  }
};

/** Read a ZIP, from which spreadsheets may have removed the leading zeros. @throws {ContentRefusedError} */
export const zipOf = (text: string, place: string): number => {
  if (/^\d{3,5}$/.test(text)) return Number(text);
  throw new ContentRefusedError(place, `${text || 'an empty cell'} is not a ZIP`);
};

/** Read the four digits after a ZIP. @throws {ContentRefusedError} */
export const plus4Of = (text: string, place: string): number => {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new ContentRefusedError(place, `${text || 'an empty cell'} is not the +4 of a ZIP`);
};
