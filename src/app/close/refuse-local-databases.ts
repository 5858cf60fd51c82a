import type { LoadedConfiguration } from '../../close/configuration/load-configuration.ts';
import { TieoutError } from '../../kernel/errors.ts';

/** Refuses databases that not all workers can reach. @throws {TieoutError} E_WORKERS_DATABASE */
export const refuseLocalDatabases = ({ entity, databases, service }: LoadedConfiguration): void => {
  const needed = {
    'databases.workspace': databases.workspace,
    ...(service.url === undefined && { 'databases.ledger': databases.ledger }),
  };
  const local = Object.entries(needed).find(([, url]) => url.startsWith('sqlite:'));
  if (!local) return;
  throw new TieoutError({
    code: 'E_WORKERS_DATABASE',
    message: `${entity}: \`${local[0]}\` is a file of one machine, which workers on others cannot reach`,
    nextStep: 'Give a postgres:// address there, or close without workers',
  });
};
