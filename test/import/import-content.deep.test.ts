import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadContent } from '../../src/content/load-content.ts';
import { importContent } from '../../src/import/import-content.ts';
import { TieoutError } from '../../src/kernel/errors.ts';
import { fileWith, importInto, newFolder, smallContent } from './content-folder.ts';

/** A rate file of Rhode Island (44), which has no local taxes: the state alone is a complete file. */
const RHODE_ISLAND = ['44,45,44,0.07,0.07,0,0,20081001,29991231'];
const newContent = () => join(newFolder(), 'content');

const refusal = async (attempt: Promise<unknown>): Promise<string> => {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof TieoutError) return `${error.code} ${error.message}`;
    throw error;
  }
  throw new Error('the file was taken');
};

describe('an import', () => {
  test('starts a new folder from the default content, and says what it changed', async () => {
    const folder = newContent();
    const report = await importInto(folder, fileWith('RIR2026Q2FEB18.csv', RHODE_ISLAND));
    expect(report).toMatchObject({
      kind: 'sst-rates',
      state: 'RI',
      period: '2026Q2',
      rows: 1,
      written: true,
      version: '4+1',
      diff: { added: [{ state: 'RI' }], removed: [{ state: 'RI' }] },
    });
    const content = loadContent(folder);
    expect(content.states.get('RI')?.rates).toMatchObject([{ from: '2008-10-01', source: 'sst-ri' }]);
    expect(content.imports).toMatchObject([{ file: 'RIR2026Q2FEB18.csv', on: '2026-11-21', rows: 1 }]);
  });

  test('keeps the tables and manifests of before', async () => {
    const folder = smallContent();
    await importInto(folder, fileWith('RIR2026Q2FEB18.csv', RHODE_ISLAND));
    await importInto(folder, fileWith('RIR2026Q3MAY19.csv', RHODE_ISLAND));
    expect(readdirSync(join(folder, 'history')).sort()).toEqual(['1', '2']);
    const before = readFileSync(join(folder, 'history', '2', 'manifest-before.json'), 'utf8');
    writeFileSync(join(folder, 'manifest.json'), before);
    expect(loadContent(folder).version).toBe('4+1');
  });

  test('of two at a time takes one, and the other says that one is under way', async () => {
    const folder = smallContent();
    const file = (state: string) =>
      fileWith('own.csv', [
        'state,level,code,name,counties,rate,from,source,confidence',
        `NV,county,X${state},Levy ${state},510,0.01,2026-12-01,x,secondary`,
      ]);
    await importInto(folder, fileWith('RIR2026Q2FEB18.csv', RHODE_ISLAND));
    for (const into of [folder, newContent()]) {
      const both = await Promise.allSettled([importInto(into, file('A')), importInto(into, file('B'))]);
      const lost = both.filter(({ status }) => status === 'rejected');
      expect(lost).toMatchObject([{ reason: { code: 'E_RUN_LOCKED' } }]);
      const { imports, states } = loadContent(into);
      expect(imports.filter(({ kind }) => kind === 'neutral')).toHaveLength(1);
      expect(states.get('NV')?.localRates.filter(({ code }) => /^X[AB]$/.test(code))).toHaveLength(1);
    }
  });

  test('never takes the place of one that was taken back', async () => {
    const folder = smallContent();
    await importInto(folder, fileWith('RIR2026Q2FEB18.csv', RHODE_ISLAND));
    const first = readFileSync(join(folder, 'history', '1', 'state-rates.tsv'), 'utf8');
    cpSync(join(folder, 'history', '1', 'manifest-before.json'), join(folder, 'manifest.json'));
    const report = await importInto(
      folder,
      fileWith('RIR2026Q3MAY19.csv', [RHODE_ISLAND[0]?.replace('0.07', '0.08') ?? '']),
    );
    expect(report.version).toBe('4+2');
    expect(readdirSync(join(folder, 'history')).sort()).toEqual(['1', '2']);
    expect(readFileSync(join(folder, 'history', '1', 'state-rates.tsv'), 'utf8')).toBe(first);
  });

  test('a diff says the same, and writes nothing', async () => {
    const folder = newContent();
    const path = fileWith('RIR2026Q2FEB18.csv', RHODE_ISLAND);
    const report = await importContent(path, folder);
    expect(report).toMatchObject({
      written: false,
      version: '4',
      diff: { added: [{ state: 'RI' }], removed: [{ state: 'RI' }] },
    });
    expect(existsSync(folder)).toBe(false);
    expect(report.diff).toEqual((await importInto(folder, path)).diff);
  });
});

