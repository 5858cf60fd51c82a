import { describe, expect, test } from 'vitest';
import type { ChargedTax, RateEvidence } from '../../../src/contract/rate-evidence.ts';
import { calendarDate } from '../../../src/kernel/calendar.ts';
import { money } from '../../../src/kernel/money.ts';
import { parseRate } from '../../../src/kernel/rate.ts';
import { loadContent } from '../../../src/service/content/load-content.ts';
import { draftRates } from '../../../src/service/suggest/draft-rates.ts';

const FROM = { country: 'US', state: 'OR', zip: '97204', city: 'Portland', street: '' };
const DODGE_CITY = { country: 'US', state: 'KS', zip: '67801', city: 'Dodge City', street: '' };

const tax = (given: Partial<Omit<ChargedTax, 'rate'>> & { readonly rate: string | null }): ChargedTax => ({
  name: '',
  place: '',
  level: null,
  amount: money(100),
  ...given,
  rate: given.rate === null ? null : (parseRate(given.rate) ?? null),
});

let records = 0;
const sale = (
  taxes: readonly ChargedTax[],
  { day = '2026-10-05', ...more }: Partial<Omit<RateEvidence, 'day'>> & { readonly day?: string } = {},
): RateEvidence => {
  records += 1;
  return { record: `#${records}`, to: DODGE_CITY, day: calendarDate(day), by: 'lines', taxes, ...more };
};

const draft = (...evidence: readonly RateEvidence[]) => {
  const drafted = draftRates(loadContent(), evidence, { from: FROM, since: calendarDate('2026-10-01') });
  const amounts = [...drafted.rates, ...drafted.unresolved].reduce(
    (total, { evidence: { amount } }) => total + amount,
    0,
  );
  // Nothing is dropped or doubled, whatever becomes of it.
  expect(amounts).toBe(
    evidence.flatMap(({ taxes }) => taxes).reduce((total, { amount }) => total + amount, 0),
  );
  return {
    rates: drafted.rates.map(({ level, name, rate, from, to }) =>
      `${level} ${name} ${rate / 100_000} ${from} ${to}`.trim(),
    ),
    listed: drafted.unresolved.map(({ name, why }) => `${name}: ${why}`),
  };
};

const CITY = { name: 'Dodge City City Tax', place: 'Dodge City', level: 'city' } as const;

describe('rates drafted from what a shop charged', () => {
  test('a name without a kind is the city’s or the county’s when it is called like them, and a district’s otherwise', () => {
    const taxes = ['Dodge City', 'Ford', 'Ambulance'].map((place) =>
      tax({ name: place, place, rate: '0.01' }),
    );
    expect(draft(sale(taxes)).rates.sort()).toEqual([
      'city Dodge City 1 2026-10-01',
      'county Ford County in Dodge City 1 2026-10-01',
      'special Ambulance 1 2026-10-01',
    ]);
  });

  test.each([
    ['a tax without a rate', sale([tax({ ...CITY, rate: null })]), 'the shop states an amount and no rate'],
    [
      'the tax of another city',
      sale([tax({ ...CITY, place: 'Pueblo', rate: '0.03' })]),
      'it is named after Pueblo, and the address is in Dodge City',
    ],
    [
      'the tax of another county',
      sale([tax({ ...CITY, place: 'Mesa', level: 'county', rate: '0.03' })]),
      'it is named after Mesa, and the address is in Ford County',
    ],
    [
      'a place that the content does not have',
      sale([tax({ ...CITY, place: '', rate: '0.03' })], {
        to: { ...DODGE_CITY, zip: '66409', city: 'Nowhere' },
      }),
      'the content has no place called NOWHERE there',
    ],
    [
      'a rate of many places',
      sale([tax({ rate: '0.05' })], { by: 'agreement in the state' }),
      'many places of the state share the rate, and none of them is named',
    ],
  ])('%s is listed with the reason', (_, evidence, why) => {
    const { rates, listed } = draft(evidence);
    expect(rates).toEqual([]);
    expect(listed.map((line) => line.split(': ')[1])).toEqual([why]);
  });

  test('a rate that changed on a day is two rows; an odd one among many is listed', () => {
    const at = (rate: string, day: string) => sale([tax({ ...CITY, rate })], { day });
    const [before, after] = [
      ['2026-09-28', '2026-10-02', '2026-10-09'].map((day) => at('0.03', day)),
      ['2026-10-15', '2026-10-16', '2026-10-20'].map((day) => at('0.035', day)),
    ];
    expect(draft(...before, ...after).rates).toEqual([
      'city Dodge City 3 2026-09-28 2026-10-14',
      'city Dodge City 3.5 2026-10-15',
    ]);
    // One sale at another rate is not a change of the law.
    expect(draft(at('0.03', '2026-10-09'), at('0.035', '2026-10-15')).rates).toEqual([]);
    const odd = draft(
      ...['05', '10', '15', '20'].map((day) => at(day === '10' ? '0.035' : '0.03', `2026-10-${day}`)),
    );
    expect(odd.rates).toEqual(['city Dodge City 3 2026-10-01']);
    expect(odd.listed).toEqual([
      'Dodge City City Tax: the shop charged several rates at a time: 3% on 3, 3.5% on 1',
    ]);
  });

  test('one rate for everything that is missing leaves out what other rows bring to the place', () => {
    const county = sale([tax({ name: 'Ford County Tax', place: 'Ford', level: 'county', rate: '0.0275' })]);
    const agreed = sale([tax({ rate: '0.0575' })], { by: 'agreement' });
    expect(draft(county, agreed).rates.sort()).toEqual([
      'city Dodge City, local taxes together 3 2026-10-01',
      'county Ford County in Dodge City 2.75 2026-10-01',
    ]);
    // It has another code than the city's own rate, which it would replace otherwise.
    expect(
      draftRates(loadContent(), [agreed], { from: FROM, since: calendarDate('2026-10-01') }).rates,
    ).toMatchObject([{ level: 'city', code: 'shop-dodge-city-local-taxes-together' }]);
    expect(draft(county, sale([tax({ rate: '0.02' })], { by: 'agreement' })).listed).toEqual([
      'local taxes together: the rows suggested for its place come to as much',
    ]);
  });
});
