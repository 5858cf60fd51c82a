import type { ClientBase } from 'pg';
import type { TieoutError } from '../kernel/errors.ts';
import { sha256 } from '../kernel/json.ts';
import { postgresError } from './postgres-errors.ts';

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
