import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { diskFailure } from '../../kernel/errors.ts';
import { ContentDamagedError } from './content-error.ts';

/** The name of the manifest in a content folder. */
export const MANIFEST_FILE = 'manifest.json';

/** One official file that was imported into a content. */
const ImportEntry = z.strictObject({
  file: z.string(),
  /** The name of its layout. */
  kind: z.string(),
  /** Postal code; several for a neutral file. */
  state: z.string(),
  /** The quarter or day that the file is for; empty when the file does not state it. */
  period: z.string(),
  sha256: z.string(),
  on: z.iso.date(),
  /** Rows of data in the file. */
  rows: z.number().int(),
});
export type ImportEntry = z.output<typeof ImportEntry>;

/** The manifest of a content folder. */
const Manifest = z.strictObject({
  name: z.string().min(1),
  version: z.string().min(1),
  date: z.iso.date(),
  /** The words of confidence whose taxability rows are applied; others are taxed in full and flagged. */
  confidence: z.array(z.string()).min(1),
  /** The file of a table, if not the one of its own name: imports write new files and never overwrite old ones. */
  tables: z.record(z.string(), z.string()).optional(),
  imports: z.array(ImportEntry).optional(),
});
export type Manifest = z.output<typeof Manifest>;

/** @throws {ContentDamagedError} when the folder has no readable manifest; E_DISK_FAILED */
const readManifest = (folder: string): Manifest => {
  try {
    return Manifest.parse(JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8')));
  } catch (cause) {
    const file = join(folder, MANIFEST_FILE);
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') {
      const nextStep =
        'Name the folder with --content; `tieout content import FILE --content FOLDER` begins one that is not there yet.';
      throw new ContentDamagedError(file, 'there is no tax content', cause, nextStep);
    }
    if ((cause as NodeJS.ErrnoException).code === 'ENOTDIR') {
      const nextStep = `Take the file into a folder: \`tieout content import ${folder} --content FOLDER\`, and name that folder.`;
      throw new ContentDamagedError(folder, 'tax content is a folder, and this is a file', cause, nextStep);
    }
    throw diskFailure(cause, file) ?? new ContentDamagedError(file, 'the manifest cannot be read', cause);
  }
};

/** A content folder with its manifest, which names the current tables. Imported ones are stored beside the old ones. */
export type ContentFolder = { readonly path: string; readonly manifest: Manifest };

export const openContentFolder = (path: string): ContentFolder => ({ path, manifest: readManifest(path) });

/** Return the name of the boundary table of a state. */
export const boundariesTable = (state: string): string => `boundaries-${state}.sqlite`;

/** Return the state of a boundary table; `undefined` for any other table. */
export const stateOfBoundaries = (table: string): string | undefined =>
  /^boundaries-([A-Z]{2})\.sqlite$/.exec(table)?.[1];

/** Return the file of a table, relative to the folder. */
const tableFile = ({ manifest }: ContentFolder, table: string): string => manifest.tables?.[table] ?? table;

export const tablePath = (folder: ContentFolder, table: string): string =>
  join(folder.path, tableFile(folder, table));
