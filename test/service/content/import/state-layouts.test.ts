import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import { ContentRefusedError } from '../../../../src/service/content/content-error.ts';
import { loadContent } from '../../../../src/service/content/load-content.ts';
import { contentOf, fileWith } from './content-folder.ts';

/** The names of the counties of a state, and their three-digit codes. */
const counties = (state: string): readonly (readonly [name: string, code: string])[] => {
  const content = loadContent();
  return [...content.counties]
    .filter(([fips]) => content.countyStates.get(fips) === state)
    .map(([fips, name]) => [name.replace(/ County$/, ''), fips.slice(2)] as const);
};

const workbook = async (
  name: string,
  sheets: Readonly<Record<string, readonly unknown[][]>>,
): Promise<string> => {
  const book = new exceljs.Workbook();
  for (const [sheet, rows] of Object.entries(sheets)) book.addWorksheet(sheet).addRows([...rows]);
  return fileWith(name, Buffer.from(await book.xlsx.writeBuffer()));
};

const refusedIn = async (state: string, path: string): Promise<string> => {
  const error: unknown = await contentOf([state], path).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ContentRefusedError);
  return (error as Error).message;
};

describe('the rate table of Arizona', () => {
  const header = 'RegionCode,RegionName,BusinessCode,BusinessCodesName,TaxRate,RateType';
  const table = [
    header,
    ...counties('AZ').map(
      ([name], at) => `C${String.fromCharCode(65 + at)}X,${name.toUpperCase()},017,Retail,6.3,Percent`,
    ),
    'PX,PHOENIX,017,Retail,2.8000,Percent',
    'MP,MARICOPA,017,Retail,2.5000,Percent',
    'PX,PHOENIX,014,Communications,4.7,Percent',
    'NVJ,NAVAJO NATION,017,Retail,6.0000,Percent',
    'ZZ,NO SUCH TOWN,017,Retail,1.0000,Percent',
  ];
  const name = 'TPT_RATETABLE_ALL_10012026.csv';

  test('adds cities to counties, whose rates have the state’s in them', async () => {
    const { taxAt } = await contentOf(
      ['AZ'],
      fileWith(name, ['\ufeff', ...table].join('\n').replace('\ufeff\n', '\ufeff').split('\n')),
    );
    expect(taxAt(['AZ', '85004', 'Phoenix'], '2026-10-01')).toBe(9.1);
    expect(taxAt(['AZ', '85138', 'Maricopa'], '2026-10-01')).toBe(8.8);
  });

  test('is refused when a county is missing, a region stands there twice, or the name has no day', async () => {
    expect(
      await refusedIn(
        'AZ',
        fileWith(
          name,
          table.filter((line) => !line.includes('YUMA')),
        ),
      ),
    ).toContain('14 of 15 counties');
    expect(await refusedIn('AZ', fileWith(name, [...table, 'PX,PHOENIX,017,Retail,2.9,Percent']))).toContain(
      'PHOENIX stands there twice',
    );
    expect(await refusedIn('AZ', fileWith('rates.csv', table))).toContain('does not say for which days');
    expect(
      await refusedIn(
        'AZ',
        fileWith(
          name,
          table.map((line) => line.replace('2.8000', 'x')),
        ),
      ),
    ).toContain('x is not a rate in percent');
  });
});

