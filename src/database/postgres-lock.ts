import { Client } from 'pg';
import type { TieoutError } from '../kernel/errors.ts';
import { brokenLock, connectError } from './postgres-errors.ts';
import { type PostgresPlace, postgresSettings } from './postgres-settings.ts';
import { wordedClient } from './worded-client.ts';

/** The first key of PostgreSQL's advisory locks that are ours: "TIEO". */
const LOCK_SPACE = 0x5449454f;

export type ServerLock = { readonly release: () => Promise<void> };

/**
 * Take a lock that the server holds for a connection of its own; `undefined` when another connection has it. The server
 * drops it when the connection breaks, and `lost` is told so at once.
 */
export const takePostgresLock = async (
  place: PostgresPlace,
  lost: (error: TieoutError) => void,
): Promise<ServerLock | undefined> => {
  const client = wordedClient(new Client(postgresSettings(place)), place.name);
  // A connection that broke has ended already.
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
