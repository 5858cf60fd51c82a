import type { ContentFolder } from './content-folder.ts';
import { datedOf, readTable, wordOf } from './content-table.ts';
import type { Dated } from './dated.ts';

/** A file of rates or boundaries that the authority of a state publishes. */
export type OfficialFileRow = Dated & {
  readonly state: string;
  readonly what: 'rates' | 'food' | 'boundaries';
  /** The page that links to the file. */
  readonly page: string;
  /** Its name, `*` standing for the period; empty if the state does not publish a file that an importer reads. */
  readonly file: string;
};

/** @throws {ContentDamagedError} */
export const loadOfficialFiles = (folder: ContentFolder): readonly OfficialFileRow[] =>
  readTable(folder, 'official-files.tsv', (row) => ({
    ...datedOf(row),
    state: row.cell('state'),
    what: wordOf(row, 'what', ['rates', 'food', 'boundaries']),
    page: row.cell('page'),
    file: row.cell('file'),
  }));
