import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

/** What has passed by: how many bytes, and their SHA-256 in lower-case hexadecimal. */
export type MeteredBytes = { readonly bytes: number; readonly sha256: string };

/** A stream that hands on what it is given, and measures it. `measured` is asked once, when all has passed. */
export const byteMeter = (): { readonly stream: Transform; readonly measured: () => MeteredBytes } => {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, measured: () => ({ bytes, sha256: hash.digest('hex') }) };
};
