import { join } from 'node:path';
import { type Manifest, readManifest } from './manifest.ts';

/** A content folder with its manifest. Imported tables stand beside the first ones; the manifest says which hold. */
export type ContentFolder = { readonly path: string; readonly manifest: Manifest };

export const openContentFolder = (path: string): ContentFolder => ({ path, manifest: readManifest(path) });

/** The table of boundaries of a state. */
export const boundariesTable = (state: string): string => `boundaries-${state}.sqlite`;

/** The state of a table of boundaries; `undefined` for any other table. */
export const stateOfBoundaries = (table: string): string | undefined =>
  /^boundaries-([A-Z]{2})\.sqlite$/.exec(table)?.[1];

/** The file in which a table is, relative to the folder. */
export const tableFile = ({ manifest }: ContentFolder, table: string): string =>
  manifest.tables?.[table] ?? table;

export const tablePath = (folder: ContentFolder, table: string): string =>
  join(folder.path, tableFile(folder, table));
