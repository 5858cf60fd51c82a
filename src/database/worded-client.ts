import type { ClientBase } from 'pg';
import type { TieoutError } from '../kernel/errors.ts';
import { postgresError } from './postgres-errors.ts';

const ROLLBACK = 'rollback';

/**
 * Have every error of a connection put into words. One that breaks tells why only once, perhaps while no statement is
 * under way; here each statement from then on is told so. What it has begun the server rolls back by itself. Once
 * there is a reason to refuse statements, every one is refused for it.
 */
export const wordedClient = <Client extends ClientBase>(
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
