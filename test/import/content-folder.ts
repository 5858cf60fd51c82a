import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_CONTENT_FOLDER, loadContent } from '../../src/content/load-content.ts';
import { type ImportOptions, importContent } from '../../src/import/import-content.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { orderTo, taxOf } from '../engine/tax-of.ts';

/** The day of imports. */
export const ON = calendarDate('2026-11-21');

/** A folder of its own for one test; the system clears it away. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'content-'));

/** Write a file with some lines into a folder of its own. */
export const fileWith = (name: string, lines: readonly string[] | Buffer, end = '\n'): string => {
  const path = join(newFolder(), name);
  writeFileSync(path, Buffer.isBuffer(lines) ? lines : lines.map((line) => line + end).join(''));
  return path;
};

/** The states with which most imports are tried. */
const MOST = ['CA', 'IL', 'NE', 'NV', 'OR', 'TX', 'WA'];

/** A copy of the default content with the places, ZIPs and local rates of some states alone, which is read sooner. */
const someStates = (states: readonly string[]): string => {
  const folder = newFolder();
  cpSync(DEFAULT_CONTENT_FOLDER, folder, { recursive: true });
  const { stateFips } = loadContent();
  const codes = states.map((state) => stateFips.get(state));
  const kept = new RegExp(`^(state|zip|${states.join('|')}|\\d{5}\\t\\w\\t(${codes.join('|')}))`);
  for (const table of ['zips.tsv', 'places.tsv', 'local-rates.tsv']) {
    const lines = readFileSync(join(folder, table), 'utf8').split('\n');
    writeFileSync(join(folder, table), `${lines.filter((line) => kept.test(line)).join('\n')}\n`);
  }
  return folder;
};

const prepared = new Map<string, string>();

/** A folder of its own, or one that is named, with the content of some states. */
export const smallContent = (folder = newFolder(), states: readonly string[] = MOST): string => {
  const key = states.join();
  const source = prepared.get(key) ?? someStates(states);
  prepared.set(key, source);
  cpSync(source, folder, { recursive: true });
  return folder;
};

type Limits = Omit<ImportOptions, 'on'>;

export const importInto = (folder: string, path: string, limits: Limits = {}) =>
  importContent(path, folder, { ...limits, on: ON });

/** Import some files one after another into the content of some states, and answer a function that asks it for tax on 100.00. */
export const contentAfter = (...paths: readonly string[]) => contentOf(MOST, ...paths);

/** The same, with the content of these states. */
export const contentOf = async (states: readonly string[], ...paths: readonly string[]) => {
  const folder = smallContent(newFolder(), states);
  const warnings: string[] = [];
  for (const path of paths) warnings.push(...(await importInto(folder, path, { rowFloor: 1 })).warnings);
  const content = loadContent(folder);
  const taxAt = (place: readonly string[], on: string, changes: object = {}): number => {
    const [state = '', zip = '', city = ''] = place;
    return Number(taxOf(orderTo(state, zip, city, changes), { content, on }).amount_to_collect);
  };
  return { folder, content, warnings, taxAt };
};
