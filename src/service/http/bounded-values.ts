import { Transform } from 'node:stream';
import { ServiceRefusal } from '../../contract/refusal.ts';

/**
 * Values that a body may have, empty ones and lists among them: twice those of a transaction of 10,000 lines with all
 * eight fields. Millions of empty ones fit into eight megabytes, and every other request would wait while they are read.
 */
export const VALUES_MAX = 200_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);

/**
 * Passes JSON on and counts its values on the way, without reading them: a value stands behind each comma, and the first
 * one of a list or object behind its bracket.
 *
 * @throws {ServiceRefusal} 413, as soon as there are too many
 */
export const boundedValues = (): Transform => {
  let values = 1;
  let isInText = false;
  let isEscaped = false;
  const count = (bytes: Buffer): void => {
    // A loop by index takes a fifth of the time of one over the iterator.
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
