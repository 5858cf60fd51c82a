import { describe, expect, test } from 'vitest';
import { addDays } from '../../src/kernel/calendar.ts';
import { rowsOf } from '../support/rows.ts';
import { defaultContent } from './content-with.ts';
import { orderTo, taxOf } from './tax-of.ts';

const AUSTIN = 'TX 78701 Austin';
const BIRMINGHAM = 'AL 35203 Birmingham';
const CHICAGO = 'IL 60601 Chicago';
const NEW_ORLEANS = 'LA 70112 New Orleans';
const ORLANDO = 'FL 32801 Orlando';

const sold = (place: string, on: string, code: string, price: number, shipping = 0) => {
  const [state = '', zip = '', ...city] = place.split(' ');
  return taxOf(
    orderTo(state, zip, city.join(' '), {
      shipping,
      explain: true,
      line_items: [{ id: '1', unit_price: price, product_tax_code: code }],
    }),
    { on },
  );
};
const flagsOf = (result: ReturnType<typeof taxOf>) => (result.explanation?.flags ?? []).join(' ');

describe('rates of states and cities on the day before and the day of a change', () => {
  test.for(
    rowsOf(`
      LA 70112 New Orleans | 2024-12-31 | 9.45
      LA 70112 New Orleans | 2025-01-01 | 10
      UT 84101 Salt Lake City | 2024-12-31 | 7.75
      UT 84101 Salt Lake City | 2025-06-30 | 8.25
      UT 84101 Salt Lake City | 2025-07-01 | 8.45
    `),
  )('%s on %s: %s on 100', ([place, on, tax]) => {
    expect(sold(place, on, '', 100).amount_to_collect).toBe(Number(tax));
  });

  test('a rate without a known start is flagged before the day on which it was first seen', () => {
    const flag = 'Orange County was seen on 2026-01-01';
    expect(flagsOf(sold(ORLANDO, '2025-12-31', '', 100))).toContain(flag);
    expect(flagsOf(sold(ORLANDO, '2026-01-01', '', 100))).not.toContain(flag);
  });

  test('a rate from a page without a day was seen when the content was put together', () => {
    const flag = 'since when it holds is not known';
    const RALEIGH = 'NC 27601 Raleigh';
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
  test.for(
    rowsOf(`
      MI 48226 Detroit | 2023-04-25 | true
      MI 48226 Detroit | 2023-04-26 | false
    `),
  )('%s on %s: taxed %s', ([place, on, isTaxed]) => {
    expect(sold(place, on, '', 100, 10).freight_taxable).toBe(isTaxed === 'true');
  });

  test('where sources disagree on freight an order with freight is flagged, and no other', () => {
    const flag = 'How LA taxes freight is told differently by its sources';
    expect(flagsOf(sold(NEW_ORLEANS, '2024-12-31', '', 100, 10))).toContain(flag);
    expect(flagsOf(sold(NEW_ORLEANS, '2024-12-31', '', 100))).not.toContain(flag);
    expect(flagsOf(sold(NEW_ORLEANS, '2025-01-01', '', 100, 10))).not.toContain(flag);
  });
});

describe('categories on the day before and the day of a change', () => {
  test.for(
    rowsOf(`
      VA 23219 Richmond | 2022-12-31 | 40030 | 2.5 | one and a half of the state, one of the place
      VA 23219 Richmond | 2023-01-01 | 40030 | 1 | one of the place
      TN 37402 Chattanooga | 2022-08-01 | 40030 | 0 | in it
      TN 37402 Chattanooga | 2023-11-01 | 40030 | 6.25 | after it
      MD 21201 Baltimore | 2021-03-13 | 31000 | 0 | digital goods untaxed
      MD 21201 Baltimore | 2021-03-14 | 31000 | 6 | taxed
      NY 10001 New York | 2026-10-31 | 19008 | 4.5 | the city alone taxes hairdressing
    `),
  )('%s on %s, %s: %s on 100, %s', ([place, on, code, tax]) => {
    expect(sold(place, on, code, 100).amount_to_collect).toBe(Number(tax));
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
  test.for(
    rowsOf(`
      TX 78701 Austin | 2025-08-07 | 20010 | 99.99 | false | the day before
      TX 78701 Austin | 2025-08-09 | 20010 | 99.99 | true | below the limit
      TX 78701 Austin | 2025-08-09 | 20010 | 100 | false | at the limit: "less than"
      TX 78701 Austin | 2025-08-11 | 20010 | 99.99 | false | the day after
      FL 32801 Orlando | 2025-08-31 | 20010 | 100 | true | all of August, at the limit: "or less"
      OH 43215 Columbus | 2024-08-09 |  | 500 | false | the day after
      WV 25301 Charleston | 2026-07-31 | 20010 | 125 | true | the first Sunday of August 2026 is the 2nd
      MA 02110 Boston | 2026-08-08 |  | 2500 | true | all goods, at the limit
      MA 02110 Boston | 2026-08-08 |  | 2500.01 | false | above it
      MA 02110 Boston | 2026-08-08 | 41000 | 20 | false | but no meals
      SC 29445 Goose Creek | 2026-08-08 | 20010 | 5000 | true | no limit
    `),
  )('%s on %s, %s at %s: exempt %s, %s', ([place, on, code, price, isExempt]) => {
    expect(sold(place, on, code, Number(price)).amount_to_collect === 0).toBe(isExempt === 'true');
  });

  test.for(
    rowsOf(`
      AL 35203 Birmingham | 2026-07-18 | 20010 | 156 | 9.36 | the limit of 2026
      AL 35203 Birmingham | 2026-07-18 | 20010 | 156.01 | 15.6 | above it
    `),
  )('%s on %s, %s at %s: %s, %s; localities decide', ([place, on, code, price, tax]) => {
    const result = sold(place, on, code, Number(price));
    expect(result.amount_to_collect).toBe(Number(tax));
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
    expect(flags).toContain('energy star air conditioners');
    expect(flagsOf(sold(AUSTIN, '2025-05-25', '20010', 1000))).not.toContain('energy star');
    expect(flagsOf(sold(AUSTIN, '2025-05-27', '', 1000))).not.toContain('energy star');
  });

  test('a category of which only a part is exempt is taxed, and flagged', () => {
    const result = sold(ORLANDO, '2022-06-01', '81100', 10);
    expect(result.amount_to_collect).toBe(0.65);
    expect(flagsOf(result)).toContain('Only a part of a category is exempt');
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

  test.for(
    rowsOf(`
    PT |  | 9500-001 | 40030 | 2022-01-01 | 4
    DE |  | 78266 | 40030 | 2026-01-01 | 0
    SE |  | 11120 | 40030 | 2026-03-31 | 12
    SE |  | 11120 | 40030 | 2026-04-01 | 6
    CA | ON | M5V 2T6 | 41000 | 2024-12-14 | 0
    CA | ON | M5V 2T6 | 41000 | 2025-02-16 | 13
    CA | QC | H2X 1Y4 | 40010 | 2025-01-01 | 9.98
  `),
  )('%s %s %s, %s on %s: %d on 100', ([country, state, zip, code, on, tax]) => {
    expect(abroad(country, state, zip, code, on).amount_to_collect).toBe(Number(tax));
  });

  test.for([
    ['ES', '', '28001', '40030', 'is known in part'],
    ['PT', '', '9000-001', '40030', 'The rate of Madeira (PT) for category 40030 is not known'],
    ['CA', 'QC', 'H2X 1Y4', '40010', 'Whether the tax of the province itself applies'],
  ] as const)('%s %s %s, %s is flagged: %s', ([country, state, zip, code, flag]) => {
    expect(flagsOf(abroad(country, state, zip, code, '2025-01-01'))).toContain(flag);
  });
});
