import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CalendarDate } from '../../../kernel/calendar.ts';
import { writeBoundaries } from '../boundaries/write-boundaries.ts';
import {
  boundariesTable,
  type ImportEntry,
  MANIFEST_FILE,
  type Manifest,
  openContentFolder,
} from '../content-folder.ts';
import { DEFAULT_CONTENT_FOLDER } from '../load-content.ts';
import type { FileKind } from './parsed-file.ts';
import { type ContentDiff, type ImportLimits, type PlannedImport, planImport } from './plan-import.ts';
import { rowsText } from './table-rows.ts';

/** The result of an import, or of a comparison without writing. */
export type ImportReport = {
  readonly file: string;
  readonly kind: FileKind;
  /** Postal code; several for a neutral file. */
  readonly state: string;
  /** The quarter or day that the file is for; empty when the file does not state it. */
  readonly period: string;
  /** Rows of data that were read: all of them, because a file that is read in part is refused. */
  readonly rows: number;
  readonly diff: ContentDiff;
  readonly warnings: readonly string[];
  readonly written: boolean;
  /** The version of the content after the import. */
  readonly version: string;
};

export type ImportOptions = ImportLimits & {
  /** The day of the import, for the history. */
  readonly on: CalendarDate;
};

/**
 * Import an official file into a content folder. A folder that is missing or empty starts as a copy of the default
 * content. The file is read and compared completely before anything is written; then new tables are written beside the
 * old ones, and one rename of the manifest activates them. Old tables and manifests stay in `history`.
 *
 * @throws {ContentRefusedError} when the file is refused; nothing has changed then
 */
export const importContent = async (
  path: string,
  folderPath: string,
  options: ImportOptions,
): Promise<ImportReport> => {
  const isNew = isUnbegun(folderPath);
  const plan = await planImport(path, isNew ? DEFAULT_CONTENT_FOLDER : folderPath, options);
  if (isNew) startFolder(folderPath);
  const version = await commit(plan, folderPath, options.on);
  return reportOf(plan, true, version);
};

/** Report what an import would change, without writing. @throws {ContentRefusedError} when the file would be refused */
export const diffContent = async (
  path: string,
  folderPath: string,
  options: ImportLimits = {},
): Promise<ImportReport> => {
  const isNew = isUnbegun(folderPath);
  const plan = await planImport(path, isNew ? DEFAULT_CONTENT_FOLDER : folderPath, options);
  return reportOf(plan, false, plan.folder.manifest.version);
};

const reportOf = ({ file, parsed, diff, warnings }: PlannedImport, written: boolean, version: string) => ({
  file: file.name,
  kind: parsed.kind,
  state: parsed.state,
  period: parsed.period?.label ?? '',
  rows: parsed.rows,
  diff,
  warnings,
  written,
  version,
});

/** Whether a folder is missing or empty. */
export const isUnbegun = (folderPath: string): boolean =>
  !existsSync(folderPath) || readdirSync(folderPath).length === 0;

/** Start a folder as a copy of the default content, complete or not at all. */
const startFolder = (folderPath: string): void => {
  const draft = `${folderPath.replace(/\/+$/, '')}.draft`;
  mkdirSync(dirname(draft), { recursive: true });
  cpSync(DEFAULT_CONTENT_FOLDER, draft, { recursive: true });
  renameSync(draft, folderPath);
};

/** Write the tables of an import, then activate them with one rename. Returns the new version. */
const commit = async (plan: PlannedImport, folderPath: string, on: CalendarDate): Promise<string> => {
  const { manifest } = openContentFolder(folderPath);
  const number = (manifest.imports?.length ?? 0) + 1;
  const imports = join('history', String(number));
  mkdirSync(join(folderPath, imports), { recursive: true });
  const tables: Record<string, string> = { ...manifest.tables };
  for (const [table, rows] of plan.tables) {
    writeWhole(join(folderPath, imports, table), rowsText(table, rows));
    tables[table] = `history/${number}/${table}`;
  }
  const { boundaries, state } = plan.parsed;
  if (boundaries) {
    const table = boundariesTable(state);
    await writeBoundaries(join(folderPath, imports, table), {
      source: plan.file.name,
      records: boundaries(),
    });
    tables[table] = `history/${number}/${table}`;
  }
  const next: Manifest = {
    ...manifest,
    version: `${manifest.version.split('+')[0]}+${number}`,
    tables,
    imports: [...(manifest.imports ?? []), entryOf(plan, on)],
  };
  writeWhole(join(folderPath, imports, 'manifest-before.json'), manifestText(manifest));
  writeWhole(join(folderPath, MANIFEST_FILE), manifestText(next));
  return next.version;
};

const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

const writeWhole = (path: string, text: string): void => {
  writeFileSync(`${path}.draft`, text);
  renameSync(`${path}.draft`, path);
};

const entryOf = ({ file, parsed }: PlannedImport, on: CalendarDate): ImportEntry => ({
  file: file.name,
  kind: parsed.kind,
  state: parsed.state,
  period: parsed.period?.label ?? '',
  sha256: file.sha256,
  on,
  rows: parsed.rows,
});
