import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { gathered } from '../../database/gathered.ts';
import type { TransactionRow } from './tables.ts';
import type { SingleTransactions, TransactionKey } from './transaction-store.ts';

type Columns = 'account_id' | 'kind' | 'provider' | 'transaction_id';
type RowKey = Pick<TransactionRow, Columns>;

const GROUP_MAX = 500;
/** One group of creates gathers while the one before commits, and a further one hides the way to the server. */
const CREATES_IN_FLIGHT = 2;
const READINGS_IN_FLIGHT = 4;

/** Creates that arrive together are one statement, and so are readings. */
export const postgresTransactions = (database: Database): SingleTransactions => {
  const create = gathered<TransactionRow, boolean>(
    { groupMax: GROUP_MAX, inFlightMax: CREATES_IN_FLIGHT },
    async (rows) => {
      const created = await createAll(database, rows);
      // Where a group has a key twice, the first of the two has created it.
      return rows.map((row) => created.delete(textOf(row)));
    },
  );
  const find = gathered<TransactionKey, TransactionRow | undefined>(
    { groupMax: GROUP_MAX, inFlightMax: READINGS_IN_FLIGHT },
    async (keys) => {
      const rows = keys.map(
        ({ accountId, transactionId, kind, provider }): RowKey => ({
          account_id: accountId,
          kind,
          provider,
          transaction_id: transactionId,
        }),
      );
      const found = await findAll(database, rows);
      return rows.map((row) => found.get(textOf(row)));
    },
  );
  return { create, find };
};

const textOf = ({ account_id, kind, provider, transaction_id }: RowKey): string =>
  JSON.stringify([account_id, kind, provider, transaction_id]);

/** In the order of their keys, so that two processes which create the same records wait and do not deadlock. */
const createAll = async (database: Database, rows: readonly TransactionRow[]): Promise<Set<string>> => {
  const byKey = new Map(rows.toReversed().map((row) => [textOf(row), row]));
  const keys = [...byKey.keys()].sort();
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  const values = JSON.stringify(keys.map((key) => byKey.get(key)));
  const created = await sql<RowKey>`
    insert into transactions (${columns})
    select ${columns} from json_populate_recordset(null::transactions, ${values}::json)
    on conflict do nothing
    returning account_id, kind, provider, transaction_id`.execute(database.tables());
  return new Set(created.rows.map(textOf));
};

const findAll = async (
  database: Database,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<string, TransactionRow>> => {
  const wanted = sql`json_populate_recordset(null::transactions, ${JSON.stringify(keys)}::json)`;
  const { rows } = await sql<TransactionRow>`
    select * from transactions where (account_id, kind, provider, transaction_id) in
      (select account_id, kind, provider, transaction_id from ${wanted})`.execute(database.tables());
  return new Map(rows.map((row) => [textOf(row), row]));
};
