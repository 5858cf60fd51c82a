import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fractionOf, percentOf, taxLineNameOf } from '../../src/sales/tax-lines.ts';

const NAMES: readonly (readonly [name: string, kind: string | null, place: string, rate: number | null])[] = [
  // Shopify, since 2017
  ['CA State Tax', 'state', 'CA', null],
  ['Los Angeles County Tax', 'county', 'Los Angeles', null],
  ['Algonquin Municipal Tax', 'city', 'Algonquin', null],
  // Shopify, later
  ['New York State Tax 4%', 'state', 'New York', 400_000],
  ['New York City City Tax 4.5%', 'city', 'New York City', 450_000],
  [
    'Metropolitan Commuter Transportation District 0.375%',
    'special',
    'Metropolitan Commuter Transportation District',
    37_500,
  ],
  // Shopify Tax, older pages
  ['CA STATE TAX', 'state', 'CA', null],
  ['LOS ANGELES COUNTY DISTRICT TAX SP 2.25%', 'special', 'LOS ANGELES COUNTY', 225_000],
  ['LOS ANGELES CO LOCAL TAX SL 1.0%', 'special', 'LOS ANGELES CO', 100_000],
  // Shopify Tax, 2026
  ['California State Tax 6%', 'state', 'California', 600_000],
  // titles without a level
  ['Virginia Retail Sales and Use Tax', null, 'Virginia', null],
  ["Retailers'/Service Occupation and Use/Service Use Tax", 'state', '', null],
  ['COOK Local Sales and Use Tax', null, 'COOK', null],
  ['Regional Transport. Authority (Rta)', 'special', 'Regional Transport. Authority (Rta)', null],
  ['TSPLOST', 'special', 'TSPLOST', null],
  ['Auburn/King Special Tax Dist', 'special', 'Auburn/King Special Tax Dist', null],
  ['District of Columbia Tax 6%', null, 'District of Columbia', 600_000],
  // other words for a level
  ['Colorado Springs City Tax 3.07%', 'city', 'Colorado Springs', 307_000],
  ['St. Louis County Tax', 'county', 'St. Louis', null],
  ['City of St. Louis Sales Tax', 'city', 'St. Louis', null],
  ['City and County of Denver', 'city', 'Denver', null],
  ['East Baton Rouge Parish Tax', 'county', 'East Baton Rouge', null],
  ['Parish of Orleans Sales Tax', 'county', 'Orleans', null],
  ['Kansas City Tax', 'city', 'Kansas', null],
  ['State of Washington Sales Tax', 'state', 'Washington', null],
  ["Chicago Home Rule Municipal Retailers' Occupation Tax", 'city', 'Chicago', null],
  ['Wake County Transit Tax', 'special', 'Wake County Transit', null],
  [
    'Scientific and Cultural Facilities District 0.1%',
    'special',
    'Scientific and Cultural Facilities District',
    10_000,
  ],
  ['Santa Fe County Local Option Gross Receipts Tax', 'county', 'Santa Fe', null],
  ['Yonkers City', 'city', 'Yonkers', null],
  // WooCommerce
  ['US-CA-TAX-1', null, 'CA', null],
  ['US-STANDARD-1', null, 'STANDARD', null],
  ['US-WA-WA TAX-1', null, 'WA', null],
  ['US-CA-CITY TAX-1', 'city', '', null],
  ['US-CA-SPECIAL TAX-3', 'special', '', null],
  ['US-CA-STATE SALES TAX-4', 'state', 'CA', null],
  ['US-FL-MIAMI-DADE HOMESTEAD : CITY TAX-1', 'city', 'MIAMI-DADE HOMESTEAD', null],
  ['US-FL-MIAMI-DADE HOMESTEAD : STATE SALES TAX-4', 'state', 'FL', null],
  ['GB-VAT-1', 'country', '', null],
  // other countries
  ['FR TVA 20%', 'country', 'FR', 2_000_000],
  ['CGST 9%', 'country', '', 900_000],
  ['GST', 'country', '', null],
  ['PST', null, 'PST', null],
  ['Umsatzsteuer 19 %', null, 'Umsatzsteuer', 1_900_000],
  ['Salgsskatt', null, 'Salgsskatt', null],
  // percentages in other forms
  ['Texas State Tax 7,25 %', 'state', 'Texas', 725_000],
  ['Texas State Tax 0.0625', 'state', 'Texas', 625_000],
  ['Texas State Tax (6.25%)', 'state', 'Texas', 625_000],
  ['6.25% Texas State Tax', 'state', 'Texas', 625_000],
  ['Texas State Tax 6.25 percent', 'state', 'Texas', 625_000],
  ['Texas State Tax', 'state', 'Texas', null],
  ['Texas State Tax 250%', null, 'Texas State Tax 250%', null],
  ['Texas State Tax 5% + 2%', null, 'Texas State Tax 5% + 2%', null],
  // set by hand
  ['Tax', null, '', null],
  ['Sales Tax 8.25%', null, '', 825_000],
  ['State Tax', 'state', '', null],
  ['#REF!', null, '#REF!', null],
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

  test('stays as it is without its rate, and as a whole where the rate is none', () => {
    expect(taxLineNameOf('Colorado Springs  City Tax 3.07%').name).toBe('Colorado Springs City Tax');
    expect(taxLineNameOf('State Tax 250%').name).toBe('State Tax 250%');
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
