import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadContent } from '../../src/content/load-content.ts';
import { contentCoverage } from '../../src/engine/content-coverage.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { orderTo, taxOf } from '../engine/tax-of.ts';
import { codeLine, houseLine, zipLine } from './boundary-line.ts';
import { contentOf, fileWith, importInto, smallContent } from './content-folder.ts';

const DAY = '2026-10-31';
const CITY = { 26: '37000' };
const OTHER = { 26: '12345' };
const NAME = 'NEB2026Q2FEB18.csv';

const importedFrom = async (lines: readonly string[], name = NAME) => {
  const folder = smallContent();
  const report = await importInto(folder, fileWith(name, lines));
  const content = loadContent(folder);
  const find = (zip: string, street = '', on = DAY) => {
    const [zip5 = '', plus4] = zip.split('-');
    const answer = content.boundaries.get('NE')?.find(zip5, plus4, street, on);
    if (!answer) throw new Error('there is no index');
    return { ...answer, place: answer.hit?.place };
  };
  return { folder, content, report, find };
};

describe('an address in a boundary file', () => {
  const lines = [
    zipLine('68102', '68102'),
    codeLine('68102-0100', '68102-0399', CITY),
    codeLine('68102-0200', '68102-0210', OTHER),
    houseLine(['101', '199', 'O'], CITY),
    houseLine(['150', '150', 'E'], OTHER),
    codeLine('68104-9000', '68105-0999', CITY),
    codeLine('68106-0001', '68106-9998', CITY),
    zipLine('68107', '68109', CITY),
    zipLine('68110', '68110', { ...CITY, 3: '20251231' }),
    zipLine('68110', '68110', { ...OTHER, 2: '20260101' }),
    codeLine('68111-0001', '68111-0005', CITY),
    codeLine('68111-0006', '68111-0009', CITY),
    codeLine('68112-0001', '68112-0005', CITY),
    codeLine('68112-0006', '68112-0009', OTHER),
    codeLine('68113-0300', '68113-0999', CITY),
    codeLine('68113-0300', '68113-0309', OTHER),
    codeLine('68113-2000', '68113-2200', OTHER),
    codeLine('68113-2150', '68113-2999', CITY),
    zipLine('68114', '68114', CITY),
    codeLine('68114-0000', '68114-0099', OTHER),
  ];
  const imported = importedFrom(lines);

  test.for([
    ['68102-0100', '133 N Madeup Street', '37000', 'the street before the ZIP+4'],
    ['68102-0205', '201 N Madeup St', '12345', 'the narrower of two ranges'],
    ['68102-0211', '', '37000', 'the wider one around it'],
    ['68102-9999', '', '', 'the ZIP as a whole'],
    ['68113-0305', '', '12345', 'the narrower of two ranges with the same start'],
    ['68113-2160', '', '12345', 'the narrower of two ranges, although it begins first'],
    ['68114-0050', '', '12345', 'a range that begins with its ZIP'],
    ['68199', '', undefined, 'a ZIP that is not in the file'],
  ] as const)('%s %s: %s, %s', async ([zip, street, place]) => {
    expect((await imported).find(zip, street)).toMatchObject({ place });
  });

  test('depends on the day', async () => {
    const { find } = await imported;
    expect(find('68110', '', '2025-12-31').place).toBe('37000');
    expect(find('68110', '', '2023-12-31').hit).toBeUndefined();
  });

  test.for([
    ['68102', 'was applied'],
    ['68112', 'the city and the ZIP decided'],
  ])('is flagged where its ZIP %s is divided: %s', async ([zip = '', words = '']) => {
    const { content, find } = await imported;
    expect(find(zip).isDivided).toBe(true);
    const { explanation } = taxOf(orderTo('NE', zip, 'Omaha', { explain: true }), { content, on: DAY });
    expect(explanation?.flags.join()).toContain(`has several areas for ZIP ${zip}`);
    expect(explanation?.flags.join()).toContain(words);
  });
});

