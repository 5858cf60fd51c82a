import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { sha256 } from '../kernel/json.ts';
import { once } from '../kernel/once.ts';
import { data } from './program-files.data.ts';

/**
 * Returns the digest of the program: its sources and packages, and the Node version that runs it. Unlike the version
 * number, it changes while someone works on the program.
 */
export const programDigest = once(() =>
  sha256(JSON.stringify({ versions: process.versions, files: data() })),
);

/** Returns the version of this program, wherever its files lie. */
export const programVersion = (): string => {
  const text = readFileSync(String(findPackageJSON(import.meta.url)), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
};
