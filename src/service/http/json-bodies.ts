import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, RequestPayload } from 'fastify';
import { ServiceRefusal } from '../../contract/refusal.ts';
import { boundedValues } from './bounded-values.ts';
import { mayBeLong, othersFirst } from './long-body.ts';

/**
 * Bodies are JSON. An empty one is absent, whatever its declared type, because the public Node client declares one
 * on DELETE and sends none; a body without a type is read as JSON, too. One that is not UTF-8 is refused: characters that
 * cannot be read would all become the same one, and two ids one.
 */
export const acceptJsonBodies = (server: FastifyInstance): void => {
  server.removeAllContentTypeParsers();
  server.addHook('preParsing', (request, _, payload, done) => {
    done(null, mayBeLong(request) ? counted(payload) : payload);
  });
  server.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    const body = bytes.toString();
    if (body.trim() === '') return done(null, undefined);
    const type = request.headers['content-type'] ?? 'application/json';
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
      return done(new ServiceRefusal(415, 'Content-Type must be application/json'));
    }
    let read: unknown;
    try {
      read = JSON.parse(body);
    } catch {
      return done(new ServiceRefusal(406, 'the body is not valid JSON'));
    }
    if (!isUtf8(bytes)) return done(new ServiceRefusal(422, 'the body is not text in UTF-8'));
    if (!mayBeLong(request)) return done(null, read);
    void othersFirst().then(() => done(null, read));
  });
};

/** What is left of a refused body is read and dropped. */
const counted = (payload: RequestPayload): RequestPayload => {
  const bounded = boundedValues();
  bounded.once('error', () => payload.unpipe(bounded).resume());
  payload.once('error', (error) => bounded.destroy(error));
  return payload.pipe(bounded);
};
