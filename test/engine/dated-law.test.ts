import { describe, expect, test } from 'vitest';
import { addDays } from '../../src/kernel/calendar.ts';
import { defaultContent } from './content-with.ts';
import { orderTo, taxOf } from './tax-of.ts';

type Place = readonly [state: string, zip: string, city: string];

const AUSTIN: Place = ['TX', '78701', 'Austin'];
const BALTIMORE: Place = ['MD', '21201', 'Baltimore'];
const BIRMINGHAM: Place = ['AL', '35203', 'Birmingham'];
const BOSTON: Place = ['MA', '02110', 'Boston'];
const CHARLESTON: Place = ['WV', '25301', 'Charleston'];
const CHATTANOOGA: Place = ['TN', '37402', 'Chattanooga'];
const CHICAGO: Place = ['IL', '60601', 'Chicago'];
const COLUMBUS: Place = ['OH', '43215', 'Columbus'];
const DETROIT: Place = ['MI', '48226', 'Detroit'];
const NEW_ORLEANS: Place = ['LA', '70112', 'New Orleans'];
const ORLANDO: Place = ['FL', '32801', 'Orlando'];
const RICHMOND: Place = ['VA', '23219', 'Richmond'];
const SALT_LAKE_CITY: Place = ['UT', '84101', 'Salt Lake City'];

const sold = ([state, zip, city]: Place, on: string, code: string, price: number, shipping = 0) =>
  taxOf(
    orderTo(state, zip, city, {
      shipping,
      explain: true,
      line_items: [{ id: '1', unit_price: price, product_tax_code: code }],
    }),
    { on },
  );
const flagsOf = (result: ReturnType<typeof taxOf>) => (result.explanation?.flags ?? []).join(' ');

describe('rates of states and cities on the day before and the day of a change', () => {
  test.for<[Place, string, number]>([
    [NEW_ORLEANS, '2024-12-31', 9.45],
    [NEW_ORLEANS, '2025-01-01', 10],
    [SALT_LAKE_CITY, '2024-12-31', 7.75],
    [SALT_LAKE_CITY, '2025-06-30', 8.25],
    [SALT_LAKE_CITY, '2025-07-01', 8.45],
  ])('%j on %s: %d on 100', ([place, on, tax]) => {
    expect(sold(place, on, '', 100).amount_to_collect).toBe(tax);
  });

  test('a rate without a known start is flagged before the day on which it was first seen', () => {
    const flag = 'Orange County was seen on 2026-01-01';
    expect(flagsOf(sold(ORLANDO, '2025-12-31', '', 100))).toContain(flag);
    expect(flagsOf(sold(ORLANDO, '2026-01-01', '', 100))).not.toContain(flag);
  });

  test('a rate from a page without a day was seen when the content was put together', () => {
    const flag = 'since when it holds is not known';
    const RALEIGH: Place = ['NC', '27601', 'Raleigh'];
    expect(flagsOf(sold(RALEIGH, addDays(defaultContent.date, -1), '', 100))).toContain(flag);
    expect(flagsOf(sold(RALEIGH, defaultContent.date, '', 100))).not.toContain(flag);
  });

  test('so is the rate of a state before the day since which it is known', () => {
    const flag = 'The rate of AL is known since 2022-01-01';
    expect(flagsOf(sold(BIRMINGHAM, '2021-12-31', '', 100))).toContain(flag);
    expect(flagsOf(sold(BIRMINGHAM, '2022-01-01', '', 100))).not.toContain(flag);
  });
});

describe('freight on the day before and the day of a change', () => {
  test.for<[Place, string, boolean]>([
    [DETROIT, '2023-04-25', true],
    [DETROIT, '2023-04-26', false],
  ])('%j on %s: taxed %s', ([place, on, isTaxed]) => {
    expect(sold(place, on, '', 100, 10).freight_taxable).toBe(isTaxed);
  });

  test('where sources disagree on freight an order with freight is flagged, and no other', () => {
    const flag = 'How LA taxes freight is only conflict';
    expect(flagsOf(sold(NEW_ORLEANS, '2024-12-31', '', 100, 10))).toContain(flag);
    expect(flagsOf(sold(NEW_ORLEANS, '2024-12-31', '', 100))).not.toContain(flag);
    expect(flagsOf(sold(NEW_ORLEANS, '2025-01-01', '', 100, 10))).not.toContain(flag);
  });
});

describe('categories on the day before and the day of a change', () => {
  test.for<[Place, string, string, number, string]>([
    [RICHMOND, '2022-12-31', '40030', 2.5, 'one and a half of the state, one of the place'],
    [RICHMOND, '2023-01-01', '40030', 1, 'one of the place'],
    [CHATTANOOGA, '2022-08-01', '40030', 0, 'in it'],
    [CHATTANOOGA, '2023-11-01', '40030', 6.25, 'after it'],
    [BALTIMORE, '2021-03-13', '31000', 0, 'digital goods untaxed'],
    [BALTIMORE, '2021-03-14', '31000', 6, 'taxed'],
    [['NY', '10001', 'New York'], '2026-10-31', '19008', 4.5, 'the city alone taxes hairdressing'],
  ])('%j on %s, %s: %d on 100, %s', ([place, on, code, tax]) => {
    expect(sold(place, on, code, 100).amount_to_collect).toBe(tax);
  });

  test.for([
    ['2022-06-30', 0.01],
    ['2022-07-01', 0],
    ['2023-06-30', 0],
    ['2023-07-01', 0.01],
  ] as const)('groceries in Illinois on %s: state rate %d', ([on, rate]) => {
    const { line_items: lines = [] } = sold(CHICAGO, on, '40030', 100).breakdown ?? {};
    expect(lines[0]).toMatchObject({ state_sales_tax_rate: rate });
  });
});