describe('a boundary file', () => {
  test('counts what it cannot use, with the reason', async () => {
    const { report } = await importedFrom([
      houseLine(['W101', 'W199', 'B']),
      houseLine(['101', '199', 'B'], { 16: '' }),
      houseLine(['101', '199', 'B'], { 16: '' }),
      '',
      zipLine('68102', '68102'),
    ]);
    expect(report).toMatchObject({
      kind: 'sst-boundary',
      rows: 4,
      warnings: [
        '1 of 4 rows were left out: house numbers that are not numbers alone.',
        '2 of 4 rows were left out: streets without a ZIP.',
      ],
    });
  });

  test('says so where two records of one house contradict each other', async () => {
    const { find } = await importedFrom([
      houseLine(['101', '199', 'B'], CITY),
      houseLine(['133', '133', 'B'], OTHER),
    ]);
    expect(find('68102', '133 N Madeup St')).toMatchObject({ place: '12345', isDivided: true });
    expect(find('68102', '135 N Madeup St')).toMatchObject({ place: '37000', isDivided: false });
  });

  test('makes the same bytes again, and stands in for the one before', async () => {
    const lines = [zipLine('68102', '68102', CITY), houseLine(['101', '199', 'O'])];
    const { folder } = await importedFrom(lines);
    await importInto(folder, fileWith(NAME, lines));
    const bytes = (number: number) =>
      readFileSync(join(folder, 'history', `${number}`, 'boundaries-NE.sqlite'));
    expect(bytes(1).equals(bytes(2))).toBe(true);
    await importInto(folder, fileWith('NEB2026Q3MAY18.csv', [zipLine('68103', '68103', CITY)]), {
      rowFloor: 1,
    });
    const index = loadContent(folder).boundaries.get('NE');
    expect(index?.find('68102', undefined, '', DAY).hit).toBeUndefined();
    expect(index?.find('68103', undefined, '', DAY).hit).toBeDefined();
  });

  test.for([
    [[codeLine('68102-0300', '68102-0299')], 'not a range of ZIPs'],
    [[zipLine('6810X', '68102')], '6810X is not a ZIP'],
    [[zipLine('68102', '68102', { 2: '20240231' })], '20240231 is not a day'],
    [[zipLine('68102', '68102', { 23: '99' })], '99 is the code of no state'],
    [[zipLine('68102', '68102', { 23: '20' })], 'the file is named for NE, its lines are of KS'],
    [[zipLine('68102', '68102'), 'x'.repeat(2_000_000)], 'a line has no end'],
  ] as const)('is refused with %j: %s', async ([lines, problem]) => {
    const folder = smallContent();
    await expect(importInto(folder, fileWith(NAME, [...lines]))).rejects.toMatchObject({
      code: 'E_CONTENT_REFUSED',
      message: expect.stringContaining(problem),
    });
    expect(loadContent(folder).boundaries.size).toBe(0);
  });

  test.for([['cut off', (path: string) => truncateSync(path, 4_096)]] as const)(
    'whose index is %s is damage when the content is loaded',
    async ([, damage]) => {
      const { folder } = await importedFrom([zipLine('68102', '68102')]);
      damage(join(folder, 'history', '1', 'boundaries-NE.sqlite'));
      expect(() => loadContent(folder)).toThrow(
        'boundaries-NE.sqlite: the index of boundaries cannot be read',
      );
    },
  );
});

describe('rates beside a boundary file', () => {
  const charlotte = (cells: Readonly<Record<number, string>> = {}) =>
    zipLine('28202', '28202', { 23: '37', 24: '37', 25: '119', 26: '12000', ...cells });
  const taxIn = async (...files: readonly string[]) => {
    const { taxAt, content } = await contentOf(['NC'], ...files);
    const gap = contentCoverage(content).gapAt({
      from: {
        country: 'US',
        state: 'OR',
        zip: '97204',
        city: 'Portland',
        street: '',
      },
      to: {
        country: 'US',
        state: 'NC',
        zip: '28202',
        city: 'Charlotte',
        street: '',
      },
      day: calendarDate(DAY),
    });
    return { tax: taxAt(['NC', '28202', 'Charlotte'], DAY), gap, content };
  };
  const boundary = fileWith('NCB2026Q4SEP15.csv', [charlotte({ 30: '37', 31: '60119', 32: '63' })]);

  test('that no official file has hold by their area: a county’s transit, and rows of one’s own', async () => {
    const own = fileWith('own.csv', [
      'state,level,code,name,rate,from,source,confidence,counties,places',
      'NC,special,OWN,Mecklenburg district,0.01,2026-10-01,ordinance,official-cited,119,',
      'NC,special,ELSEWHERE,Wake district,0.01,2026-10-01,ordinance,official-cited,183,',
    ]);
    const without = await taxIn();
    expect(await taxIn(boundary)).toMatchObject({ tax: without.tax, gap: undefined });
    expect((await taxIn(boundary, own)).tax).toBe(without.tax + 1);
  });

  const counties = [...loadContent().countyStates]
    .filter(([, state]) => state === 'NC')
    .map(([fips]) => `37,00,${fips.slice(2)},0.02,0.02,0.02,0.02,20100101,29991231`);
  const rates = fileWith('NCR2026Q4SEP15.csv', [
    '37,45,37,0.0475,0.0475,0,0,20100101,29991231',
    ...counties,
    '37,63,60119,0.015,0.015,0.015,0.015,20260701,29991231',
  ]);

  test('of a file without an area may be missing where no boundary file has the address', async () => {
    const { tax, gap, content } = await taxIn(rates);
    expect(tax).toBe(6.75);
    expect(gap).toMatchObject({ levels: ['special'] });
    expect(contentCoverage(content).isIncomplete('NC')).toBe(true);
    const order = orderTo('NC', '28202', 'Charlotte', { explain: true });
    expect(taxOf(order, { content, on: DAY }).explanation?.flags.join()).toContain(
      'Local rates of NC are not complete (where some imported rates hold is not known',
    );
    expect(await taxIn(rates, boundary)).toMatchObject({ tax: 8.25, gap: undefined });
  });
});
