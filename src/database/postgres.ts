import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Client, type ClientBase, type ClientConfig, TypeOverrides } from 'pg';
import { DefectError, type TieoutError } from '../kernel/errors.ts';
import { sha256 } from '../kernel/json.ts';
import { brokenLock, connectError, postgresError } from './database-errors.ts';

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

/** How often the connection that holds a lock is asked, and how long it may take to answer. */
type Asking = { readonly everyMs: number; readonly withinMs: number };
const ASKING: Asking = { everyMs: 5_000, withinMs: 30_000 };

export type ServerLock = { readonly release: () => Promise<void> };

/**
 * Take a lock that the server holds for a connection of its own; `undefined` when another connection has it. The server
 * drops it when the connection breaks, and then `lost` is called at once. A connection that is cut off without a word
 * only looks idle, so it is asked, and one that does not answer is lost, too.
 */
export const takePostgresLock = async (
  place: PostgresPlace,
  lost: (error: TieoutError) => void,
  asking: Asking = ASKING,
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
  const over = new AbortController();
  client.once('error', ({ message }) => {
    if (!over.signal.aborted) lost(brokenLock(place.name, message));
    over.abort();
  });
  void untilSilent(client, asking, over.signal).then(() => {
    if (over.signal.aborted) return;
    over.abort();
    lost(brokenLock(place.name, `it has not answered for ${asking.withinMs / 1000} s`));
    // With a question that is not answered, this does not wait for the server.
    void end();
  });
  return {
    release: async () => {
      over.abort();
      await client.query('select pg_advisory_unlock($1, 1)', [LOCK_SPACE]).catch(() => {});
      await end();
    },
  };
};

/** Ask a connection now and then; resolves when it leaves a question unanswered, or when it is over. */
const untilSilent = async (
  client: Client,
  { everyMs, withinMs }: Asking,
  over: AbortSignal,
): Promise<void> => {
  const wait = (ms: number) => pause(ms, undefined, { ref: false, signal: over }).catch(() => {});
  for (;;) {
    await wait(everyMs);
    if (over.aborted) return;
    let isAnswered = false;
    const answered = client.query('select 1').then(
      () => {
        isAnswered = true;
      },
      // The connection broke, which it says by itself.
      () => wait(withinMs),
    );
    await Promise.race([answered, wait(withinMs)]);
    // What arrived while this thread was busy is read before it counts as missing.
    await nextTurn();
    if (over.aborted || !isAnswered) return;
  }
};

const ROLLBACK = 'rollback';

/**
 * Prefix of a statement that is sent often with the same text: each connection has the server parse and plan it once.
 * Not for `select *`, whose columns may change while others migrate the tables.
 */
export const PREPARED = '/* prepared */ ';

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
      return await query(...named(args));
    } catch (error) {
      const said = postgresError(broken ?? error, place);
      if (said?.code === 'E_DATABASE_UNREACHABLE') broken ??= error as Error;
      throw said ?? error;
    }
  };
  client.query = worded as Client['query'];
  return client;
};

const names = new Map<string, string>();

/** Return the arguments of a query, with a name for the server if it is to prepare the statement. */
const named = (args: readonly unknown[]): readonly unknown[] => {
  const [text, values] = args;
  if (typeof text !== 'string' || !text.startsWith(PREPARED)) return args;
  const name = names.get(text) ?? `tieout_${sha256(text).slice(0, 16)}`;
  names.set(text, name);
  return [{ name, text, values }];
};
