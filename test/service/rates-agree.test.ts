import { describe, expect, test } from 'vitest';
import type { LocationRate, RateQueryInput } from '../../src/contract/location-rate.ts';
import { RateQuery } from '../../src/contract/location-rate.ts';
import { locationRate } from '../../src/engine/rates.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { RATE_ONE } from '../../src/kernel/money.ts';
import { defaultContent } from '../engine/content-with.ts';
import { orderTo, taxOf } from '../engine/tax-of.ts';
import { rowsOf } from '../support/rows.ts';

const DAY = '2026-10-31';

const looked = (zip: string, query: RateQueryInput): LocationRate =>
  locationRate(defaultContent, zip, RateQuery.parse(query), calendarDate(DAY));

const rateOf = (rates: LocationRate): number =>
  ('standard_rate' in rates ? rates.standard_rate : rates.combined_rate) / RATE_ONE;

const EVERY = 53;
/** A calculation gives its rates to five places. */
const HALF_OF_LAST = 5.001e-6;

describe('a look-up of rates and a calculation say the same of a place', () => {
  test('for plain goods and freight at every fifty-third ZIP', () => {
    const differing: string[] = [];
    let index = 0;
    for (const [zip, { counties }] of defaultContent.zips) {
      index += 1;
      const state = defaultContent.countyStates.get(counties[0] ?? '');
      if (index % EVERY > 0 || state === undefined) continue;
      const rates = looked(zip, { state });
      const result = taxOf(orderTo(state, zip, '', { shipping: 10 }), { on: DAY });
      const { combined_tax_rate: taxed } = result.breakdown as { readonly combined_tax_rate: number };
      const isFreightSame = taxed === 0 || result.freight_taxable === rates.freight_taxable;
      if (Math.abs(rateOf(rates) - taxed) > HALF_OF_LAST || !isFreightSame) differing.push(`${state} ${zip}`);
    }
    expect(index).toBeGreaterThan(30_000);
    expect(differing).toEqual([]);
  });

  test.for(
    rowsOf(`
    CA | ON | M5V 2T6
    CA | QC | H2X 1Y4
    GB |  | EC1A 1BB
    PT |  | 9500-001
    FR |  | 97110
    DE |  | 78266
    AU |  | 2000
  `),
  )('in %s %s %s', ([country, state, zip]) => {
    const order = {
      to_country: country,
      to_state: state,
      nexus_addresses: [{ country, state }],
      shipping: 10,
    };
    const result = taxOf(orderTo('', zip, '', order), { on: DAY });
    const rates = looked(zip, { country, state });
    expect(rateOf(rates)).toBeCloseTo(Number(result.rate), 9);
    expect(rates.freight_taxable).toBe(result.freight_taxable);
  });
});
