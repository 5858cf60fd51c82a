import { type ClientConfig, TypeOverrides } from 'pg';
import { DefectError } from '../kernel/errors.ts';

export type PostgresPlace = {
  readonly url: string;
  /** The address without its password, for messages. */
  readonly name: string;
  /** How long a statement waits for a lock. */
  readonly busyWaitMs: number;
};

const CONNECT_WAIT_MS = 10_000;

/** Object ids of PostgreSQL's types whose values pg would hand over as text. */
const BIGINT = 20;
const NUMERIC = 1700;

/** How every connection to a server is opened. */
export const postgresSettings = ({ url, busyWaitMs }: PostgresPlace): ClientConfig => ({
  connectionString: url,
  application_name: 'tieout',
  connectionTimeoutMillis: CONNECT_WAIT_MS,
  lock_timeout: busyWaitMs,
  types: wholeNumbers(),
});

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
