import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { TieoutError } from '../../../kernel/errors.ts';
import { MANIFEST_FILE, openContentFolder } from '../content-folder.ts';
import { type ImportOptions, type ImportReport, importContent, isUnbegun } from './import-content.ts';

/** Imports of several files that take effect together or not at all. */
export type StagedImports = {
  /** Import one more file into the staging folder. @throws {ContentRefusedError} the others stay */
  readonly add: (path: string, options: ImportOptions) => Promise<ImportReport>;
  /** Activate what was added, with one rename. @throws {TieoutError} E_CONTENT_CHANGED */
  readonly commit: () => void;
  /** Remove the staging folder. */
  readonly discard: () => void;
};

/** Start imports beside a content folder, in a copy of its current tables. */
export const stageImports = (folderPath: string): StagedImports => {
  const folder = resolve(folderPath);
  mkdirSync(dirname(folder), { recursive: true });
  const prefix = `.${basename(folder)}.import-`;
  removeLeftovers(dirname(folder), prefix);
  const parent = mkdtempSync(join(dirname(folder), `${prefix}${process.pid}-`));
  const staging = join(parent, 'content');
  const isNew = isUnbegun(folder);
  const before = isNew ? '' : manifestText(folder);
  if (!isNew) copyTables(folder, staging);
  return {
    add: (path, options) => importContent(path, staging, options),
    commit: () => {
      if (isNew !== isUnbegun(folder) || (!isNew && manifestText(folder) !== before)) throw changed(folder);
      if (isNew) {
        rmSync(folder, { recursive: true, force: true });
        renameSync(staging, folder);
        return;
      }
      const known = openContentFolder(folder).manifest.imports?.length ?? 0;
      const all = openContentFolder(staging).manifest.imports?.length ?? 0;
      for (let number = known + 1; number <= all; number += 1) {
        const place = join('history', String(number));
        rmSync(join(folder, place), { recursive: true, force: true });
        mkdirSync(join(folder, 'history'), { recursive: true });
        renameSync(join(staging, place), join(folder, place));
      }
      renameSync(join(staging, MANIFEST_FILE), join(folder, MANIFEST_FILE));
    },
    discard: () => rmSync(parent, { recursive: true, force: true }),
  };
};

/** Remove staging folders of killed imports: their names contain the number of a process that has ended. */
const removeLeftovers = (parent: string, prefix: string): void => {
  for (const name of readdirSync(parent)) {
    const id = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : Number.NaN;
    if (Number.isInteger(id) && !isAlive(id)) rmSync(join(parent, name), { recursive: true, force: true });
  }
};

const isAlive = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const manifestText = (folder: string): string => readFileSync(join(folder, MANIFEST_FILE), 'utf8');

/** Copy the current tables of a folder, without earlier ones. */
const copyTables = (folder: string, to: string): void => {
  const held = new Set(Object.values(openContentFolder(folder).manifest.tables ?? {}));
  const history = join(folder, 'history');
  cpSync(folder, to, {
    recursive: true,
    filter: (path) => !path.startsWith(`${history}/`),
  });
  for (const file of held) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    if (existsSync(join(folder, file))) cpSync(join(folder, file), join(to, file));
  }
};

const changed = (folder: string): TieoutError =>
  new TieoutError({
    code: 'E_CONTENT_CHANGED',
    recovery: 'wait',
    message: `${folder} was changed by another import in the meantime`,
    nextStep: 'Nothing was imported. Run the command again; what was fetched is kept.',
  });
