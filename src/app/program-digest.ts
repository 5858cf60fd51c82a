import { sha256 } from '../kernel/digest.ts';
import { data } from './program-files.data.ts';

/**
 * Returns the digest of the program: its sources and packages, and the Node version that runs it. Unlike the version
 * number, it changes while someone works on the program.
 */
export const programDigest = (): string => {
  known ??= sha256(JSON.stringify({ versions: process.versions, files: data() }));
  return known;
};

let known: string | undefined;
