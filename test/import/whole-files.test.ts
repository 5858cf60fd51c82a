import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { loadContent } from '../../src/content/load-content.ts';
import { localRatesAt } from '../../src/content/local-rates.ts';
import { placesNamed } from '../../src/content/place-lookup.ts';
import type { TaxContent } from '../../src/content/tax-content.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { codeLine, houseLine, zipLine } from './boundary-line.ts';
import { fileWith, importInto, newFolder } from './content-folder.ts';

/**
 * That official files go into the content line by line. `OFFICIAL_FILES` names a folder of downloads, which are not
 * kept here: then the files in it are held to the same.
 */
const OWN = process.env['OFFICIAL_FILES'];

const SST_RATES = [
  '31,45,31,0.0550,0.0550,0.0550,0.0550,20061001,29991231',
  '31,00,043,0.0050,0.0050,0.0050,0.0050,20060101,20991231',
  '31,01,37000,0.0150,0.0150,0.0150,0.0150,20061001,20260401',
  '31,01,37000,0.0200,0.0200,0.0100,0.0100,20260401,99991231',
  '31,01,37000,0.0200,0.0200,0.0100,0.0100,20260601,99991231',
  '31,63,QX017,0.0025,0.0025,0,0,20240101,29991231',
];
const SST_BOUNDARIES = [
  zipLine('68102', '68104'),
  codeLine('68102-0100', '68103-0399', { 26: '37000', 30: '31', 31: 'QX017', 32: '63' }),
  houseLine(['101', '199', 'O'], { 26: '37000' }),
  houseLine(['W101', 'W199', 'B']),
];

const CALIFORNIA = [
  'Effective Sales and Use Tax Rates',
  'Location,Rate,County,Type,Notes',
  ...[...loadContent().counties]
    .filter(([fips]) => loadContent().countyStates.get(fips) === 'CA')
    .map(([, name]) => `${name},7.2499999999999995E-2,${name.replace(/ County$/, '')},County,`),
  'Yuba County,Yuba,County,Please see the cities.',
  'Oakland,0.1125,Alameda,City,',
];

/** What became of the lines of a file. */
type Fate = 'used' | 'ignored' | 'lost';
type Imported = { readonly content: TaxContent; readonly warnings: string; readonly first: string };
type Checker = (lines: readonly string[], imported: Imported) => readonly Fate[];

const dayOf = (text: string): string => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;

const stateOf = (content: TaxContent, fips: string | undefined): string =>
  [...content.stateFips].find(([, code]) => code === fips)?.[0] ?? '';

/** A row with the rate of the line holds from its first day, or a warning names the jurisdiction. */
const rateLines: Checker = (lines, { content, warnings }) =>
  lines.map((line) => {
    const [fips, type = '', code = '', rate = '', , , , begin = ''] = line.split(',');
    const state = content.states.get(stateOf(content, fips));
    const rows = type === '45' ? state?.rates : state?.localRates.filter((row) => row.code === code);
    const isUsed = rows?.some(
      (row) => row.from === dayOf(begin) && row.rate === Math.round(Number(rate) * 10_000_000),
    );
    return isUsed ? 'used' : warnings.includes(`${type} ${code}:`) ? 'ignored' : 'lost';
  });

/** The address of the line is found with its codes, or is one that several lines name differently. */
const boundaryLines: Checker = (lines, { content, warnings }) =>
  lines.map((line) => {
    const fields = line.split(',');
    const at = (number: number): string => fields[number - 1] ?? '';
    const isHouse = at(1).toUpperCase() === 'A';
    const plus4 = at(1) === '4' ? at(19).padStart(4, '0') : undefined;
    const street = isHouse ? `${at(4)} ${[at(7), at(8), at(9), at(10)].join(' ').trim()}` : '';
    const index = content.boundaries.get(stateOf(content, at(23)));
    const answer = index?.find(isHouse ? at(16) : at(18), plus4, street, dayOf(at(2)));
    const isUsed = answer?.hit?.county === at(25) && answer.hit.place === at(26);
    if (isUsed || answer?.isDivided) return isHouse && !/^\d+$/.test(at(4)) ? ignoredBy(warnings) : 'used';
    return 'lost';
  });

const ignoredBy = (warnings: string): Fate => (warnings.includes('were left out') ? 'ignored' : 'lost');

/** The place of the line has its combined rate. A line that sends the reader to others has none. */
const californiaLines: Checker = (lines, { content, first }) => {
  const state = content.states.get('CA');
  const rows = parse(lines.join('\n'), { relax_column_count: true, trim: true }) as string[][];
  return rows.map(([name = '', rate = '', county = '', type = '']) => {
    if (county === 'County') return 'ignored';
    const fips = [...content.counties].find(
      ([code, label]) => content.countyStates.get(code) === 'CA' && label === `${county} County`,
    )?.[0];
    const place = type === 'City' ? placesNamed(content, 'CA', name)[0] : undefined;
    if (!state || fips === undefined) return 'lost';
    const at = { state, county: fips.slice(2), place, boundary: undefined };
    const rates = localRatesAt(at, calendarDate(first)).filter(({ tax }) => tax === 'general');
    const combined = rates.reduce((sum, row) => sum + row.rate, 625_000);
    return combined === Math.round(Number(rate) * 100_000) * 100 ? 'used' : 'lost';
  });
};

const checkerOf = (name: string): { readonly check: Checker; readonly dataFrom: RegExp } | undefined => {
  if (/^[A-Z]{2}R\d{4}Q\d.*\.csv$/.test(name)) return { check: rateLines, dataFrom: /^/ };
  if (/^[A-Z]{2}B\d{4}Q\d.*\.csv$/.test(name)) return { check: boundaryLines, dataFrom: /^/ };
  if (/SalesTaxRates.*\.csv$/.test(name)) return { check: californiaLines, dataFrom: /^Location,/ };
  return undefined;
};

const files = [
  fileWith('NER2026Q2FEB18.csv', SST_RATES),
  fileWith('NEB2026Q2FEB18.csv', SST_BOUNDARIES),
  fileWith('SalesTaxRates7-1-26.csv', CALIFORNIA),
  ...(OWN === undefined ? [] : readdirSync(OWN).map((name) => join(OWN, name))),
]
  .map((path) => [basename(path), path] as const)
  .filter(([name]) => checkerOf(name));

test.for(files)('every line of %s is used, or ignored with a reason', async ([name, path]) => {
  const { check, dataFrom } = checkerOf(name) ?? {};
  if (!check || !dataFrom) throw new Error('the layout has no check');
  const folder = join(newFolder(), 'content');
  const report = await importInto(folder, path, { rowFloor: 1 });
  const all = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  const lines = all.slice(dataFrom.source === '^' ? 0 : all.findIndex((line) => dataFrom.test(line)) + 1);
  const imported = {
    content: loadContent(folder),
    warnings: report.warnings.join('\n'),
    first: report.period,
  };
  const fates = check(lines, imported);
  const count = (fate: Fate): number => fates.filter((each) => each === fate).length;
  expect(lines.filter((_, index) => fates[index] === 'lost')).toEqual([]);
  expect(count('used') + count('ignored')).toBe(report.rows);
  expect(count('used')).toBeGreaterThan(0);
});
