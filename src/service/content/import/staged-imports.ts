import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { MANIFEST_FILE, openContentFolder } from '../content-folder.ts';
import { claimName, contentChanged, HISTORY, lastNumber } from './history.ts';
import { type ImportOptions, type ImportReport, importContent, isUnbegun } from './import-content.ts';
import { removeLeftovers } from './leftovers.ts';

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
  const last = lastNumber(folder);
  if (!isNew) copyTables(folder, staging);
  // Numbers go on from the last one of the folder, also where that import was taken back.
  if (last > 0) mkdirSync(join(staging, HISTORY, String(last)), { recursive: true });
  return {
    add: (path, options) => importContent(path, staging, options),
    commit: () => {
      if (isNew !== isUnbegun(folder) || (!isNew && manifestText(folder) !== before))
        throw contentChanged(folder);
      if (isNew) {
        if (existsSync(folder)) rmdirSync(folder);
        claimName(staging, folder, folder);
        return;
      }
      mkdirSync(join(folder, HISTORY), { recursive: true });
      const added = lastNumber(staging);
      for (let number = last + 1; number <= added; number += 1)
        claimName(join(staging, HISTORY, String(number)), join(folder, HISTORY, String(number)), folder);
      renameSync(join(staging, MANIFEST_FILE), join(folder, MANIFEST_FILE));
    },
    discard: () => rmSync(parent, { recursive: true, force: true }),
  };
};

const manifestText = (folder: string): string => readFileSync(join(folder, MANIFEST_FILE), 'utf8');

/** Copy the current tables of a folder, without earlier ones. */
const copyTables = (folder: string, to: string): void => {
  const held = new Set(Object.values(openContentFolder(folder).manifest.tables ?? {}));
  const history = join(folder, HISTORY);
  cpSync(folder, to, {
    recursive: true,
    filter: (path) => !path.startsWith(`${history}/`),
  });
  for (const file of held) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    if (existsSync(join(folder, file))) cpSync(join(folder, file), join(to, file));
  }
};
