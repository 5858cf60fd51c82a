import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { generalZipOf, usRegionCode, usRegionsOfZip } from '../../src/kernel/us-regions.ts';
import { rowsOf } from '../support/rows.ts';

describe('a region of the United States', () => {
  test.for([
    ['CA', 'CA', 'by its code'],
    ['US-NY', 'NY', 'as ISO 3166-2 has it'],
    [' Illinois ', 'IL', 'by its name, with blanks around it'],
    ['District of Columbia', 'DC', 'which is not a state'],
    ['Puerto Rico', 'PR', 'nor is this'],
  ] as const)('"%s" is %s: %s', ([text, code]) => {
    expect(usRegionCode(text)).toBe(code);
  });

  test('is none by another word', () => {
    for (const text of ['Ontario', 'XX', '', 'US', 'Cal', 'constructor'])
      expect(usRegionCode(text)).toBeUndefined();
  });
});

describe('the regions of a ZIP code', () => {
  test.for(
    rowsOf(`
      90404 | CA | most prefixes lie in one state
      02139-4301 | MA | ZIP+4 is a ZIP
      00501 | NY | Holtsville has the lowest number
      06390 | CT NY | Fishers Island has a prefix of Connecticut
      20189 | VA WV | a prefix can serve several states
      09012 | AE | military mail in Europe
      96799 | AS HI | American Samoa shares a prefix with Hawaii
      00000 |  | no prefix of any state
    `),
  )('“%s” can lie in “%s”: %s', ([zip, regions]) => {
    expect(usRegionsOfZip(zip).join(' ')).toBe(regions);
  });
});

test('the ZIP of a state as a whole lies in the state, and no place has it', () => {
  const table = new URL('../../src/content/data/zips.tsv', import.meta.url);
  const used = new Set(
    readFileSync(table, 'utf8')
      .split('\n')
      .map((line) => line.slice(0, 5)),
  );
  expect(used.has('02108')).toBe(true);
  for (const code of ['AE', 'CA', 'DC', 'MA', 'NV', 'NY', 'PR', 'TX', 'WA', 'WY']) {
    const zip = generalZipOf(code) ?? '';
    expect(usRegionsOfZip(zip)).toContain(code);
    expect(used.has(zip)).toBe(false);
  }
  expect(generalZipOf('XX')).toBeUndefined();
});
