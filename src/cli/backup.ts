import { resolve } from 'node:path';
import { Command } from 'commander';
import { backUp } from '../backup/back-up.ts';
import type { BackupNote, CopyNote } from '../backup/backup-note.ts';
import type { KeptDatabase } from '../backup/kept-database.ts';
import { type Restored, restore } from '../backup/restore.ts';
import { type LoadedConfiguration, loadUndecided } from '../close/configuration/load-configuration.ts';
import { WORKSPACE_MIGRATIONS } from '../close/workspace/migrations.ts';
import { LEDGER_MIGRATIONS } from '../service/ledger/migrations.ts';
import type { CommandIo } from './io.ts';

/** Builds `tieout backup FOLDER`: copies the databases while they are in use. */
export const backupCommand = (io: CommandIo): Command =>
  withKept(
    new Command('backup').argument('<folder>', 'where the copies go; it must not be there yet'),
  ).action(async (folder: string, options: KeptOptions) => {
    const { databases, entities } = await archivedDatabases(options);
    const note = await backUp(databases, resolve(folder), { program: io.program, entities });
    io.print(options.json ? `${JSON.stringify({ folder, ...note }, null, 2)}\n` : copyLines(note));
  });

type Options = KeptOptions & { readonly replace?: boolean; readonly setBack?: readonly string[] };

/** Builds `tieout restore FOLDER`: restores all databases of a backup, or none. */
export const restoreCommand = (io: CommandIo): Command =>
  withKept(new Command('restore').argument('<folder>', 'what `tieout backup` wrote'))
    .option('--replace', 'take the place of what is damaged')
    .option('--set-back <file...>', 'take the place of these databases, too, although they are sound')
    .action(async (folder: string, { replace = false, setBack = [], ...options }: Options) => {
      const { databases, entities } = await archivedDatabases(options);
      const replacing = { damaged: replace, sound: setBack.map((file) => resolve(file)) };
      const restored = await restore(resolve(folder), databases, { replacing, entities });
      io.print(
        options.json
          ? `${JSON.stringify({ folder, databases: restored.map(restoredObject) }, null, 2)}\n`
          : `${restored.map(restoredLine).join('\n')}\n${restored.some(({ isReplaced }) => isReplaced) ? AFTERWARDS : ''}`,
      );
    });

/**
 * The advice after a restore: data newer than the backup is in the exports, and in a database that was not restored.
 */
const AFTERWARDS =
  'Next: close every month again that was closed since the backup: what it lacks is read and sent again. For a locked month, unlock it, close it and lock it.\n';

const restoredObject = ({ note, file, was, isReplaced }: Restored): object => ({
  ...note,
  file,
  was,
  replaced: isReplaced,
});

const restoredLine = ({ note, file, was, isReplaced }: Restored): string =>
  isReplaced ? `${copyLine(note)}; ${file} was ${was}` : `${note.name}: left as it is: ${file} is ${was}`;

type KeptOptions = { readonly config: string; readonly ledger?: string; readonly json?: boolean };

/** Adds the options that select databases: those of a configuration, or that of a served service. */
const withKept = (command: Command): Command =>
  command
    .option('-c, --config <file>', 'the configuration whose databases are meant', 'tieout.yaml')
    .option('-l, --ledger <url>', 'instead, the service database of a served tax service alone')
    .option('--json', 'print a single JSON object to stdout');

type Kept = { readonly databases: readonly KeptDatabase[]; readonly entities: readonly string[] };

/**
 * Returns the selected databases without duplicates, workspaces first.
 *
 * @throws {TieoutError} Errors of the configuration, but none of decision files
 */
const archivedDatabases = async ({ config, ledger }: KeptOptions): Promise<Kept> => {
  if (ledger !== undefined)
    return { databases: keptDatabases('ledger', [{ url: ledger }], LEDGER_MIGRATIONS), entities: [] };
  const entities = await loadUndecided(config);
  const ledgers = entities.filter(({ service }) => service.url === undefined).map(usedAs('ledger'));
  return {
    databases: [
      ...keptDatabases('workspace', entities.map(usedAs('workspace')), WORKSPACE_MIGRATIONS),
      ...keptDatabases('ledger', ledgers, LEDGER_MIGRATIONS),
    ],
    entities: entities.map(({ entity }) => entity),
  };
};

/** A database, and the entity that uses it unless it is the ledger of a served service. */
type Used = { readonly url: string; readonly entity?: string };

const usedAs =
  (kind: KeptDatabase['kind']) =>
  ({ databases, entity, resolveUrl }: LoadedConfiguration): Used => ({
    url: resolveUrl(databases[kind]),
    entity,
  });

const keptDatabases = (
  kind: KeptDatabase['kind'],
  used: readonly Used[],
  set: KeptDatabase['sets'][number],
): KeptDatabase[] =>
  [...Map.groupBy(used, ({ url }) => url)].map(([url, users], index) => ({
    kind,
    name: index === 0 ? kind : `${kind}-${index + 1}`,
    entities: users.flatMap(({ entity }) => entity ?? []),
    url,
    sets: [set],
  }));

/** Formats a line for each copy: its name, schema, number of rows and digest. */
const copyLines = ({ copies }: BackupNote): string => copies.map((copy) => `${copyLine(copy)}\n`).join('');

const copyLine = ({ name, schema, rows, sha256 }: CopyNote): string => {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return `${name}: ${total} rows, schema ${Object.values(schema).join(' and ')}, sha256 ${sha256.slice(0, 16)}`;
};
