import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** Returns the version of this program, wherever its files lie. */
export const programVersion = (): string => {
  const text = readFileSync(String(findPackageJSON(import.meta.url)), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
};