describe('a damaged file is refused, and nothing changes', () => {
  const [state = ''] = RHODE_ISLAND;
  const city = '44,01,59000,0.01,0.01,0.01,0.01,20200101,29991231';
  test.for([
    ['RIR2026Q2FEB18.csv', [state, '44,00,001,0.01,0.01,0.0'], '6 fields', 'a line that is cut off'],
    ['RIR2026Q2FEB18.csv', [state, city.replace('0.01,', 'x,')], 'is not a rate', 'a rate that is none'],
    ['RIR2026Q2FEB18.csv', [city], 'not complete', 'no rate of the state'],
    ['RIR2026Q2FEB18.csv', [state, city, city.replaceAll('0.01', '0.02')], 'overlap', 'two rates at once'],
    ['RIR2026Q2FEB18.csv', [state, city.replace('20200101', '20260701')], 'after the end', 'a later quarter'],
    ['RIR2026Q3FEB18.csv', [state], 'not one of quarter', 'published long before its quarter'],
    ['GAR2026Q2FEB18.csv', [state], 'named for GA', 'the name of another state'],
    ['rates.csv', ['a,b,c', '1,2,3'], 'no importer knows', 'another layout'],
    ['rates.zip', ['PK\u0003\u0004 and nothing more'], 'it is an archive or a workbook', 'an archive'],
    [
      'own.csv',
      [
        'state,level,code,name,counties,rate,from,to,source,confidence',
        'NV,county,510,Carson City,510,0.01,2026-12-01,,x,secondary',
        'NV,county,510,Carson City,510,0.02,2027-01-01,,x,secondary',
      ],
      'has no end, and another begins',
      'neutral rows that overlap',
    ],
  ] as const)('%s with %j: %s (%s)', async ([name, lines, problem]) => {
    const folder = newContent();
    const message = await refusal(importInto(folder, fileWith(name, [...lines])));
    expect(message).toContain('E_CONTENT_REFUSED');
    expect(message).toContain(problem);
    expect(existsSync(folder)).toBe(false);
  });

  test('a file with far fewer rows than the one before is not complete', async () => {
    const folder = smallContent(newFolder(), ['RI']);
    const lines = (count: number) => [
      state,
      ...Array.from({ length: count }, (_, index) => city.replace('59000', `Q${100 + index}`)),
    ];
    await importInto(folder, fileWith('RIR2026Q2FEB18.csv', lines(20)));
    const short = refusal(importInto(folder, fileWith('RIR2026Q3MAY18.csv', lines(12))));
    expect(await short).toContain('the file has 13 rows, and at least 19 were expected');
    expect(loadContent(folder).version).toBe('4+1');
  });

  test('a file older than the one before is refused', async () => {
    const folder = smallContent(newFolder(), ['RI']);
    await importInto(folder, fileWith('RIR2026Q2FEB18.csv', RHODE_ISLAND));
    const older = refusal(importInto(folder, fileWith('RIR2026Q1NOV18.csv', RHODE_ISLAND)));
    expect(await older).toContain('is for 2026Q1');
  });
});

describe('a damaged content is not calculated with', () => {
  let imported: Promise<string> | undefined;
  const importedOnce = async (): Promise<string> => {
    const folder = smallContent();
    await importInto(folder, fileWith('RIR2026Q2FEB18.csv', RHODE_ISLAND));
    return folder;
  };

  test.for([
    ['manifest.json', '{', 'the manifest cannot be read'],
    ['state-rates.tsv', 'state\trate\tfrom\tto\tsource\tconfidence\nRI\t0.07', 'cut off'],
    ['state-rates.tsv', 'state\trate\nRI\t0.07\n', 'no column from'],
    ['state-rates.tsv', 'state\trate\tfrom\tto\tsource\tconfidence\nRI\t7%\t\t\tx\ty\n', 'is not a rate'],
    [
      'state-rates.tsv',
      'state\trate\tfrom\tto\tsource\tconfidence\nRI\t0.07\t2026\t\tx\ty\n',
      'not a calendar date',
    ],
    ['freight.tsv', 'state\nRI\tx\n', 'the line has 2 cells, the header 1'],
    [
      'country-territories.tsv',
      'country\tname\tpostcodes\trate\tfrom\tto\tsource\tconfidence\nAT\tJungholz\t(6691\t0.19\t\t\tibericode node-sales-tax\tsecondary-2\n',
      'country-territories.tsv:2: (6691 is not a pattern of postcodes',
    ],
  ] as const)('%s as %j: %s', async ([table, text, problem]) => {
    imported ??= importedOnce();
    const folder = newContent();
    cpSync(await imported, folder, { recursive: true });
    const current = table === 'state-rates.tsv' ? join('history', '1', table) : table;
    writeFileSync(join(folder, current), text);
    expect(await refusal(Promise.resolve().then(() => loadContent(folder)))).toContain(problem);
  });
});
