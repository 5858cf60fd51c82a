import { describe, expect, test } from 'vitest';
import { loadContent } from '../../src/content/load-content.ts';
import { isOfficial } from '../../src/content/tax-content.ts';
import { contentCoverage } from '../../src/engine/content-coverage.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { codeLine, houseLine, zipLine } from './boundary-line.ts';
import { contentAfter, contentOf, fileWith, ON } from './content-folder.ts';

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

const content = loadContent();
const counties = [...content.counties]
  .filter(([fips]) => content.countyStates.get(fips) === 'CA')
  .map(([, name]) => name.replace(/ County$/, ''));

describe('the table of California', () => {
  const header = [
    '"Use the arrows, up, down, and right, to navigate"',
    'Effective Sales and Use Tax Rates',
    'Location,Rate,County,Type,Notes',
  ];

  test('totals replace the districts of the counties that differ, from the day of the table on', async () => {
    const lines = counties.map((county) => `${county} County,7.2499999999999995E-2,${county},County,`);
    const yuba = ['Yuba County,Yuba,County,Please see the cities.'];
    const cities = ['Oakland,0.1125,Alameda,City', '"Emeryville, old",0.1,Alameda,City,'];
    const path = fileWith('SalesTaxRates7-1-26.csv', [...header, ...lines, ...cities, ...yuba], '\r\n');
    const { taxAt, content } = await contentAfter(path);
    expect(taxAt(['CA', '94607', 'Oakland'], '2026-06-30')).toBe(10.75);
    expect(taxAt(['CA', '94607', 'Oakland'], '2026-07-01')).toBe(11.25);
    expect(taxAt(['CA', '94546', 'Castro Valley'], '2026-07-01')).toBe(7.25);
    // The uniform rate of the counties stands in no row of the table, and is a part of each.
    const { spanOf } = contentCoverage(content);
    expect(spanOf('CA', calendarDate('2026-10-31'))).toBeUndefined();
  });
});

describe('the file of Texas', () => {
  const none = 'n/a\tn/a\tn/a';
  const file = (rows: readonly string[]) =>
    fileWith(
      'taxrates.txt',
      [
        `1\t20264\t4th Quarter 2026\tSALES\t.0625\t0\t${rows.length}\tmessage`,
        '20264\tq\t01/20/2027',
        ...rows,
      ],
      '\r\n',
    );
  const rows = [
    `Round Rock\t2246018\t.015000\tWilliamson Co\t4246000\t.005000\t${none}\t${none}`,
    `Austin\t2227016\t.010000\t${none}\tAustin MTA\t3227999\t.010000\t${none}`,
    `Austin\t2227016\t.010000\t${none}\tAustin MTA\t3227999\t.010000\tTravis ESD 9\t5227017\t0`,
    `${none}\tWilliamson Co\t4246000\t.005000\t${none}\t${none}`,
    `Madeup\t2999024\t.010000\t${none}\t${none}\t${none}`,
  ];

  test('gives cities, counties and transit from the first day of its quarter', async () => {
    const { taxAt, content } = await contentAfter(file(rows));
    expect(taxAt(['TX', '78701', 'Austin'], '2026-10-01')).toBe(8.25);
    expect(taxAt(['TX', '78664', 'Round Rock'], '2026-10-01')).toBe(8.25);
    const county = content.states.get('TX')?.localRates.find(({ code }) => code === '4246000');
    expect(county).toMatchObject({ scope: 'county', counties: ['491'], from: '2026-10-01' });
    const district = content.states.get('TX')?.localRates.find(({ code }) => code === '5227017');
    expect(district?.scope).toBe('unmapped');
  });
});

/** A line of the general rates of Illinois: a place of Cook County, whether its rate depends on the street, a day, a rate. */
const illinoisLine = (name: string, flag: string, begin: string, rate: string): string =>
  `0160010001${name.padEnd(25)}${'COOK'.padEnd(25)}${flag}${begin}${`${rate}01750${rate}01750`}N`.padEnd(211);

test('in Illinois, a location whose rate depends on the street keeps the rate that was known', async () => {
  const { taxAt } = await contentAfter(
    fileWith('ordmache-current.txt', [
      illinoisLine('CHICAGO', 'N', '20261001', '10500'),
      illinoisLine('EVANSTON', 'Y', '20261001', '00000'),
      illinoisLine('COOK COUNTY UNINC', 'N', '20261001', '08000'),
    ]),
  );
  const evanston = ['IL', '60201', 'Evanston'];
  expect(taxAt(evanston, '2026-10-01')).toBe(taxAt(evanston, '2026-09-30'));
  expect(taxAt(['IL', '60601', 'Chicago'], '2026-10-01')).toBe(10.5);
});

test('in Washington, locations hold from the day of the file on', async () => {
  const file = fileWith('Rates_26Q4.csv', [
    'NAME,CODE,STATE,LOCAL,RTA,RATE,EFFECTIVE DATE,EXPIRATION DATE',
    'SEATTLE,1726,.065,.0265,.0140,.1055,20261001,20261231',
    'YAKIMA,3913,.065,.0180,.0000,.0830,20261001,20261231',
  ]);
  const { taxAt } = await contentAfter(file);
  const yakima = (on: string) => taxAt(['WA', '98901', 'Yakima'], on);
  expect([yakima('2026-09-30'), yakima('2026-10-01')]).toEqual([8.6, 8.3]);
  expect(taxAt(['WA', '98101', 'Seattle'], '2026-10-01')).toBe(10.55);
});

describe('a file of a state', () => {
  const californian = (...lines: readonly string[]) => [
    'Location,Rate,County,Type',
    ...counties.map((name) => `${name} County,0.0725,${name},County`),
    ...lines,
  ];

  test('replaces secondary rates, and is refused where the content has a newer rate', async () => {
    const texas = fileWith('taxrates.txt', [
      '1\t20262\t2nd Quarter 2026\tSALES\t.0625\t0\t1\tx',
      'El Paso\t2071011\t.01\tEl Paso Co\t4071000\t.005\tEl Paso CTD\t3071001\t.005\tn/a\tn/a\tn/a',
    ]);
    const { taxAt, content } = await contentOf(['TX'], texas);
    const rates = content.states.get('TX')?.localRates ?? [];
    expect(rates.filter(({ tax, to }) => tax === 'general' && to > ON).every(isOfficial)).toBe(true);
    expect(taxAt(['TX', '79901', 'El Paso'], ON)).toBe(8.25);
    const early = fileWith('SalesTaxRates1-1-26.csv', californian('San Jose,0.09375,Santa Clara,City'));
    await expect(contentOf(['CA'], early)).rejects.toThrow('for 2026-01-01, and the content has a rate of');
  });

  test.for([
    ['Ca1-1-26.csv', californian().slice(0, 58), 'has 57 of 58 counties'],
    ['Ca1-1-26.csv', californian('Alameda County,0.1,Alameda,County'), 'Alameda County stands there twice'],
    ['Ca1-1-26.csv', californian('Oakland,x,Alameda,City'), 'x is not a rate, as 0.066'],
    ['Ca1-1-26.csv', californian('Oakland,0.04,Alameda,City'), 'lower than that of the state'],
  ] as const)('%s is refused where %3$s', async ([name, lines, problem]) => {
    await expect(contentOf(['CA'], fileWith(name, [...lines]))).rejects.toThrow(problem);
  });
});
