import { type Dialect, PostgresDialect } from 'kysely';
import { Pool, type PoolClient } from 'pg';
import type { TieoutError } from '../kernel/errors.ts';
import { connectError } from './postgres-errors.ts';
import { type PostgresPlace, postgresSettings } from './postgres-settings.ts';
import { wordedClient } from './worded-client.ts';

const CONNECTIONS_MAX = 10;

/** PostgreSQL through pg. Every error of the server or of the connection to it is put into words. */
export const postgresDialect = (place: PostgresPlace, refusal: () => TieoutError | undefined): Dialect => {
  const pool = new Pool({ ...postgresSettings(place), max: CONNECTIONS_MAX });
  // An idle connection that breaks is dropped by the pool; anyone who needs one next gets a new one, or its error.
  pool.on('error', () => {});
  pool.on('connect', (client) => wordedClient(client, place.name, refusal));
  const connect = async (): Promise<PoolClient> => {
    try {
      return await pool.connect();
    } catch (error) {
      throw connectError(error, place.name);
    }
  };
  return new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } });
};
