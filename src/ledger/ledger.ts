import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '../database/connect.ts';
import { migrate } from '../database/migrate.ts';
import { type Clock, instant, systemClock } from '../kernel/calendar.ts';
import { sha256 } from '../kernel/json.ts';
import { accountStore, customerStore, recentReadings } from './account.ts';
import { type KeyRow, LEDGER_MIGRATIONS, type LedgerTables } from './migrations.ts';
import { transactionStore } from './transaction-store.ts';

/** All data that the service stores. */
export type Ledger = Awaited<ReturnType<typeof openLedger>>;

/** Bring the ledger's tables up to date and open it. The caller still owns the database, and closes it. */
export const openLedger = async (database: Database, clock: Clock = systemClock) => {
  await migrate(database, LEDGER_MIGRATIONS);
  return {
    accounts: accountStore(database, clock),
    keys: keyStore(database, clock),
    customers: customerStore(database),
    transactions: transactionStore(database),
  };
};

const SECRET_BYTES = 32;

const HINT_LENGTH = 6;

const keyStore = (database: Database, clock: Clock) => {
  const tables = database.tables<LedgerTables>();
  const accountByHash = recentReadings<string, number>(clock);
  return {
    /** Returns the secret, which is available only here; only its hash is stored. */
    create: async (accountId: number) => {
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      const values = {
        account_id: accountId,
        hash: sha256(secret),
        hint: secret.slice(0, HINT_LENGTH),
        created_at: clock.now(),
      };
      const row = await tables.insertInto('keys').values(values).returningAll().executeTakeFirstOrThrow();
      return { key: keyOf(row), secret };
    },
    /** Returns the account of a secret; `undefined` when it is unknown or revoked. */
    accountOf: async (secret: string) => {
      const hash = sha256(secret);
      return accountByHash.read(hash, async () => {
        const row = await tables
          .selectFrom('keys')
          .select(['account_id', 'hash'])
          .where('hash', '=', hash)
          .where('revoked_at', 'is', null)
          .executeTakeFirst();
        // A database may compare otherwise; this comparison is of bytes, and its time tells an attacker nothing.
        const isSame = row !== undefined && timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash));
        return isSame ? row.account_id : undefined;
      });
    },
    /** Oldest first, including revoked keys. */
    list: async (accountId: number) => {
      const query = tables.selectFrom('keys').selectAll().where('account_id', '=', accountId);
      return (await query.orderBy('id').execute()).map(keyOf);
    },
    /** `false` when the account does not have such an active key. */
    revoke: async (accountId: number, keyId: number) => {
      const { numUpdatedRows } = await tables
        .updateTable('keys')
        .set({ revoked_at: clock.now() })
        .where('id', '=', keyId)
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      accountByHash.forget();
      return numUpdatedRows === 1n;
    },
  };
};

/** Return a key as it can be shown to people: never the secret itself. */
const keyOf = (row: Selectable<KeyRow>) => ({
  id: row.id,
  accountId: row.account_id,
  /** The first characters of the secret, so that its owner can distinguish keys. */
  hint: row.hint,
  createdAt: instant(row.created_at),
  ...(row.revoked_at !== null && { revokedAt: instant(row.revoked_at) }),
});
