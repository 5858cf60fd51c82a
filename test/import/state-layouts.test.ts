import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { ContentRefusedError } from '../../src/content/content-folder.ts';
import { loadContent } from '../../src/content/load-content.ts';
import { isOfficial } from '../../src/content/tax-content.ts';
import { contentOf, fileWith, ON } from './content-folder.ts';

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

const ARIZONA_TITLES = 'RegionCode,RegionName,BusinessCode,BusinessCodesName,TaxRate,RateType';
const ARIZONA = [
  ARIZONA_TITLES,
  ...counties('AZ').map(
    ([name], at) => `C${String.fromCharCode(65 + at)}X,${name.toUpperCase()},017,Retail,6.3,Percent`,
  ),
  'PX,PHOENIX,017,Retail,2.8000,Percent',
  'MP,MARICOPA,017,Retail,2.5000,Percent',
  'PX,PHOENIX,014,Communications,4.7,Percent',
  'NVJ,NAVAJO NATION,017,Retail,6.0000,Percent',
  'ZZ,NO SUCH TOWN,017,Retail,1.0000,Percent',
];

const ALABAMA_TITLES =
  'Locality Code,Locality Name,County Number,TaxType,Rate Type,Administered,Active Date,Inactive Date,Rate,Indicator,PJ,County Code,PJ_Rate';
const alabamaLine = (code: string, name: string, from: string, rate: string, county = '') =>
  `${code},"${name}",1,ST,GENER,ADOR,${from},,${rate},,Y,${county},1.0000`;
const ALABAMA_COUNTIES = counties('AL').map(([name, code]) => {
  const nn = String((Number(code) + 1) / 2).padStart(2, '0');
  return alabamaLine(
    `70${nn}`,
    `${name.toUpperCase()} CO`,
    '20200101',
    { 35: '1.0000', 63: '3.0000' }[nn] ?? '2.0000',
  );
});
const ALABAMA = [
  ALABAMA_TITLES,
  ...ALABAMA_COUNTIES,
  alabamaLine('7763', 'TUSCALOOSA CO CL', '20200101', '2.0000'),
  alabamaLine('7163', 'TUSCALOOSA CO PJ', '20200101', '2.5000'),
  alabamaLine('9601', 'TUSCALOOSA', '20191001', '3.0000', '7063'),
  alabamaLine('9653', 'DOTHAN', '10/01/2020', '4.0000', '7035'),
  '9653,DOTHAN,1,ST,AUTO,ADOR,20200101,,1.0000,,,,',
  '9653,DOTHAN,1,ST,GENER,ADOR,20100101,20200930,3.0000,,,,',
];

const MISSOURI_TITLES = [
  '',
  'Jurisdiction Name',
  'Jurisdiction Code',
  'Sales Tax Rate (0000)',
  'Use Tax Rate (0000)(0010)',
];
const MISSOURI_COUNTIES = counties('MO').map(([name, code]) => [
  '',
  name,
  `00000-${code}-000`,
  '5.9750%',
  '5.9750%',
]);
const MISSOURI = [
  ...Array.from({ length: 11 }, (_, at) => ['', at === 2 ? 'Sales and Use Tax Rates' : '']),
  MISSOURI_TITLES,
  [],
  ...MISSOURI_COUNTIES,
  ['', 'KANSAS CITY JACKSON COUNTY', '38000-095-000', 0.08975, 0.08975],
  ['', 'KANSAS CITY JACKSON COUNTY TDD', '38000-095-004', 0.09975, 0.08975],
  ['', 'INDEPENDENCE', '35000-095-000', '5.2250%', '4.2250%'],
];
const chart = (lines: readonly unknown[][] = MISSOURI, name = 'july2026.xlsx') =>
  workbook(name, { 'Sales and Use Tax Rate Chart': lines });

const NEW_MEXICO_TITLES =
  'OBJECTID_1,name,county,locat_cdr,locat_cd1,locat_cd2,grt_rate,note_key,bndry_ref,SHAPE_Leng,grt_rate2,Shape_Area';
