import type { MigrationSet } from '../database/migrate.ts';
import { TieoutError } from '../kernel/errors.ts';

/** A database that is backed up and restored. */
export type KeptDatabase = {
  readonly kind: 'workspace' | 'ledger';
  /** Its name in a new backup, with a number if there are several of its kind: `workspace`, `ledger-2`. */
  readonly name: string;
  /** The entities that use it; empty for the ledger of a served service. */
  readonly entities: readonly string[];
  /** Its address, `sqlite:<path>` or `postgres://…`. */
  readonly url: string;
  /** The migration sets whose tables it must contain. */
  readonly sets: readonly MigrationSet[];
};

const SQLITE = 'sqlite:';

/** Return the file of a database. @throws {TieoutError} E_BACKUP_ENGINE when it is not a file */
export const fileOf = ({ name, url }: KeptDatabase): string => {
  if (url.startsWith(SQLITE) && url !== 'sqlite::memory:') return url.slice(SQLITE.length);
  throw new TieoutError({
    code: 'E_BACKUP_ENGINE',
    message: `The ${name} is not a SQLite file, and only such files are copied here.`,
    nextStep: 'Use pg_dump and pg_restore for PostgreSQL, as docs/backups.md shows.',
  });
};

export const nameOfCopy = ({ name }: Pick<KeptDatabase, 'name'>): string => `${name}.db`;
