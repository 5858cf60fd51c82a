import { expect, test } from 'vitest';
import { type LocationRate, RateQuery } from '../../src/contract/tax-service.ts';
import { locationRate } from '../../src/engine/rates.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { RATE_ONE } from '../../src/kernel/money.ts';
import { defaultContent } from '../engine/content-with.ts';
import { orderTo, taxOf } from '../engine/tax-of.ts';

const DAY = '2026-10-31';

const looked = (zip: string, query: object): LocationRate =>
  locationRate(defaultContent, zip, RateQuery.parse(query), calendarDate(DAY));

const rateOf = (rates: LocationRate): number => rates.combined_rate / RATE_ONE;

const EVERY = 53;
/** A calculation gives its rates to five places. */
const HALF_OF_LAST = 5.001e-6;

test('a look-up of rates and a calculation say the same of a place for plain goods and freight at every fifty-third ZIP', () => {
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
