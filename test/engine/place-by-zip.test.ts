import { expect, test } from 'vitest';
import { orderTo, taxOf } from './tax-of.ts';

const at = (state: string, zip: string, city: string | undefined, day: string) => {
  const { to_city, ...order } = orderTo(state, zip, city, { calculation_date: day, explain: true });
  const { amount_to_collect, jurisdictions, explanation } = taxOf(
    city === undefined ? order : { ...order, to_city },
  );
  const flags = explanation?.flags.filter((flag) => !/are known until|not complete/.test(flag));
  return { tax: amount_to_collect, city: jurisdictions?.city, county: jurisdictions?.county, flags };
};

test.for([
  ['CA', '90401', '2026-03-01', 10.75, 'SANTA MONICA'],
  ['IL', '60601', '2026-07-31', 10.25, 'CHICAGO'],
  ['IL', '60601', '2026-08-01', 10.5, 'CHICAGO'],
  ['WA', '98101', '2026-05-01', 10.55, 'SEATTLE'],
  ['TX', '77002', '2026-06-01', 8.25, 'HOUSTON'],
  ['CO', '80202', '2025-05-01', 9.15, 'DENVER'],
] as const)(
  'without a city, %s %s on %s has the tax of its place: %d, %s',
  ([state, zip, day, tax, city]) => {
    for (const given of [undefined, '', '  ']) {
      const found = at(state, zip, given, day);
      expect(found).toMatchObject({ tax, city });
      expect(found.flags).toEqual([expect.stringContaining('No city was given')]);
    }
  },
);

test.for([
  [
    'Santa Monca',
    10.75,
    'SANTA MONICA',
    [
      'Santa Monca is not known as a place of ZIP 90401 in CA: Santa Monica, the place of ZIP 90401, was applied.',
    ],
  ],
  ['santa-monica', 10.75, 'SANTA-MONICA', []],
  [
    'Los Angeles',
    10.75,
    'SANTA MONICA',
    [
      'Los Angeles is not known as a place of ZIP 90401 in CA: Santa Monica, the place of ZIP 90401, was applied.',
    ],
  ],
  [
    'Culver Cty',
    10.75,
    'SANTA MONICA',
    [
      'Culver Cty is not known as a place of ZIP 90401 in CA: Santa Monica, the place of ZIP 90401, was applied.',
    ],
  ],
  [
    'Xyzzy',
    10.75,
    'SANTA MONICA',
    ['Xyzzy is not known as a place of ZIP 90401 in CA: Santa Monica, the place of ZIP 90401, was applied.'],
  ],
  [
    'Fresno',
    10.75,
    'SANTA MONICA',
    ['Fresno is not known as a place of ZIP 90401 in CA: Santa Monica, the place of ZIP 90401, was applied.'],
  ],
  ['Unincorporated Los Angeles County', 9.75, 'UNINCORPORATED LOS ANGELES COUNTY', []],
] as const)('90401 %s: %d in %s', ([given, tax, city, flags]) => {
  expect(at('CA', '90401', given, '2026-03-01')).toEqual({ tax, city, county: 'LOS ANGELES', flags });
});

test.for([
  ['98050', 'Spokane', 'a ZIP without a place, and a city elsewhere'],
  ['98070', 'Vashon', 'a place that is no city'],
  ['98070', 'Unincorporated King County', 'outside by its name'],
] as const)('in WA, the tax of %s %s is that of the county outside cities: %s', ([zip, city]) => {
  expect(at('WA', zip, city, '2026-05-01').city).toBe('KING COUNTY OUTSIDE CITIES');
});

test('a known other place of the ZIP stays what the caller said', () => {
  expect(at('CA', '90232', 'Los Angeles', '2026-03-01')).toMatchObject({
    tax: 9.75,
    city: 'LOS ANGELES',
    flags: ['Only a part of ZIP 90232 lies in Los Angeles.'],
  });
  expect(at('CA', '90232', 'Culver City', '2026-03-01')).toMatchObject({ tax: 10.75, flags: [] });
});

test.for([
  ['GA', '30345', 'Atlanta', '2025-05-15', 8, 'TUCKER'],
  ['MN', '55441', 'Minneapolis', '2025-05-15', 8.53, 'PLYMOUTH'],
  ['WA', '98188', 'Seattle', '2025-05-15', 10.2, 'SEATAC'],
  ['CO', '80229', 'Denver', '2025-05-01', 8.5, 'THORNTON'],
  ['CA', '92037', 'La Jolla', '2026-01-05', 7.75, 'SAN DIEGO'],
] as const)('%s %s is %s in the mail only', ([state, zip, name, day, tax, city]) => {
  const found = at(state, zip, name, day);
  expect(found).toMatchObject({ tax, city });
  expect(found.flags).toEqual([expect.stringContaining(`the place of ZIP ${zip}, was applied`)]);
});

test('a ZIP of which most people live outside cities says so', () => {
  const flags = at('KS', '66409', '', '2026-05-01').flags;
  expect(flags).toContain('No city was given: taxes of cities were not applied.');
});

test('a ZIP of several counties begins with that of most of its people', () => {
  expect(at('KS', '66409', 'Berryton', '2026-05-01').county).toBe('SHAWNEE');
});

test('where no rate depends on the place, nothing is flagged', () => {
  expect(at('NJ', '07302', '', '2026-05-01').flags).toEqual([]);
  expect(at('NC', '27601', 'Ralegh', '2026-12-01').flags).toEqual([]);
});
