import { beforeAll, describe, expect, it } from 'vitest';
import type { LocationRate } from '../../src/contract/tax-service.ts';
import { shortText } from '../../src/kernel/decimal.ts';
import { RATE_PLACES } from '../../src/kernel/money.ts';
import { rowsOf } from '../support/rows.ts';
import { refusalOf } from './samples.ts';
import type { ServiceProvider, SuiteService } from './wire-calls.ts';

/** Rates as people write them. */
const readable = (rate: LocationRate): object =>
  Object.fromEntries(
    Object.entries(rate).map(([name, value]) => [
      name,
      typeof value === 'number' ? shortText(value, RATE_PLACES, 1) : value,
    ]),
  );

export const rateCases = (newService: ServiceProvider): void => {
  let service: SuiteService;
  beforeAll(async () => {
    service = await newService();
  });

  it.each(
    rowsOf(`
    outside the Streamlined agreement | 90404 | {"city":"Santa Monica","state":"ca"} | {"zip":"90404","state":"CA","state_rate":"0.0625","county":"LOS ANGELES","county_rate":"0.01","city":"SANTA MONICA","city_rate":"0.0","combined_district_rate":"0.035","combined_rate":"0.1075","freight_taxable":false}
    a member, with the ZIP as it was asked for | 05495-2086 | {"street":"312 Hurricane Lane","city":"Williston","state":"VT","country":"US"} | {"zip":"05495-2086","country":"US","country_rate":"0.0","state":"VT","state_rate":"0.06","county":"CHITTENDEN","county_rate":"0.0","city":"WILLISTON","city_rate":"0.01","combined_district_rate":"0.0","combined_rate":"0.07","freight_taxable":true}
    a ZIP alone, in the place that it is named after | 90404 | {} | {"zip":"90404","state":"CA","state_rate":"0.0625","county":"LOS ANGELES","county_rate":"0.01","city":"SANTA MONICA","city_rate":"0.0","combined_district_rate":"0.035","combined_rate":"0.1075","freight_taxable":false}
  `),
  )('of %s', async (_, zip, query, expected) => {
    expect(readable(await service.showRates(zip, JSON.parse(query)))).toEqual(JSON.parse(expected));
  });

  it.each([{}, { state: 'NY', city: 'New York' }])(
    'find the place of a ZIP of one building: %j',
    async (query) => {
      const rate = await service.showRates('10118', query);
      expect(readable(rate)).toMatchObject({ city: 'NEW YORK', combined_rate: '0.08875' });
    },
  );

  describe('are refused', () => {
    it.each([
      ['00000', {}, 404, 'no rates are known for zip 00000: name its state and city'],
      ['99999', {}, 404, 'no rates are known for zip 99999: name its state and city'],
      ['10001', { state: 'CA' }, 400, 'zip 10001 is not used within state CA'],
      ['V5K0A1', {}, 406, "zip V5K0A1 isn't a valid postal code for US"],
      ['100-0001', { country: 'JP' }, 404, 'no rates are known for JP'],
      ['90404', { country: 'USA' }, 406, 'country must be a two-letter ISO code.'],
    ])('%s %j with %i: %s', async (zip, query, status, detail) => {
      expect(await refusalOf(service.showRates(zip, query))).toEqual({ status, detail });
    });
  });
};
