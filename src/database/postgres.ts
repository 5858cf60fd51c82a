import { Client, type ClientBase, type ClientConfig, TypeOverrides } from 'pg';
import { DefectError, type TieoutError } from '../kernel/errors.ts';
import { connectError, postgresError, unreachable } from './database-errors.ts';

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
  lock_timeout: busyWaitMs,
  // A connection that is cut off without a word only looks idle: the system asks for it now and then.
  keepAlive: true,
  types: wholeNumbers(),
});

/** A connection that gives up on a server that does not answer. Waiting for a free one of a pool has no such limit. */
export class ServerClient extends Client {
  constructor(settings?: ClientConfig) {
    super({ ...settings, connectionTimeoutMillis: CONNECT_WAIT_MS });
  }
}

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
  const client = withReadableErrors(new ServerClient(postgresSettings(place)), place.name);
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
  let isReleased = false;
  client.once('error', ({ message }) => {
    if (!isReleased) lost(unreachable(place.name, message));
  });
  return {
    release: async () => {
      isReleased = true;
      await client.query('select pg_advisory_unlock($1, 1)', [LOCK_SPACE]).catch(() => {});
      await end();
    },
  };
};

const ROLLBACK = 'rollback';

/**
 * Describe every error of a connection in words. A connection that breaks reports the reason only once, perhaps while
 * no statement is running; here each later statement gets it. The server itself rolls back what the connection has
 * begun. Once `refusal` returns an error, every statement but a rollback is refused with it.
 */
export const withReadableErrors = <Client extends ClientBase>(
  client: Client,
  place: string,
  refusal: () => TieoutError | undefined = () => undefined,
): Client => {
  let broken: Error | undefined;
  client.on('error', (error) => {
    broken ??= error;
  });
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const worded = async (...args: unknown[]): Promise<unknown> => {
    const isRollback = args[0] === ROLLBACK;
    if (isRollback && broken) return { command: 'ROLLBACK', rowCount: null, rows: [] };
    const refused = isRollback ? undefined : refusal();
    if (refused) throw refused;
    try {
      return await query(...args);
    } catch (error) {
      const said = postgresError(broken ?? error, place);
      if (said?.code === 'E_DATABASE_UNREACHABLE') broken ??= error as Error;
      throw said ?? error;
    }
  };
  client.query = worded as Client['query'];
  return client;
};
