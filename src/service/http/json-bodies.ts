import type { FastifyInstance } from 'fastify';
import { ServiceRefusal } from '../../contract/refusal.ts';

/**
 * Bodies are JSON. An empty one is absent, whatever its declared type, because the public Node client declares one
 * on DELETE and sends none; a body without a type is read as JSON, too.
 */
export const acceptJsonBodies = (server: FastifyInstance): void => {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<string>('*', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') return done(null, undefined);
    const type = request.headers['content-type'] ?? 'application/json';
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
      return done(new ServiceRefusal(415, 'Content-Type must be application/json'));
    }
    try {
      return done(null, JSON.parse(body));
    } catch {
      return done(new ServiceRefusal(406, 'the body is not valid JSON'));
    }
  });
};
