import { isUtf8 } from 'node:buffer';
import { Transform } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify';
import { ServiceRefusal } from '../../contract/refusal.ts';

/**
 * Read bodies as JSON. An empty body counts as absent, whatever its declared type, because the public Node client
 * declares a type on DELETE and sends no body; a body without a type is read as JSON, too. A body that is not UTF-8 is
 * refused: unreadable characters would all become the same one, and different ids equal.
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

/** Count the values of a body; the rest of a refused body is read and dropped. */
const counted = (payload: RequestPayload): RequestPayload => {
  const bounded = boundedValues();
  bounded.once('error', () => payload.unpipe(bounded).resume());
  payload.once('error', (error) => bounded.destroy(error));
  return payload.pipe(bounded);
};

/**
 * Maximum number of values in a body, including empty ones and lists: twice those of a transaction of 10,000 lines with
 * all eight fields. Eight megabytes can have millions of empty ones, and every other request would wait while they are
 * read.
 */
const VALUES_MAX = 200_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);

/**
 * Pass JSON on and count its values without parsing it: one for each comma, and one for each opening bracket.
 *
 * @throws {ServiceRefusal} 413, as soon as there are too many
 */
const boundedValues = (): Transform => {
  let values = 1;
  let isInText = false;
  let isEscaped = false;
  const count = (bytes: Buffer): void => {
    // A loop by index takes a fifth of the time of one with the iterator.
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index] ?? 0;
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInText = false;
      } else if (byte === QUOTE) isInText = true;
      else if (byte === COMMA || OPENING.has(byte)) values += 1;
    }
  };
  return new Transform({
    transform: (bytes: Buffer, _, done) => {
      count(bytes);
      if (values > VALUES_MAX) done(new ServiceRefusal(413, `the body has more than ${VALUES_MAX} values`));
      else done(null, bytes);
    },
  });
};

/** Whether a body may be long; a short one cannot have too many values. One without a declared length may be long. */
export const mayBeLong = ({ headers }: FastifyRequest): boolean =>
  !(Number(headers['content-length']) <= VALUES_MAX);

/** Let other requests go first, because reading, calculating and answering a long body takes a while. */
export const othersFirst = (): Promise<void> => setImmediate();