describe('the local rates of Alabama', () => {
  const header =
    'Locality Code,Locality Name,County Number,TaxType,Rate Type,Administered,Active Date,Inactive Date,Rate,Indicator,PJ,County Code,PJ_Rate';
  const line = (code: string, name: string, from: string, rate: string, county = '') =>
    `${code},"${name}",1,ST,GENER,ADOR,${from},,${rate},,Y,${county},1.0000`;
  const all = counties('AL').map(([name, code]) => {
    const nn = String((Number(code) + 1) / 2).padStart(2, '0');
    return line(`70${nn}`, `${name.toUpperCase()} CO`, '20200101', nn === '63' ? '3.0000' : '2.0000');
  });
  const table = [
    header,
    ...all,
    line('7763', 'TUSCALOOSA CO CL', '20200101', '2.0000'),
    line('7163', 'TUSCALOOSA CO PJ', '20200101', '2.5000'),
    line('9601', 'TUSCALOOSA', '20191001', '3.0000', '7063'),
    line('9653', 'DOTHAN', '10/01/2020', '4.0000', '7035'),
    '9653,DOTHAN,1,ST,AUTO,ADOR,20200101,,1.0000,,,,',
    '9653,DOTHAN,1,ST,GENER,ADOR,20100101,20200930,3.0000,,,,',
  ];

  test('takes general sales tax, each from its day, and tells the inside of cities from the outside', async () => {
    const { taxAt } = await contentOf(['AL'], fileWith('taxrates_current.csv', table));
    expect(taxAt(['AL', '36301', 'Dothan'], '2026-10-31')).toBe(10);
    expect(taxAt(['AL', '35401', 'Tuscaloosa'], '2026-10-31')).toBe(9);
    expect(taxAt(['AL', '35453', 'Unincorporated'], '2026-10-31')).toBe(7);
  });

  test('takes a rate that ends on a later day, and the next one', async () => {
    const rate = (from: string, to: string, percent: string) =>
      `9601,TUSCALOOSA,1,ST,GENER,ADOR,${from},${to},${percent},,,7063,`;
    const lines = [
      ...table.filter((text) => !text.startsWith('9601')),
      rate('20261001', '20261231', '3.5000'),
    ];
    const { taxAt } = await contentOf(
      ['AL'],
      fileWith('taxrates_current.csv', [...lines, rate('20270101', '', '4.0000')]),
    );
    const at = (on: string) => taxAt(['AL', '35401', 'Tuscaloosa'], on);
    expect([at('2026-09-30'), at('2026-12-31'), at('2027-01-01')]).toEqual([9, 9.5, 10]);
  });

  test('is refused when its rates are fractions', async () => {
    const fractions = table.map((text) => text.replace(/,(\d)\.(\d)000/, ',0.0$1'));
    expect(await refusedIn('AL', fileWith('taxrates_current.csv', fractions))).toContain(
      'fractions instead of percent',
    );
  });

  test('is refused when a county is missing, a line is cut off, or a day is none', async () => {
    expect(
      await refusedIn(
        'AL',
        fileWith(
          'taxrates_current.csv',
          table.filter((text) => !text.startsWith('7037')),
        ),
      ),
    ).toContain('of 67 counties');
    expect(await refusedIn('AL', fileWith('taxrates_current.csv', [...table, '9999,CUT']))).toContain(
      '2 fields instead of 13',
    );
    expect(
      await refusedIn('AL', fileWith('taxrates_current.csv', [...table, line('9999', 'X', '2020-01', '1')])),
    ).toContain('is not a day');
  });
});

describe('the chart of Missouri', () => {
  const header = [
    '',
    'Jurisdiction Name',
    'Jurisdiction Code',
    'Sales Tax Rate (0000)',
    'Use Tax Rate (0000)(0010)',
  ];
  const all = counties('MO').map(([name, code]) => ['', name, `00000-${code}-000`, '5.9750%', '5.9750%']);
  const rows = [
    ...Array.from({ length: 11 }, (_, at) => ['', at === 2 ? 'Sales and Use Tax Rates' : '']),
    header,
    [],
    ...all,
    ['', 'KANSAS CITY JACKSON COUNTY', '38000-095-000', 0.08975, 0.08975],
    ['', 'KANSAS CITY JACKSON COUNTY TDD', '38000-095-004', 0.09975, 0.08975],
    ['', 'INDEPENDENCE', '35000-095-000', '5.2250%', '4.2250%'],
  ];
  const chart = (lines: readonly unknown[][] = rows, name = 'july2026.xlsx') =>
    workbook(name, { 'Sales and Use Tax Rate Chart': lines });

  test('divides what is beyond the state’s rate between county and place', async () => {
    const { taxAt, content } = await contentOf(['MO'], await chart());
    expect(taxAt(['MO', '64106', 'Kansas City'], '2026-07-01')).toBe(8.98);
    expect(taxAt(['MO', '64050', 'Independence'], '2026-07-01')).toBe(5.23);
    const kansasCity = content.states
      .get('MO')
      ?.localRates.filter(({ code, from }) => code === '38000' && from === '2026-07-01');
    expect(kansasCity?.map(({ rate, level }) => [level, rate])).toEqual([['city', 300_000]]);
  });

  test('keeps all six decimal places of a fraction, and refuses percent without its sign', async () => {
    const columbia = (rate: unknown) => chart([...rows, ['', 'COLUMBIA', '15670-019-000', rate, rate]]);
    const { taxAt } = await contentOf(['MO'], await columbia(0.086625));
    const order = { line_items: [{ unit_price: 10_000 }] };
    expect(taxAt(['MO', '65203', 'Columbia'], '2026-07-01', order)).toBe(866.25);
    expect(await refusedIn('MO', await columbia('8.6625'))).toContain(
      '8.6625 is not a rate: it is a fraction',
    );
  });

  test('is refused when a rate is below the state’s, a code stands there twice, or the name has no quarter', async () => {
    const low = rows.map((row) => row.map((cell) => (cell === 0.08975 ? 0.04 : cell)));
    expect(await refusedIn('MO', await chart(low))).toContain('lower than that of the state');
    expect(await refusedIn('MO', await chart([...rows, rows.at(-1) ?? []]))).toContain('stands there twice');
    expect(await refusedIn('MO', await chart(rows, 'chart.xlsx'))).toContain('for which days');
    expect(await refusedIn('MO', await chart(rows.filter((_, at) => at < 20)))).toContain('of 114 counties');
  });
});

