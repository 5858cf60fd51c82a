import { sha256 } from '../kernel/digest.ts';
import { data } from './program-files.data.ts';

/**
 * Digest of the program itself: its sources and packages, and the Node that runs it. A version number stays the same
 * while somebody works on the program; this does not.
 */
export const programDigest = (): string => {
  known ??= sha256(JSON.stringify({ versions: process.versions, files: data() }));
  return known;
};

let known: string | undefined;
