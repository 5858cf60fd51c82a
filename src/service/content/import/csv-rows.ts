import { parse } from 'csv-parse/sync';
import { ContentRefusedError } from '../content-error.ts';
import type { OfficialFile } from './official-file.ts';

/** The records of a CSV file with quoting, each with its cells trimmed. @throws {ContentRefusedError} */
export const csvRows = (file: OfficialFile): string[][] => {
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
