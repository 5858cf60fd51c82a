import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OPERATIONS } from '../../contract/operations.ts';
import { ServiceRefusal } from '../../contract/refusal.ts';
import { DefectError } from '../../kernel/errors.ts';
import { ANSWERS, type Call } from './answers.ts';
import { withDeadline } from './deadline.ts';
import { mayBeLong, othersFirst } from './long-body.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const RECORDING = '/transactions/';

/** Every operation of the interface at its path; any other method there is a 405. */
export const registerRoutes = (server: FastifyInstance, deadlineMs: number): void => {
  const methodsByPath = new Map<string, string[]>();
  for (const { id, method, path, status } of OPERATIONS) {
    const answer = ANSWERS[id];
    if (answer === undefined) throw new DefectError(`the operation ${id} has no answer`);
    const url = path.replace(/\{(\w+)\}/g, ':$1');
    methodsByPath.set(url, [...(methodsByPath.get(url) ?? []), method.toUpperCase()]);
    server.route({
      method,
      url,
      config: { operation: id },
      handler: async (request, reply) => {
        const { service, apiVersion } = sessionOf(request);
        if (url.startsWith(RECORDING)) reply.header('x-api-version', apiVersion);
        const body = await withDeadline(answer(service, callOf(request)), deadlineMs);
        if (request.body !== undefined && mayBeLong(request)) await othersFirst();
        return reply.code(status).send(body);
      },
    });
  }
  for (const [url, allowed] of methodsByPath) {
    const others = METHODS.filter((method) => !allowed.includes(method));
    server.route({
      method: others,
      url,
      handler: async (request, reply) => refuseMethod(request, reply, allowed),
    });
  }
};

const sessionOf = ({ session }: FastifyRequest) => {
  if (session === null) throw new DefectError('a route was reached without authentication');
  return session;
};

/** A provider may stand in the query, or, as some clients have it on DELETE, in the body. */
const callOf = ({ method, params, query, body }: FastifyRequest): Call => {
  const [id = ''] = Object.values(params as Readonly<Record<string, string>>);
  const named = method === 'DELETE' && body ? { ...(body as object), ...(query as object) } : query;
  return { id, query: named as never, body: body as never };
};

const refuseMethod = (request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): never => {
  reply.header('allow', allowed.join(', '));
  throw new ServiceRefusal(405, `${request.method} is not allowed here, only ${allowed.join(', ')}`);
};
