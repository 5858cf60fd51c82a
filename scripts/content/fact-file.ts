import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

/** One row of a fact table, by column name. */
export type Fact = Readonly<Record<string, string>>;

/** Read a CSV fact table with a header line. */
export const readFacts = (folder: string, name: string): Fact[] =>
  parse(readFileSync(join(folder, name)), { columns: true, bom: true }) as Fact[];

/** A field of a fact that must be there, even if it is empty. */
export const field = (fact: Fact, name: string): string => {
  const value = fact[name];
  if (value === undefined) throw new Error(`the fact table has no column ${name}`);
  return value.trim();
};