const NEW_MEXICO_COUNTIES = counties('NM').map(
  ([name], at) =>
    `0,Remainder of County - ${name},${name},${String(at + 1).padStart(2, '0')}-${String(at + 1).padStart(3, '0')},,,6.125,,,1,0,1`,
);
const NEW_MEXICO = [
  NEW_MEXICO_TITLES,
  ...NEW_MEXICO_COUNTIES,
  '0,Albuquerque,Bernalillo,02-100,,,7.625,,,1,0,1',
  '0,Albuquerque Airport,Bernalillo,02-200,,,7.5,,,1,0,1',
  '0,Isleta Pueblo,Bernalillo,,02-963,02-964,6.4375,,,1,6.5,1',
];

const COLORADO_TITLES = [
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
let coloradoCode = 100_000;
const coloradoLine = (
  name: string,
  county: string,
  parts: readonly (readonly [string, number])[],
  total?: number,
) => [
  name,
  coloradoCode++,
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
const COLORADO = [
  COLORADO_TITLES,
  ...counties('CO').map(([name]) =>
    coloradoLine(`${name.toUpperCase()} COUNTY`, name.toUpperCase(), [['County', 1]]),
  ),
  coloradoLine('AURORA', 'ARAPAHOE', [
    ['County', 0.25],
    ['City', 3.75],
    ['RTD', 1],
    ['CD', 0.1],
  ]),
  coloradoLine('AURORA', 'ARAPAHOE', [
    ['County', 0.25],
    ['City', 3.75],
  ]),
  coloradoLine('AURORA', 'ARAPAHOE', [
    ['County', 0.25],
    ['City', 3.75],
    ['RTD', 1],
    ['CD', 0.1],
  ]),
  coloradoLine('LITTLETON', 'ARAPAHOE', [
    ['County', 0.25],
    ['City', 3.75],
    ['RTD', 1],
    ['CD', 0.1],
  ]),
  coloradoLine('DENVER', 'DENVER', [
    ['City', 5.15],
    ['RTD', 1],
    ['CD', 0.1],
  ]),
  coloradoLine('CANON CITY', 'FREMONT', [
    ['Cnty', 2.5],
    ['City', 3.5],
  ]),
];
const book = (
  lines: readonly unknown[][] = COLORADO,
  name = 'Colorado_Jurisdiction_Codes_Rates_July-Dec2026.xlsx',
) => workbook(name, { Notes: [['read me']], 'By Name': lines });

const alabama = (lines: readonly string[] = ALABAMA) => fileWith('taxrates_current.csv', lines);
const arizona = (lines: readonly string[] = ARIZONA, day = '10012026') =>
  fileWith(`TPT_RATETABLE_ALL_${day}.csv`, lines);
const newMexico = (lines: readonly string[] = NEW_MEXICO, days = 'July_2026_June_2027') =>
  fileWith(`New_Mexico_gross_receipts_tax_${days}.csv`, lines);
const without = (lines: readonly string[], word: string) => lines.filter((line) => !line.includes(word));

test('Arizona adds cities to counties, whose rates have the state’s in them', async () => {
  const { taxAt } = await contentOf(
    ['AZ'],
    arizona(['\ufeff', ...ARIZONA].join('\n').replace('\ufeff\n', '\ufeff').split('\n')),
  );
  expect(taxAt(['AZ', '85004', 'Phoenix'], '2026-10-01')).toBe(9.1);
  expect(taxAt(['AZ', '85138', 'Maricopa'], '2026-10-01')).toBe(8.8);
});

test('Alabama has each general rate from its day, and tells the inside of cities from the outside', async () => {
  const rate = (from: string, to: string, percent: string) =>
    `9601,TUSCALOOSA,1,ST,GENER,ADOR,${from},${to},${percent},,,7063,`;
  const later = [rate('20261001', '20261231', '3.5000'), rate('20270101', '', '4.0000')];
  const { taxAt } = await contentOf(['AL'], alabama([...without(ALABAMA, '9601'), ...later]));
  expect(taxAt(['AL', '36301', 'Dothan'], '2026-10-31')).toBe(9);
  expect(taxAt(['AL', '35453', 'Unincorporated'], '2026-10-31')).toBe(7);
  const at = (on: string) => taxAt(['AL', '35401', 'Tuscaloosa'], on);
  expect([at('2026-09-30'), at('2026-12-31'), at('2027-01-01')]).toEqual([9, 9.5, 10]);
});

test('Missouri divides what is beyond the state’s rate between county and place', async () => {
  const columbia = ['', 'COLUMBIA', '15670-019-000', 0.086625, 0.086625];
  const { taxAt, content } = await contentOf(['MO'], await chart([...MISSOURI, columbia]));
  expect(taxAt(['MO', '64106', 'Kansas City'], '2026-07-01')).toBe(8.98);
  expect(taxAt(['MO', '64050', 'Independence'], '2026-07-01')).toBe(5.23);
  const order = { line_items: [{ unit_price: 10_000 }] };
  expect(taxAt(['MO', '65203', 'Columbia'], '2026-07-01', order)).toBe(866.25);
  const kansasCity = content.states
    .get('MO')
    ?.localRates.filter(({ code, from }) => code === '38000' && from === '2026-07-01');
  expect(kansasCity?.map(({ rate, level }) => [level, rate])).toEqual([['city', 300_000]]);
});

test('New Mexico has the whole local part of cities, and of the land outside of them', async () => {
  const { taxAt } = await contentOf(['NM'], newMexico());
  expect(taxAt(['NM', '87102', 'Albuquerque'], '2026-07-01')).toBe(7.63);
  expect(taxAt(['NM', '87102', 'Unincorporated'], '2026-07-01')).toBe(6.13);
});

test('Colorado gives each place its county, its city and the districts usual there', async () => {
  const { taxAt } = await contentOf(['CO'], await book());
  expect(taxAt(['CO', '80012', 'Aurora'], '2026-07-01')).toBe(8);
  expect(taxAt(['CO', '80202', 'Denver'], '2026-07-01')).toBe(9.15);
  expect(taxAt(['CO', '81212', 'Canon City'], '2026-07-01')).toBe(8.9);
  expect(taxAt(['CO', '81212', 'Unincorporated'], '2026-07-01')).toBe(3.9);
});

test.for([
  ['AZ', arizona(without(ARIZONA, 'YUMA')), '14 of 15 counties'],
  ['AZ', arizona([...ARIZONA, 'PX,PHOENIX,017,Retail,2.9,Percent']), 'PHOENIX stands there twice'],
  ['AZ', fileWith('rates.csv', ARIZONA), 'does not say for which days'],
  ['AZ', arizona([...ARIZONA, 'QX,X,017,Retail,x,Percent']), 'x is not a rate in percent'],
  [
    'AL',
    alabama(ALABAMA.map((line) => line.replace(/,(\d)\.(\d)000/, ',0.0$1'))),
    'fractions instead of percent',
  ],
  ['AL', alabama(without(ALABAMA, '7037')), 'of 67 counties'],
  ['AL', alabama([...ALABAMA, alabamaLine('9999', 'X', '2020-01', '1')]), 'is not a day'],
  ['MO', chart([...MISSOURI, ['', 'X', '15670-019-000', '8.6625', '']]), '8.6625 is not a rate: it is'],
  ['MO', chart([...MISSOURI, ['', 'X', '15670-019-000', 0.04, '']]), 'lower than that of the state'],
  ['MO', chart(MISSOURI.slice(0, 20)), 'of 114 counties'],
  ['NM', newMexico(NEW_MEXICO.toSpliced(3, 2)), 'of 32 counties'],
  ['NM', newMexico([...NEW_MEXICO, '0,Albuquerque,Bernalillo,02-100,,,7.5,,,1,0,1']), '02-100 has two rates'],
  ['CO', book([...COLORADO, coloradoLine('X', 'DENVER', [['City', 3]], 8)]), 'do not add up'],
  ['CO', book(COLORADO.filter((row) => row[2] !== 'YUMA')), '64 counties'],
] as const)('a file of %s is refused where %3$s', async ([state, file, problem]) => {
  const attempt = contentOf([state], await file);
  await expect(attempt).rejects.toThrow(ContentRefusedError);
  await expect(attempt).rejects.toThrow(problem);
});

const texas = fileWith('taxrates.txt', [
  '1\t20262\t2nd Quarter 2026\tSALES\t.0625\t0\t1\tx',
  'El Paso\t2071011\t.01\tEl Paso Co\t4071000\t.005\tEl Paso CTD\t3071001\t.005\tn/a\tn/a\tn/a',
]);
const illinois = (lines: string[][], length: number) =>
  fileWith(
    'current.txt',
    lines.map(([place = '', county = '', rest = '']) =>
      `0160010001${place.padEnd(25)}${county.padEnd(25)}${rest}`.padEnd(length),
    ),
  );
const general = [
  ['CHICAGO', 'COOK', 'N2026070110250017501025001750N'],
  ['SPRINGFIELD', 'SANGAMON', 'N2026070110000017501000001750N'],
];
const merchandise = illinois(general, 211);
const washington = fileWith('Rates_26Q2.csv', [
  'NAME,CODE,STATE,LOCAL,RTA,RATE,EFFECTIVE DATE,EXPIRATION DATE',
  'YAKIMA,3913,.065,.0200,.0000,.0850,20260401,20260630',
]);
const california = fileWith('SalesTaxRates1-1-26.csv', [
  'Location,Rate,County,Type',
  ...counties('CA').map(([name]) => `${name} County,0.0725,${name},County`),
  'San Jose,0.09375,Santa Clara,City',
]);
const kingman = arizona([...ARIZONA, 'KM,KINGMAN,017,Retail,2.5,Percent'], '07012026');
const grocery = [['CHICAGO', 'COOK', '202601010100001000N']];

/** A file, the last day for which it is taken, a place, and its tax in July and November. */
test.for([
  ['AL', alabama(), '', 'Dothan 36301', 9, 9],
  ['AZ', kingman, '2026-07-31', 'Phoenix 85004', 9.1, 9.1],
  ['AZ', kingman, '2026-07-31', 'Kingman 86401', 8.8, 8.6],
  ['CA', california, '2026-03-31', 'San Jose 95112', 10, 10],
  ['CO', book(COLORADO, 'Colorado_Jan-June2026.xlsx'), '', 'Denver 80202', 9.15, 9.15],
  ['IL', merchandise, '2026-07-31', 'Chicago 60601', 10.25, 10.5],
  ['IL', merchandise, '2026-07-31', 'Springfield 62701', 10, 10],
  ['IL food', illinois(grocery, 106), '', 'Chicago 60601', 1, 1],
  ['MO', chart(MISSOURI, 'apr2026.xlsx'), '', 'Kansas City 64106', 8.98, 8.98],
  ['NM', newMexico(NEW_MEXICO, 'Jan_June_2026'), '', 'Albuquerque 87102', 7.63, 7.63],
  ['TX', texas, '', 'El Paso 79901', 8.25, 8.25],
  ['WA', washington, '2026-06-30', 'Yakima 98901', 8.6, 8.6],
] as const)('a file of %s replaces secondary rates, and ends before a newer rate', async (each) => {
  const [of, file, until, place, ...totals] = each;
  const [state = '', kind = 'general'] = of.split(' ');
  const { taxAt, content, warnings } = await contentOf([state], await file);
  expect(warnings.join().includes(`taken for the days up to ${until}`)).toBe(until !== '');
  const open = content.states.get(state)?.localRates.filter(({ tax, to }) => tax === kind && to > ON) ?? [];
  expect(open.every(isOfficial)).toBe(until === '');
  const address = [state, place.slice(-5), place.slice(0, -6)];
  const items = [{ unit_price: 100, ...(kind === 'food' && { product_tax_code: '40030' }) }];
  const at = (on: string) => taxAt(address, on, { line_items: items });
  expect([at('2026-07-31'), at(ON)]).toEqual(totals);
});
