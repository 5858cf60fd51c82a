import { describe, expect, test } from 'vitest';
import type { Seller } from '../../src/engine/order.ts';
import { orderTo, taxOf } from './tax-of.ts';

const toIndiana = (changes: object) =>
  orderTo('IN', '46204', 'Indianapolis', { nexus_addresses: undefined, ...changes });

test('nexus is where the request, the account or the origin has it the address on file stands in for an absent address of origin', () => {
  const absent = { from_country: undefined, from_state: undefined, from_zip: undefined };
  const seller: Seller = { address: { country: 'US', state: 'IN', zip: '46802' }, nexus: [] };
  expect(taxOf(toIndiana(absent), { seller }).has_nexus).toBe(true);
  expect(taxOf(toIndiana({ ...absent, from_country: 'US' }), { seller }).has_nexus).toBe(true);
  expect(taxOf(toIndiana({ ...absent, from_country: 'DE' }), { seller }).has_nexus).toBe(false);
  expect(taxOf(toIndiana(absent)).has_nexus).toBe(false);
});

describe('nexus outside the United States', () => {
  const abroad = (country: string, state: string, nexus: object[]) =>
    taxOf(
      orderTo('IN', '46204', '', {
        to_country: country,
        to_state: state,
        to_zip: 'X',
        nexus_addresses: nexus,
      }),
    );

  test.for([
    ['CA', 'ON', [{ country: 'CA', state: 'BC' }], 13, 'one province is enough for the tax of another'],
    ['CA', 'QC', [{ country: 'CA', state: 'BC' }], 5, 'without nexus in Quebec only the federal tax is due'],
    ['CA', 'QC', [{ country: 'CA', state: 'QC' }], 14.98, 'with nexus in Quebec its own tax is due too'],
    ['FR', '', [{ country: 'FR' }], 20, 'a European entry needs no state'],
    ['GB', '', [{ country: 'GB' }], 20, 'nor does a British one'],
    ['AU', '', [{ country: 'AU' }], 10, 'nor an Australian one'],
    ['FR', '', [{ country: 'DE' }], 0, 'nexus in another country is none'],
    ['JP', '', [{ country: 'JP' }], 0, 'a country without content is not calculated'],
  ] as const)('%s %s with %j collects %d on 100: %s', ([country, state, nexus, tax]) => {
    expect(abroad(country, state, [...nexus]).amount_to_collect).toBe(tax);
  });

  test('inside one VAT area a seller without nexus at the destination is taxed by its own country', () => {
    const body = orderTo('', 'EC1A 1BB', 'London', {
      from_country: 'PL',
      from_state: undefined,
      from_zip: '00-001',
      from_city: 'Warszawa',
      to_country: 'GB',
      nexus_addresses: undefined,
    });
    expect(taxOf(body)).toMatchObject({
      amount_to_collect: 23,
      tax_source: 'origin',
      jurisdictions: { country: 'PL', city: 'WARSZAWA' },
    });
  });
});