describe('sales tax holidays', () => {
  test.for<[Place, string, string, number, boolean, string]>([
    [AUSTIN, '2025-08-07', '20010', 99.99, false, 'the day before'],
    [AUSTIN, '2025-08-09', '20010', 99.99, true, 'below the limit'],
    [AUSTIN, '2025-08-09', '20010', 100, false, 'at the limit: "less than"'],
    [AUSTIN, '2025-08-11', '20010', 99.99, false, 'the day after'],
    [ORLANDO, '2025-08-31', '20010', 100, true, 'all of August, at the limit: "or less"'],
    [COLUMBUS, '2024-08-09', '', 500, false, 'the day after'],
    [CHARLESTON, '2026-07-31', '20010', 125, true, 'the first Sunday of August 2026 is the 2nd'],
    [BOSTON, '2026-08-08', '', 2500, true, 'all goods, at the limit'],
    [BOSTON, '2026-08-08', '', 2500.01, false, 'above it'],
    [BOSTON, '2026-08-08', '41000', 20, false, 'but no meals'],
    [['SC', '29445', 'Goose Creek'], '2026-08-08', '20010', 5000, true, 'no limit'],
  ])('%j on %s, %s at %d: exempt %s, %s', ([place, on, code, price, isExempt]) => {
    expect(sold(place, on, code, price).amount_to_collect === 0).toBe(isExempt);
  });

  test.for<[Place, string, string, number, number, string]>([
    [BIRMINGHAM, '2026-07-18', '20010', 156, 9.36, 'the limit of 2026'],
    [BIRMINGHAM, '2026-07-18', '20010', 156.01, 15.6, 'above it'],
  ])('%j on %s, %s at %d: %d, %s; localities decide', ([place, on, code, price, tax]) => {
    const result = sold(place, on, code, price);
    expect(result.amount_to_collect).toBe(tax);
    expect(flagsOf(result)).toContain('Localities of AL decide whether they join the holiday');
  });

  test('a holiday can lower the rate instead of exempting', () => {
    const { line_items: lines = [] } = sold(CHICAGO, '2022-08-05', '20010', 100).breakdown ?? {};
    expect(lines[0]).toMatchObject({ state_sales_tax_rate: 0.0125 });
    const after = sold(CHICAGO, '2022-08-15', '20010', 100).breakdown;
    expect(after).toMatchObject({ state_tax_rate: 0.0625 });
  });

  test('goods for which there is no category are taxed, and named', () => {
    const flags = flagsOf(sold(AUSTIN, '2025-05-25', '', 1000));
    expect(flags).toContain('energy star air conditioners up to 6000.00 an item');
    expect(flagsOf(sold(AUSTIN, '2025-05-25', '20010', 1000))).not.toContain('energy star');
    expect(flagsOf(sold(AUSTIN, '2025-05-27', '', 1000))).not.toContain('energy star');
  });

  test('a category of which only a part is exempt is taxed, and flagged', () => {
    const result = sold(ORLANDO, '2022-06-01', '81100', 10);
    expect(result.amount_to_collect).toBe(0.65);
    expect(flagsOf(result)).toContain('Only a part of this category is exempt');
  });
});

describe('categories abroad', () => {
  const abroad = (country: string, state: string, zip: string, code: string, on: string) =>
    taxOf(
      orderTo('', zip, '', {
        to_country: country,
        to_state: state,
        nexus_addresses: [{ country, state }],
        explain: true,
        line_items: [{ id: '1', unit_price: 100, product_tax_code: code }],
      }),
      { on },
    );

  test.for<[string, string, string, string, string, number]>([
    ['PT', '', '9500-001', '40030', '2022-01-01', 4],
    ['DE', '', '78266', '40030', '2026-01-01', 0],
    ['SE', '', '11120', '40030', '2026-03-31', 12],
    ['SE', '', '11120', '40030', '2026-04-01', 6],
    ['CA', 'ON', 'M5V 2T6', '41000', '2024-12-14', 0],
    ['CA', 'ON', 'M5V 2T6', '41000', '2025-02-16', 13],
    ['CA', 'QC', 'H2X 1Y4', '40010', '2025-01-01', 9.98],
  ])('%s %s %s, %s on %s: %d on 100', ([country, state, zip, code, on, tax]) => {
    expect(abroad(country, state, zip, code, on).amount_to_collect).toBe(tax);
  });

  test.for([
    ['ES', '', '28001', '40030', 'is only in-part'],
    ['PT', '', '9000-001', '40030', 'The rate of Madeira (PT) for category 40030 is not known'],
    ['CA', 'QC', 'H2X 1Y4', '40010', 'Whether the tax of the province itself applies'],
  ] as const)('%s %s %s, %s is flagged: %s', ([country, state, zip, code, flag]) => {
    expect(flagsOf(abroad(country, state, zip, code, '2025-01-01'))).toContain(flag);
  });
});
