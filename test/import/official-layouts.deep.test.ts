import { describe, expect, test } from 'vitest';
import { isOfficial } from '../../src/content/tax-content.ts';
import { codeLine, houseLine, zipLine } from './boundary-line.ts';
import { contentAfter, fileWith } from './content-folder.ts';

/** A rate file of Nebraska (31): the state, Dakota County (043), Omaha (37000), a district without a known area. */
const SST_RATES = [
  '31,45,31,0.0550,0.0550,0.0550,0.0550,20061001,29991231',
  '31,00,043,0.0050,0.0050,0.0050,0.0050,20060101,20991231',
  '31,01,37000,0.0150,0.0150,0.0150,0.0150,20061001,20260331',
  '31,01,37000,0.0200,0.0200,0.0100,0.0100,20260401,99991231',
  '31,63,QX017,0.0025,0.0025,0,0,20240101,29991231',
];
const OMAHA = ['NE', '68102', 'Omaha'];

describe('Streamlined rate files', () => {
  const name = 'NER2026Q4AUG18.csv';

  test.for([
    ['LF', fileWith(name, SST_RATES)],
    ['a byte order mark', fileWith(name, [`\ufeff${SST_RATES[0]}`, ...SST_RATES.slice(1)])],
    [
      'one comma too many',
      fileWith(
        name,
        SST_RATES.map((line) => `${line},`),
      ),
    ],
    ['no end of the last line', fileWith(name, Buffer.from(SST_RATES.join('\n')))],
  ] as const)('with %s give rates by their days', async ([, path]) => {
    const { taxAt } = await contentAfter(path);
    expect(taxAt(OMAHA, '2026-03-31')).toBe(7);
    expect(taxAt(OMAHA, '2026-04-01')).toBe(7.5);
  });

  test('a food rate of its own is a row of its own', async () => {
    const { content } = await contentAfter(fileWith(name, SST_RATES));
    const omaha = content.states.get('NE')?.localRates.filter(({ code }) => code === '37000') ?? [];
    expect(omaha.map(({ tax, from }) => `${tax} ${from}`)).toEqual([
      'general 2006-10-01',
      'general 2026-04-01',
      'food 2026-04-01',
    ]);
    const secondary = content.states.get('NE')?.localRates.filter((row) => !isOfficial(row));
    expect(secondary).toEqual([]);
  });

  test('a shared boundary day belongs to the later rate, and saying a thing twice is not a contradiction', async () => {
    const [state = '', , city = ''] = SST_RATES;
    const lines = [
      state,
      city.replace('20260331', '20260401'),
      SST_RATES[3] ?? '',
      (SST_RATES[3] ?? '').replace('20260401', '20260601'),
    ];
    const { taxAt } = await contentAfter(fileWith(name, lines));
    expect([taxAt(OMAHA, '2026-03-31'), taxAt(OMAHA, '2026-04-01'), taxAt(OMAHA, '2026-10-31')]).toEqual([
      7, 7.5, 7.5,
    ]);
  });

  test('an earlier quarter is refused', async () => {
    const old = SST_RATES.filter((line) => !line.includes('20260401') && !line.includes('20240101'));
    const earlier = contentAfter(fileWith('NER2013Q2FEB25.csv', old));
    await expect(earlier).rejects.toThrow('the file is for 2013Q2, and the content is of 2026');
  });
});

describe('Streamlined boundary files', () => {
  const boundary = [
    zipLine('68102', '68102'),
    codeLine('68102-0100', '68102-0399', { 26: '37000' }),
    houseLine(['101', '199', 'O'], { 26: '37000', 30: '31', 31: 'QX017', 32: '63' }),
  ];
  const files = [fileWith('NER2026Q4AUG18.csv', SST_RATES), fileWith('NEB2026Q2FEB18.csv', boundary)];

  test.for([
    ['68102', '', 5.5, 'the ZIP as a whole is outside the city'],
    ['68102-0100', '', 7.5, 'this ZIP+4 is in the city'],
    ['68102', '133 North Madeup Street, Apt 4', 7.75, 'this house is in the district too'],
    ['68102', '134 N Madeup St', 5.5, 'the other side of the street is not'],
    ['68103', '', 7, 'a ZIP that the file does not name is placed by its city'],
  ] as const)('%s %s: %d, %s', async ([zip, street, tax]) => {
    const { taxAt } = await contentAfter(...files);
    const on = zip === '68103' ? '2026-03-31' : '2026-10-31';
    expect(taxAt(['NE', zip, 'Omaha'], on, { to_street: street })).toBe(tax);
  });
});
