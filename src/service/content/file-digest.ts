import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Compute the digest of a file of any size. */
export const digestOfFile = async (
  path: string,
): Promise<{ readonly sha256: string; readonly bytes: number }> => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(path, { highWaterMark: 1_048_576 })) {
    hash.update(piece as Buffer);
    bytes += (piece as Buffer).length;
  }
  return { sha256: hash.digest('hex'), bytes };
};
