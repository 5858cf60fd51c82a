import { describe, expect, test } from 'vitest';
import { loadContent } from '../../src/content/load-content.ts';
import { contentOf, fileWith, importInto, newFolder, smallContent } from './content-folder.ts';

const HEADER = 'state,level,code,name,rate,from,to,source,confidence,counties,places,scope,tax,seen';
const own = (...lines: readonly string[]): string => fileWith('own.csv', [HEADER, ...lines]);
const ST_PAUL = ['MN', '55102', 'St. Paul'];
const OLATHE = ['KS', '66061', 'Olathe'];
const OVERLAND_PARK = ['KS', '66204', 'Overland Park'];

describe('a neutral row replaces the days that it has, and no others', () => {
  const past = 'MN,city,58000,St. Paul,0.004,2006-01-01,2023-12-31,fact sheet,official-cited,123,St. Paul,,,';

  test('rates before and after it stay', async () => {
    const before = await contentOf(['MN']);
    const { taxAt } = await contentOf(['MN'], own(past));
    for (const day of ['2005-12-31', '2024-01-01', '2024-04-01', '2026-10-01'])
      expect(taxAt(ST_PAUL, day), day).toBe(before.taxAt(ST_PAUL, day));
    expect([before.taxAt(ST_PAUL, '2023-12-31'), taxAt(ST_PAUL, '2023-12-31')]).toEqual([8.88, 8.78]);
  });

  test('the rate of before holds again after its last day, of a state too', async () => {
    const { taxAt } = await contentOf(
      ['MN'],
      own(
        'MN,city,58000,St. Paul,0.02,2025-01-01,2025-12-31,x,official-cited,123,St. Paul,,,',
        'MN,state,,Minnesota,0.05,2025-01-01,2025-12-31,x,official-cited,,,,,',
      ),
    );
    expect([taxAt(ST_PAUL, '2024-12-31'), taxAt(ST_PAUL, '2026-01-01')]).toEqual([9.88, 9.88]);
    expect(taxAt(ST_PAUL, '2025-06-30')).toBe(8.5);
  });
});

describe('a neutral row replaces the places that it has, and no others', () => {
  const district = (places: string, from: string, rate = '0.01') =>
    own(`KS,special,shop-d,Blue Valley District,${rate},${from},,x,shop,091,${places},place,,`);

  test('rows of two months stand side by side', async () => {
    const { taxAt } = await contentOf(
      ['KS'],
      district('Olathe', '2026-09-01'),
      district('Overland Park', '2026-10-01'),
    );
    const bare = await contentOf(['KS']);
    for (const [place, day] of [
      [OLATHE, '2026-09-30'],
      [OLATHE, '2026-10-05'],
      [OVERLAND_PARK, '2026-10-05'],
    ] as const)
      expect(taxAt(place, day) - bare.taxAt(place, day), `${place} ${day}`).toBeCloseTo(1, 6);
    expect(taxAt(OVERLAND_PARK, '2026-09-30')).toBe(bare.taxAt(OVERLAND_PARK, '2026-09-30'));
  });
});

describe('a neutral row is refused', () => {
  test.for([
    [
      'KS,city,52575,City of Olathe,0.015,2026-10-01,,x,secondary,091,Olathe,,,',
      'has city 52575 there as Olathe',
    ],
    [
      'KS,city,53775,Overland Park,0.02,,,a list,secondary,091,Overland Park,,,',
      'the content has the official rate 0.01125 of ks-overland-park',
    ],
    [
      'KS,city,53775,Overland Park,0.004,2006-01-01,,x,official,091,Overland Park,,,',
      'the row has no end, and the content has a rate from 20',
    ],
    [
      'KS,county,091,Johnson County,0.03,2026-10-01,,x,official,091,Olathe,,,',
      'the content has this tax in another area, county 091',
    ],
    [
      'KS,city,52575,Olathe,0.01,2026-10-01,,x,secondary,091,Olathe,,meals,',
      'meals is not a tax: it is general, food',
    ],
    [
      'KS,city,1,Nowhere,0.01,2026-10-01,,x,secondary,091,Nowhereville,,,',
      'Nowhereville is not a place of KS',
    ],
    [
      'KS,city,52575,Olathe,0.01,2026-10-01,,x,secondary,173,Olathe,,,',
      'Olathe is not in the counties of the row, 173',
    ],
    ['KS,city,52575,"Ola\tthe",0.01,2026-10-01,,x,secondary,091,Olathe,,,', 'the cell name has a tab'],
  ] as const)('%s: %s', async ([line, problem]) => {
    const folder = smallContent(newFolder(), ['KS']);
    await expect(importInto(folder, own(line))).rejects.toMatchObject({
      code: 'E_CONTENT_REFUSED',
      message: expect.stringContaining(problem),
    });
    expect(loadContent(folder).imports).toEqual([]);
  });
});

test('a place may be written as in an address, and other taxes may share the code of its district', async () => {
  const { taxAt } = await contentOf(
    ['MN', 'CA'],
    own(
      'MN,special,LOCAL,Roseville local,0.01,2026-10-01,,x,official-cited,123,City of Roseville,place,,',
      'CA,special,075,San Francisco County Transportation Authority,0.006,2026-10-01,,x,official-cited,075,,,,',
    ),
  );
  const bare = await contentOf(['MN', 'CA']);
  const added = (place: readonly string[]) =>
    Math.round(100 * (taxAt(place, '2026-10-01') - bare.taxAt(place, '2026-10-01'))) / 100;
  expect(added(['MN', '55113', 'Roseville'])).toBe(1);
  expect(added(['CA', '94103', 'San Francisco'])).toBe(0.1);
});

describe('a neutral row without a code', () => {
  const LINE = 'state,level,name,rate,from,counties,places,source,confidence';
  const line = (name: string, rate: string, from = '2026-10-01'): string =>
    fileWith('line.csv', [LINE, `KS,city,${name},${rate},${from},091,Olathe,a list,shop`]);

  test('adds to what the content has, and replaces an earlier row of its own name', async () => {
    const bare = await contentOf(['KS']);
    const added = await contentOf(['KS'], line('Olathe local tax', '0.01'));
    const replaced = await contentOf(
      ['KS'],
      line('Olathe local tax', '0.01'),
      line('Olathe local tax', '0.02', '2026-11-01'),
    );
    const beyond = ({ taxAt }: typeof bare, day: string) =>
      Math.round(100 * (taxAt(OLATHE, day) - bare.taxAt(OLATHE, day))) / 100;
    expect([beyond(added, '2026-09-30'), beyond(added, '2026-10-01')]).toEqual([0, 1]);
    expect([beyond(replaced, '2026-10-31'), beyond(replaced, '2026-11-01')]).toEqual([1, 2]);
  });

  test.for([
    ['no rate', line('Olathe local tax', ''), 'row 2: the row has no rate'],
    [
      'no source',
      fileWith('line.csv', [LINE, 'KS,city,Olathe local tax,0.01,2026-10-01,091,Olathe,,shop']),
      'row 2: the row names no source',
    ],
  ] as const)('is refused with %s', async ([, path, said]) => {
    await expect(importInto(smallContent(newFolder(), ['KS']), path)).rejects.toThrow(said);
  });
});
