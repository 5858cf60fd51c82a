import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'csv-stringify/sync';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { shippedProfiles } from '../../src/sales/detect-profile.ts';
import { recordLines, trialsIn } from '../samples/exports/list-sample.ts';

/**
 * Files no one has seen: each case is a file by its filled cells (or as text), and what a bookkeeper expects of each
 * record, worked out by hand before the file was first read.
 */
export type Row = Readonly<Record<string, string | number>>;
export type ExportFile = {
  readonly name?: string;
  /** The header; all columns that the profile knows when left out. */
  readonly columns?: readonly string[];
  readonly without?: readonly string[];
  readonly renamed?: Readonly<Record<string, string>>;
  readonly rows?: readonly Row[];
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly text?: string;
  /** Bytes that are not UTF-8. */
  readonly text64?: string;
};
export type Case = ExportFile & {
  readonly about: string;
  readonly base?: Row;
  readonly files?: readonly ExportFile[];
  readonly channel?: object;
  readonly expect: readonly string[];
};
export type Cases = {
  readonly profile: string;
  readonly base: Row;
  readonly cases: readonly Case[];
};

const FOLDER = fileURLToPath(new URL('cases', import.meta.url));
export const CASES: readonly Cases[] = readdirSync(FOLDER).map(
  (name) => parse(readFileSync(join(FOLDER, name), 'utf8')) as Cases,
);

/** The file as it is written; `base` has the usual cells of a row. */
export const textOf = (file: ExportFile, profile: string, base: Row): string | Buffer => {
  if (file.text64 !== undefined) return Buffer.from(file.text64, 'base64');
  if (file.text !== undefined) return file.text;
  const shipped = shippedProfiles().find(({ id }) => id === profile);
  const known = shipped?.columns ?? [];
  const columns = (file.columns ?? known).filter((column) => !file.without?.includes(column));
  const rows = (file.rows ?? []).map((row) => {
    // A row marked with a plus stands for itself: it has nothing of the usual cells.
    const cells = '+' in row ? row : { ...base, ...row };
    const stray = Object.keys(row).filter((column) => column !== '+' && !columns.includes(column));
    if (stray.length > 0)
      throw new Error(`the case names columns that it does not have: ${stray.join(', ')}`);
    return columns.map((column) => String(cells[column] ?? ''));
  });
  const header = columns.map((column) => file.renamed?.[column] ?? column);
  const lines = [...(file.before ?? []), stringify([header, ...rows]).trimEnd(), ...(file.after ?? [])];
  return `${lines.join('\n')}\n`;
};

/** What becomes of the records of a case. */
export const readCase = async (one: Case, { profile, base }: Cases): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-case-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const files = one.files ?? [one];
  const names: string[] = [];
  for (const [index, file] of files.entries()) {
    const name = file.name ?? `${index + 1}.csv`;
    names.push(name);
    await writeFile(join(folder, name), textOf(file, profile, { ...base, ...one.base }));
  }
  return recordLines(await trialsIn(folder, names, one.channel));
};
