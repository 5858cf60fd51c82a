import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { type BackupNote, backUp, type Kept } from '../backup/back-up.ts';
import { type LoadedConfiguration, loadUndecided, outputOf } from '../configuration/load-configuration.ts';
import { lockPlaceOf } from '../core/reading.ts';
import { refuseAddress } from '../database/connect.ts';
import { TieoutError } from '../kernel/errors.ts';
import { shownNumber } from '../kernel/text.ts';
import { REGISTER, readLocks } from '../periods/locks.ts';
import { exists } from '../runtime/publish-folder.ts';
import { FILINGS } from '../sales/file-source.ts';
import { expandFiles } from '../sales/survey-file.ts';
import type { CommandIo } from './io.ts';
import { printAnswer } from './print.ts';

type Options = {
  readonly config: string;
  readonly ledger?: string;
  readonly json?: boolean;
};

/** Builds `tieout backup FOLDER`: copies what no close can make again. */
export const backupCommand = (io: CommandIo): Command =>
  new Command('backup')
    .argument('<folder>', 'where the copies go; it must not be there yet')
    .option('-c, --config <file>', 'the configuration whose records and locks are meant', 'tieout.yaml')
    .option('-l, --ledger <url>', 'instead, the database of a served tax service alone')
    .option('--json', 'print a single JSON object to stdout')
    .action(async (folder: string, options: Options) => {
      const { served, ...kept } = await keptBy(options);
      const note = await backUp(kept, resolve(folder), io.program);
      printAnswer(io, options.json, { folder, ...note, left: served }, textOf(folder, note, served));
    });

/** Which databases are on a server, by their addresses without passwords; they are not copied. */
type Served = { readonly served: readonly string[] };

/** @throws {TieoutError} those of the configuration, but none of decision files; those of locks; E_BACKUP_ENGINE, E_DATABASE_ADDRESS */
const keptBy = async ({ config, ledger }: Options): Promise<Kept & Served> => {
  if (ledger !== undefined) {
    const { files, served } = sorted([ledger]);
    if (served.length > 0)
      throw new TieoutError({
        code: 'E_BACKUP_ENGINE',
        message: 'The ledger is not a SQLite file, and only such files are copied here.',
        nextStep: 'Use pg_dump and pg_restore for PostgreSQL, as docs/cron.md shows.',
      });
    return { root: dirname(files[0] ?? ''), files: [], databases: files, served };
  }
  const entities = await loadUndecided(config);
  const root = dirname(resolve(config));
  const own = entities.filter(({ service }) => service.url === undefined);
  const { files, served } = sorted(own.map(({ databases, resolveUrl }) => resolveUrl(databases.ledger)));
  const kept: string[] = [resolve(root, REGISTER), resolve(root, FILINGS)];
  for (const entity of entities) kept.push(...(await decisionsOf(entity)), ...(await lockedOf(entity)));
  const present: string[] = [];
  for (const path of new Set(kept)) if (await exists(path)) present.push(path);
  return { root, files: present, databases: files, served };
};

const SQLITE = 'sqlite:';

/** Tells databases in files from those on a server. */
const sorted = (urls: readonly string[]) => {
  const all = [...new Set(urls)];
  all.forEach(refuseAddress);
  const isFile = (url: string): boolean => url.startsWith(SQLITE);
  return {
    files: all.filter(isFile).map((url) => resolve(url.slice(SQLITE.length))),
    served: all.filter((url) => !isFile(url)).map((url) => `${new URL(url).host}${new URL(url).pathname}`),
  };
};

const decisionsOf = async ({ decisions, resolvePath }: LoadedConfiguration): Promise<readonly string[]> => {
  const files = await expandFiles(decisions, resolvePath).catch(() => []);
  return files.map(({ path }) => path);
};

const lockedOf = async (configuration: LoadedConfiguration): Promise<readonly string[]> => {
  const { versions } = await readLocks(
    lockPlaceOf({ configuration, output: outputOf(configuration, undefined) }),
  );
  return versions.map(({ folder }) => folder);
};

const textOf = (folder: string, { copies }: BackupNote, served: readonly string[]): string => {
  const left = served.map((place) => `not copied: ${place} is a PostgreSQL database: use pg_dump\n`);
  return `${folder}: ${shownNumber(copies.length, 'file')}, listed in backup.json\n${left.join('')}`;
};
