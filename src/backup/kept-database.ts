import type { MigrationSet } from '../database/migrate.ts';
import { TieoutError } from '../kernel/errors.ts';

/** A database that is backed up and restored. */
export type KeptDatabase = {
  /** What it is called in a backup: `workspace`, `ledger`. */
  readonly name: string;
  /** Its address, `sqlite:<path>` or `postgres://…`. */
  readonly url: string;
  /** Whose tables it must hold. */
  readonly sets: readonly MigrationSet[];
};

const SQLITE = 'sqlite:';

/** The file of a database. @throws {TieoutError} E_BACKUP_ENGINE when it is none */
export const fileOf = ({ name, url }: KeptDatabase): string => {
  if (url.startsWith(SQLITE) && url !== 'sqlite::memory:') return url.slice(SQLITE.length);
  throw new TieoutError({
    code: 'E_BACKUP_ENGINE',
    recovery: 'usage',
    message: `The ${name} is not a SQLite file, and only such files are copied here.`,
    nextStep: 'Use pg_dump and pg_restore for PostgreSQL, as docs/backups.md shows.',
  });
};

export const nameOfCopy = ({ name }: KeptDatabase): string => `${name}.db`;
