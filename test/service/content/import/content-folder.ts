import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calendarDate } from '../../../../src/kernel/calendar.ts';
import { type ImportOptions, importContent } from '../../../../src/service/content/import/import-content.ts';
import { DEFAULT_CONTENT_FOLDER, loadContent } from '../../../../src/service/content/load-content.ts';
import { taxOf } from '../../engine/tax-of.ts';

const ON = calendarDate('2026-11-21');

/** A folder of its own for one test; the system clears it away. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'content-'));

/** Write a file with some lines into a folder of its own. */
export const fileWith = (name: string, lines: readonly string[] | Buffer, end = '\n'): string => {
  const path = join(newFolder(), name);
  writeFileSync(path, Buffer.isBuffer(lines) ? lines : lines.map((line) => line + end).join(''));
  return path;
};

/** The states with which the imports are tried, by their FIPS codes: CA, IL, NE, NV, OR, TX and WA. */
const STATES = /^(state|zip|CA|IL|NE|NV|OR|TX|WA|\d{5}\t\w\t(06|17|31|32|41|48|53))/;

/** A copy of the default content with the places, ZIPs and local rates of those states alone, which is read sooner. */
const someStates = (): string => {
  const folder = newFolder();
  cpSync(DEFAULT_CONTENT_FOLDER, folder, { recursive: true });
  for (const table of ['zips.tsv', 'places.tsv', 'local-rates.tsv']) {
    const lines = readFileSync(join(folder, table), 'utf8').split('\n');
    writeFileSync(join(folder, table), `${lines.filter((line) => STATES.test(line)).join('\n')}\n`);
  }
  return folder;
};

let prepared: string | undefined;

/** A folder of its own, or one that is named, with the content of some states. */
export const smallContent = (folder = newFolder()): string => {
  prepared ??= someStates();
  cpSync(prepared, folder, { recursive: true });
  return folder;
};

type Limits = Omit<ImportOptions, 'on'>;

export const importInto = (folder: string, path: string, limits: Limits = {}) =>
  importContent(path, folder, { ...limits, on: ON });

/** Import some files one after another into the content of some states, and answer a function that asks it for tax on 100.00. */
export const contentAfter = async (...paths: readonly string[]) => {
  const folder = smallContent();
  for (const path of paths) await importInto(folder, path, { rowFloor: 1 });
  const content = loadContent(folder);
  const taxAt = (place: readonly string[], on: string, changes: object = {}): number => {
    const [state = '', zip = '', city = ''] = place;
    const body = {
      from_country: 'US',
      from_state: 'OR',
      from_zip: '97204',
      to_country: 'US',
      to_state: state,
      to_zip: zip,
      to_city: city,
      shipping: 0,
      nexus_addresses: [{ country: 'US', state }],
      line_items: [{ unit_price: 100 }],
      ...changes,
    };
    return Number(taxOf(body, { content, on }).amount_to_collect);
  };
  return { folder, content, taxAt };
};
