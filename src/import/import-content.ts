import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeBoundaries } from '../content/boundaries.ts';
import {
  boundariesTable,
  MANIFEST_FILE,
  type Manifest,
  openContentFolder,
} from '../content/content-folder.ts';
import { DEFAULT_CONTENT_FOLDER } from '../content/load-content.ts';
import { withRunLock } from '../database/run-lock.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { rowsText } from './parsed-file.ts';
import { type ImportLimits, type PlannedImport, planImport } from './plan-import.ts';

/** The result of an import, or what it would be; all rows of data are read, because a file that is read in part is refused. */
export type ImportReport = ReturnType<typeof reportOf>;

export type ImportOptions = ImportLimits & {
  /** The day of the import, for the history; omitted to see what the import would change, without writing. */
  readonly on?: CalendarDate | undefined;
};

/**
 * Import an official file into a content folder. A folder that is missing or empty starts as a copy of the default
 * content. The file is read and compared completely before anything is written; then new tables are written beside the
 * old ones, and one rename of the manifest activates them. Old tables and manifests stay in `history`.
 *
 * @throws {ContentRefusedError} when the file is refused; nothing has changed then
 * @throws {TieoutError} E_RUN_LOCKED while another import works on the folder
 */
export const importContent = async (
  path: string,
  folderPath: string,
  { on, ...limits }: ImportOptions = {},
): Promise<ImportReport> => {
  const planned = () => planImport(path, isUnbegun(folderPath) ? DEFAULT_CONTENT_FOLDER : folderPath, limits);
  if (on === undefined) {
    const plan = await planned();
    return reportOf(plan, false, plan.folder.manifest.version);
  }
  mkdirSync(dirname(resolve(folderPath)), { recursive: true });
  return withRunLock({ place: resolve(folderPath) }, async () => {
    const plan = await planned();
    if (isUnbegun(folderPath)) startFolder(folderPath);
    return reportOf(plan, true, await commit(plan, folderPath, on));
  });
};

/** @param version of the content after the import */
const reportOf = (plan: PlannedImport, written: boolean, version: string) => ({
  ...describedFile(plan),
  diff: plan.diff,
  warnings: plan.warnings,
  written,
  version,
});

const describedFile = ({ file, parsed }: PlannedImport) => ({
  file: file.name,
  kind: parsed.kind,
  state: parsed.state,
  period: parsed.period?.label ?? '',
  rows: parsed.rows,
});

/** The folder in which a content keeps the tables of its imports, by number. */
const HISTORY = 'history';

/** Return the number of the last import into a folder, taken back or not; 0 if there was none. */
const lastNumber = (folder: string): number => {
  const history = join(folder, HISTORY);
  const names = existsSync(history) ? readdirSync(history) : [];
  return Math.max(0, ...names.filter((name) => /^\d+$/.test(name)).map(Number));
};

/** Whether a folder is missing or empty. */
export const isUnbegun = (folderPath: string): boolean =>
  !existsSync(folderPath) || (statSync(folderPath).isDirectory() && readdirSync(folderPath).length === 0);

/** Start a folder as a copy of the default content, completely or not at all. */
const startFolder = (folderPath: string): void => {
  const folder = resolve(folderPath);
  const draft = mkdtempSync(`${folder}.draft-`);
  try {
    cpSync(DEFAULT_CONTENT_FOLDER, draft, { recursive: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
};

/** Write the tables of an import under its number, then activate them with one rename. Returns the new version. */
const commit = async (plan: PlannedImport, folderPath: string, on: CalendarDate): Promise<string> => {
  const history = join(folderPath, HISTORY);
  const number = lastNumber(folderPath) + 1;
  mkdirSync(history, { recursive: true });
  const draft = mkdtempSync(join(history, '.import-'));
  try {
    const tables = await writeTables(plan, draft);
    const { manifest } = openContentFolder(folderPath);
    const written = tables.map((table) => [table, `${HISTORY}/${number}/${table}`]);
    const next: Manifest = {
      ...manifest,
      version: `${manifest.version.split('+')[0]}+${number}`,
      tables: { ...manifest.tables, ...Object.fromEntries(written) },
      imports: [...(manifest.imports ?? []), { ...describedFile(plan), sha256: plan.file.sha256, on }],
    };
    writeFileSync(join(draft, 'manifest-before.json'), manifestText(manifest));
    renameSync(draft, join(history, String(number)));
    writeWhole(join(folderPath, MANIFEST_FILE), manifestText(next));
    return next.version;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
};

/** Write the tables of an import into a folder. Returns their names. */
const writeTables = async (plan: PlannedImport, folder: string): Promise<readonly string[]> => {
  for (const [table, rows] of plan.tables) writeFileSync(join(folder, table), rowsText(table, rows));
  const { boundaries, state } = plan.parsed;
  if (!boundaries) return [...plan.tables.keys()];
  const table = boundariesTable(state);
  await writeBoundaries(join(folder, table), { source: plan.file.name, records: boundaries() });
  return [...plan.tables.keys(), table];
};

const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

const writeWhole = (path: string, text: string): void => {
  writeFileSync(`${path}.draft`, text);
  renameSync(`${path}.draft`, path);
};
