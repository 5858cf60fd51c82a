import type { FastifyInstance } from 'fastify';
import { systemReason, TieoutError } from '../../kernel/errors.ts';

/** Listen, and return the address. @throws {TieoutError} E_SERVE_ADDRESS */
export const listening = (server: FastifyInstance, host: string, port: number): Promise<string> =>
  server.listen({ host, port }).catch((error: Error) => {
    throw new TieoutError({
      code: 'E_SERVE_ADDRESS',
      message: `Cannot serve on ${host} port ${port}: ${systemReason(error)}.`,
      nextStep: 'Choose another port or address, or stop what is using this one.',
      cause: error,
    });
  });
