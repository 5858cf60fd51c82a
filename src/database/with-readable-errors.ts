import type { ClientBase } from 'pg';
import { sha256 } from '../kernel/digest.ts';
import type { TieoutError } from '../kernel/errors.ts';
import { postgresError } from './postgres-errors.ts';

const ROLLBACK = 'rollback';

/**
 * Begins a statement that is sent often and whose text is always the same: a connection has the server read and plan it
 * once. Not for `select *`, whose columns may change while others bring the tables up to date.
 */
export const PREPARED = '/* prepared */ ';

/**
 * Have every error of a connection put into words. One that breaks tells why only once, perhaps while no statement is
 * under way; here each statement from then on is told so. What it has begun the server rolls back by itself. Once
 * there is a reason to refuse statements, every one is refused for it.
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

/** The arguments of a query, with a name for the server where it is to be prepared. */
const named = (args: readonly unknown[]): readonly unknown[] => {
  const [text, values] = args;
  if (typeof text !== 'string' || !text.startsWith(PREPARED)) return args;
  const name = names.get(text) ?? `tieout_${sha256(text).slice(0, 16)}`;
  names.set(text, name);
  return [{ name, text, values }];
};
