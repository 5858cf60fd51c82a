import type { LoadedConfiguration } from '../../close/configuration/load-configuration.ts';
import { TieoutError } from '../../kernel/errors.ts';

/** Returns the address of the database with the queue. @throws {TieoutError} E_WORKERS_DATABASE if workers cannot reach it */
export const queueDatabase = ({ entity, databases, service }: LoadedConfiguration): string => {
  const { ledger, queue = ledger } = databases;
  const needed = {
    'databases.queue': queue,
    ...(service.url === undefined && { 'databases.ledger': ledger }),
  };
  const local = Object.entries(needed).find(([, url]) => url.startsWith('sqlite:'));
  if (!local) return queue;
  throw new TieoutError({
    code: 'E_WORKERS_DATABASE',
    message: `${entity}: \`${local[0]}\` is a file of one machine, which workers on others cannot reach`,
    nextStep: 'Give a postgres:// address there, or close without workers',
  });
};
