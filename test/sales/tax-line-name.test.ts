import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fractionOf, percentOf, taxLineNameOf } from '../../src/sales/tax-lines.ts';

const NAMES: readonly (readonly [name: string, kind: string | null, place: string, rate: number | null])[] = [
  // Shopify, since 2017
  ['CA State Tax', 'state', 'CA', null],
  ['Algonquin Municipal Tax', 'city', 'Algonquin', null],
  // Shopify, later
  ['New York City City Tax 4.5%', 'city', 'New York City', 450_000],
  [
    'Metropolitan Commuter Transportation District 0.375%',
    'special',
    'Metropolitan Commuter Transportation District',
    37_500,
  ],
  // Shopify Tax, older pages
  ['LOS ANGELES COUNTY DISTRICT TAX SP 2.25%', 'special', 'LOS ANGELES COUNTY', 225_000],
  ['LOS ANGELES CO LOCAL TAX SL 1.0%', 'special', 'LOS ANGELES CO', 100_000],
  // titles without a level
  ['Virginia Retail Sales and Use Tax', null, 'Virginia', null],
  ["Retailers'/Service Occupation and Use/Service Use Tax", 'state', '', null],
  ['Regional Transport. Authority (Rta)', 'special', 'Regional Transport. Authority (Rta)', null],
  ['TSPLOST', 'special', 'TSPLOST', null],
  ['District of Columbia Tax 6%', null, 'District of Columbia', 600_000],
  // other words for a level
  ['Colorado Springs City Tax 3.07%', 'city', 'Colorado Springs', 307_000],
  ['City of St. Louis Sales Tax', 'city', 'St. Louis', null],
  ['City and County of Denver', 'city', 'Denver', null],
  ['Parish of Orleans Sales Tax', 'county', 'Orleans', null],
  ['Kansas City Tax', 'city', 'Kansas', null],
  ["Chicago Home Rule Municipal Retailers' Occupation Tax", 'city', 'Chicago', null],
  ['Wake County Transit Tax', 'special', 'Wake County Transit', null],
  // WooCommerce
  ['US-CA-TAX-1', null, 'CA', null],
  ['US-WA-WA TAX-1', null, 'WA', null],
  ['US-CA-CITY TAX-1', 'city', '', null],
  ['US-CA-STATE SALES TAX-4', 'state', 'CA', null],
  ['US-FL-MIAMI-DADE HOMESTEAD : CITY TAX-1', 'city', 'MIAMI-DADE HOMESTEAD', null],
  ['US-FL-MIAMI-DADE HOMESTEAD : STATE SALES TAX-4', 'state', 'FL', null],
  ['GB-VAT-1', 'country', '', null],
  // other countries
  ['FR TVA 20%', 'country', 'FR', 2_000_000],
  ['GST', 'country', '', null],
  ['Umsatzsteuer 19 %', null, 'Umsatzsteuer', 1_900_000],
  // percentages in other forms
  ['Texas State Tax 7,25 %', 'state', 'Texas', 725_000],
  ['Texas State Tax 0.0625', 'state', 'Texas', 625_000],
  ['Texas State Tax (6.25%)', 'state', 'Texas', 625_000],
  ['Texas State Tax 6.25 percent', 'state', 'Texas', 625_000],
  ['Texas State Tax 250%', null, 'Texas State Tax 250%', null],
  ['Texas State Tax 5% + 2%', null, 'Texas State Tax 5% + 2%', null],
  // set by hand
  ['Tax', null, '', null],
  ['Sales Tax 8.25%', null, '', 825_000],
  ['', null, '', null],
];

describe('the name of a line of tax', () => {
  test.for(NAMES)('%j is of a %s called %j, at %s', ([name, kind, place, rate]) => {
    expect(taxLineNameOf(name)).toMatchObject({ kind, place, rate });
  });

  test.for([
    ['WASHINGTON', 'State', 'state', 'WASHINGTON'],
    ['KING COUNTY', 'County', 'county', 'KING'],
    ['LOS ANGELES CO LOCAL TAX SL', 'STJ', 'special', 'LOS ANGELES CO'],
    ['Denver', 'city', 'city', 'Denver'],
    ['Denver', 'galaxy', null, 'Denver'],
  ] as const)('%j beside the level %j is of a %s called %j', ([name, level, kind, place]) => {
    expect(taxLineNameOf(name, level)).toMatchObject({ kind, place });
  });

  test('is read whatever it is, and no rate is negative or more than everything', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (name, level) => {
        const told = taxLineNameOf(name, level);
        expect(told.rate === null || (told.rate >= 0 && told.rate <= 10_000_000)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('has the same rate as a percentage and as a fraction', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10_000_000 }), (rate) => {
        const digits = String(rate).padStart(8, '0');
        expect(fractionOf(`${digits.slice(0, 1)}.${digits.slice(1)}`)).toBe(rate);
        expect(percentOf(`${Number(digits.slice(0, 3))}.${digits.slice(3)}`)).toBe(rate);
        expect(percentOf(`${Number(digits.slice(0, 3))},${digits.slice(3)} %`)).toBe(rate);
      }),
    );
  });
});
