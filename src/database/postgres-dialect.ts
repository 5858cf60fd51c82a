import { type CompiledQuery, type Dialect, PostgresDialect } from 'kysely';
import { Pool, TypeOverrides } from 'pg';
import { DefectError } from '../kernel/errors.ts';
import { postgresError } from './postgres-errors.ts';

const CONNECTIONS_MAX = 10;
const CONNECT_WAIT_MS = 10_000;

/** Object ids of PostgreSQL's types whose values pg would hand over as text. */
const BIGINT = 20;
const NUMERIC = 1700;

/** PostgreSQL through pg. Every error of the server or of the connection to it is put into words. */
export const postgresDialect = (options: {
  readonly url: string;
  readonly place: string;
  readonly busyWaitMs: number;
}): Dialect => {
  const { url, place, busyWaitMs } = options;
  const pool = new Pool({
    connectionString: url,
    application_name: 'tieout',
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_WAIT_MS,
    lock_timeout: busyWaitMs,
    types: wholeNumbers(),
  });
  // An idle connection that breaks is dropped by the pool; whoever needs one next gets a new one, or its error.
  pool.on('error', () => {});

  const worded = (error: unknown): never => {
    throw postgresError(error, place) ?? error;
  };
  return new PostgresDialect({
    pool: {
      connect: () => pool.connect().catch(worded),
      end: () => pool.end(),
      options: pool.options,
    },
    onCreateConnection: async (connection) => {
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = <Row>(query: CompiledQuery) => execute<Row>(query).catch(worded);
    },
  });
};

/** All our numbers are whole and safe, on SQLite too; sums of them come from PostgreSQL as NUMERIC. */
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
