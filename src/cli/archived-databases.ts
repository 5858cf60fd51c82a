import type { Command } from 'commander';
import type { BackupNote, CopyNote } from '../backup/backup-note.ts';
import type { KeptDatabase } from '../backup/kept-database.ts';
import { type LoadedConfiguration, loadEntities } from '../close/configuration/load-configuration.ts';
import { WORKSPACE_MIGRATIONS } from '../close/workspace/migrations.ts';
import { LEDGER_MIGRATIONS } from '../service/ledger/migrations.ts';

export type KeptOptions = { readonly config: string; readonly ledger?: string; readonly json?: boolean };

/** Which databases are meant: those of a configuration, or the books of a served service. */
export const withKept = (command: Command): Command =>
  command
    .option('-c, --config <file>', 'the configuration whose databases are meant', 'tieout.yaml')
    .option('-l, --ledger <url>', 'instead, the books of a served tax service alone')
    .option('--json', 'print a single JSON object to stdout');

export type Kept = { readonly databases: readonly KeptDatabase[]; readonly entities: readonly string[] };

/** The databases that are meant, workspaces first, each once. @throws {TieoutError} those of the configuration */
export const archivedDatabases = async ({ config, ledger }: KeptOptions): Promise<Kept> => {
  if (ledger !== undefined) return { databases: named('ledger', [ledger], LEDGER_MIGRATIONS), entities: [] };
  const entities = await loadEntities(config);
  const ledgers = entities.filter(({ service }) => service.url === undefined).map(urlOf('ledger'));
  return {
    databases: [
      ...named('workspace', entities.map(urlOf('workspace')), WORKSPACE_MIGRATIONS),
      ...named('ledger', ledgers, LEDGER_MIGRATIONS),
    ],
    entities: entities.map(({ entity }) => entity),
  };
};

const urlOf =
  (which: 'workspace' | 'ledger') =>
  ({ databases, resolveUrl }: LoadedConfiguration): string =>
    resolveUrl(databases[which]);

const named = (name: string, urls: readonly string[], set: KeptDatabase['sets'][number]): KeptDatabase[] =>
  [...new Set(urls)].map((url, index) => ({
    name: index === 0 ? name : `${name}-${index + 1}`,
    url,
    sets: [set],
  }));

/** A line for each copy: what it is called, its schema, its rows, its digest. */
export const copyLines = ({ copies }: BackupNote): string =>
  copies.map((copy) => `${copyLine(copy)}\n`).join('');

export const copyLine = ({ name, schema, rows, sha256 }: CopyNote): string => {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return `${name}: ${total} rows, schema ${Object.values(schema).join(' and ')}, sha256 ${sha256.slice(0, 16)}`;
};