describe('the districts of New Mexico', () => {
  const header =
    'OBJECTID_1,name,county,locat_cdr,locat_cd1,locat_cd2,grt_rate,note_key,bndry_ref,SHAPE_Leng,grt_rate2,Shape_Area';
  const remainders = counties('NM').map(
    ([name], at) =>
      `0,Remainder of County - ${name},${name},${String(at + 1).padStart(2, '0')}-${String(at + 1).padStart(3, '0')},,,6.125,,,1,0,1`,
  );
  const table = [
    header,
    ...remainders,
    '0,Albuquerque,Bernalillo,02-100,,,7.625,,,1,0,1',
    '0,Albuquerque Airport,Bernalillo,02-200,,,7.5,,,1,0,1',
    '0,Isleta Pueblo,Bernalillo,,02-963,02-964,6.4375,,,1,6.5,1',
  ];
  const name = 'New_Mexico_gross_receipts_tax_July_2026_June_2027.csv';

  test('have the whole local part of cities, and of the land outside of them', async () => {
    const { taxAt } = await contentOf(['NM'], fileWith(name, table));
    expect(taxAt(['NM', '87102', 'Albuquerque'], '2026-07-01')).toBe(7.63);
    expect(taxAt(['NM', '87102', 'Unincorporated'], '2026-07-01')).toBe(6.13);
  });

  test('are refused when counties are missing, a code has two rates, or the name has no period', async () => {
    expect(
      await refusedIn(
        'NM',
        fileWith(
          name,
          table.filter((_, at) => at !== 3 && at !== 4),
        ),
      ),
    ).toContain('of 32 counties');
    expect(
      await refusedIn('NM', fileWith(name, [...table, '0,Albuquerque,Bernalillo,02-100,,,7.5,,,1,0,1'])),
    ).toContain('02-100 has two rates');
    expect(await refusedIn('NM', fileWith('districts.csv', table))).toContain('does not say for which days');
  });
});

describe('the codes and rates of Colorado', () => {
  const header = [
    'Location Code',
    'Jurisdiction   Code',
    'County',
    'Self Collected Home Rule',
    'City Exemptions',
    'County Exemptions',
    'Special Dist Exemptions',
    'Total Rate',
    ...Array.from({ length: 12 }, () => ['Tax Type', 'Rate', 'Service Fee Rate']).flat(),
  ];
  let code = 100_000;
  const place = (
    name: string,
    county: string,
    parts: readonly (readonly [string, number])[],
    total?: number,
  ) => [
    name,
    code++,
    county,
    '',
    '',
    '',
    '',
    total ?? Number(parts.reduce((sum, [, rate]) => sum + rate, 2.9).toFixed(4)),
    'State',
    2.9,
    0,
    ...parts.flatMap(([kind, rate]) => [kind, rate, 0]),
  ];
  const rows = [
    header,
    ...counties('CO').map(([name]) =>
      place(`${name.toUpperCase()} COUNTY`, name.toUpperCase(), [['County', 1]]),
    ),
    place('AURORA', 'ARAPAHOE', [
      ['County', 0.25],
      ['City', 3.75],
      ['RTD', 1],
      ['CD', 0.1],
    ]),
    place('AURORA', 'ARAPAHOE', [
      ['County', 0.25],
      ['City', 3.75],
    ]),
    place('AURORA', 'ARAPAHOE', [
      ['County', 0.25],
      ['City', 3.75],
      ['RTD', 1],
      ['CD', 0.1],
    ]),
    place('LITTLETON', 'ARAPAHOE', [
      ['County', 0.25],
      ['City', 3.75],
      ['RTD', 1],
      ['CD', 0.1],
    ]),
    place('DENVER', 'DENVER', [
      ['City', 5.15],
      ['RTD', 1],
      ['CD', 0.1],
    ]),
    place('CANON CITY', 'FREMONT', [
      ['Cnty', 2.5],
      ['City', 3.5],
    ]),
  ];
  const book = (
    lines: readonly unknown[][] = rows,
    name = 'Colorado_Jurisdiction_Codes_Rates_July-Dec2026.xlsx',
  ) => workbook(name, { Notes: [['read me']], 'By Name': lines });

  test('give each place its county, its city and the districts usual there', async () => {
    const { taxAt } = await contentOf(['CO'], await book());
    expect(taxAt(['CO', '80012', 'Aurora'], '2026-07-01')).toBe(8);
    expect(taxAt(['CO', '80202', 'Denver'], '2026-07-01')).toBe(9.15);
    expect(taxAt(['CO', '81212', 'Canon City'], '2026-07-01')).toBe(8.9);
    expect(taxAt(['CO', '81212', 'Unincorporated'], '2026-07-01')).toBe(3.9);
  });

  test('are refused when parts do not add up, a code stands there twice, or a county is missing', async () => {
    expect(await refusedIn('CO', await book([...rows, place('X', 'DENVER', [['City', 3]], 8)]))).toContain(
      'do not add up',
    );
    expect(await refusedIn('CO', await book([...rows, rows.at(-1) ?? []]))).toContain('stands there twice');
    expect(await refusedIn('CO', await book(rows.filter((row) => row[2] !== 'YUMA')))).toContain(
      '64 counties',
    );
    expect(await refusedIn('CO', await book(rows, 'Colorado.xlsx'))).toContain('for which days');
  });
});
