import { Client, type ClientConfig, TypeOverrides } from 'pg';
import { DefectError, type TieoutError } from '../kernel/errors.ts';
import { brokenLock, connectError } from './postgres-errors.ts';
import { withReadableErrors } from './with-readable-errors.ts';

export type PostgresPlace = {
  readonly url: string;
  /** The address without its password, for messages. */
  readonly name: string;
  /** How long a statement waits for a lock. */
  readonly busyWaitMs: number;
};

const CONNECT_WAIT_MS = 10_000;

/** Object ids of the PostgreSQL types whose values pg would return as text. */
const BIGINT = 20;
const NUMERIC = 1700;

/** Return the settings of every connection to a server. */
export const postgresSettings = ({ url, busyWaitMs }: PostgresPlace): ClientConfig => ({
  connectionString: url,
  application_name: 'tieout',
  connectionTimeoutMillis: CONNECT_WAIT_MS,
  lock_timeout: busyWaitMs,
  types: wholeNumbers(),
});

/** Read numbers as such: ours are whole and safe, as on SQLite; PostgreSQL returns sums of them as NUMERIC. */
const wholeNumbers = (): TypeOverrides => {
  const types = new TypeOverrides();
  types.setTypeParser(BIGINT, wholeNumber);
  types.setTypeParser(NUMERIC, wholeNumber);
  return types;
};

const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new DefectError(`${text} is not a whole, exact number`);
  return value;
};

/** The first key of our advisory locks in PostgreSQL: "TIEO". */
const LOCK_SPACE = 0x5449454f;

export type ServerLock = { readonly release: () => Promise<void> };

/**
 * Take a lock that the server holds for a connection of its own; `undefined` when another connection has it. The server
 * drops it when the connection breaks, and then `lost` is called at once.
 */
export const takePostgresLock = async (
  place: PostgresPlace,
  lost: (error: TieoutError) => void,
): Promise<ServerLock | undefined> => {
  const client = withReadableErrors(new Client(postgresSettings(place)), place.name);
  // A broken connection has already ended.
  const end = (): Promise<void> => client.end().catch(() => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, 1) as taken', [
      LOCK_SPACE,
    ]);
    if (rows[0]?.taken !== true) {
      await end();
      return undefined;
    }
  } catch (error) {
    await end();
    throw connectError(error, place.name);
  }
  client.once('error', ({ message }) => lost(brokenLock(place.name, message)));
  return {
    release: async () => {
      await client.query('select pg_advisory_unlock($1, 1)', [LOCK_SPACE]).catch(() => {});
      await end();
    },
  };
};
