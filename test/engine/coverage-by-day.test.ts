import { expect, test } from 'vitest';
import type { LocalRate, TaxContent } from '../../src/content/tax-content.ts';
import { contentCoverage } from '../../src/engine/content-coverage.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { type FilingPeriod, parsePeriod } from '../../src/kernel/period.ts';
import { rowsOf } from '../support/rows.ts';
import { defaultContent } from './content-with.ts';

const PORTLAND = {
  country: 'US',
  state: 'OR',
  zip: '97201',
  city: 'Portland',
  street: '',
};

const gapAt = (state: string, zip: string, city: string, on: string, content = defaultContent) =>
  contentCoverage(content).gapAt({
    from: PORTLAND,
    to: {
      country: 'US',
      state,
      zip,
      city,
      street: '',
    },
    day: calendarDate(on),
  });

/** The default content with the rates of California as a table of October 2026 has them. */
const newerCalifornia = (): TaxContent => {
  const state = defaultContent.states.get('CA');
  if (!state) throw new Error('CA is not a state');
  const seen = (row: LocalRate): LocalRate => ({ ...row, seen: '2026-10-01' });
  const newer = {
    ...state,
    localRates: state.localRates.map(seen),
    localByCounty: new Map([...state.localByCounty].map(([county, rows]) => [county, rows.map(seen)])),
  };
  return { ...defaultContent, states: new Map([...defaultContent.states, ['CA', newer]]), memory: new Map() };
};

test.for(
  rowsOf(`
  CA | 94607 | Oakland | 2026-03-31 |
  CA | 94607 | Oakland | 2026-04-01 | known until 2026-03-31
  WA | 98101 | Seattle | 2021-12-31 | known since 2022-01-01
  WA | 98101 | Seattle | 2026-06-30 |
  CO | 80202 | Denver | 2026-01-01 | known until 2025-12-31
  NV | 89101 | Las Vegas | 2026-10-31 |
  IL | 62701 | Springfield | 2026-10-31 | known until 2026-06-30
  MO | 64106 | Kansas City | 2026-04-01 | known until 2026-03-31
  AZ | 85001 | Phoenix | 2026-06-01 | known until 2026-05-31
  KS | 66212 | Overland Park | 2026-10-31 | known until 2026-09-30
  MN | 56431 | Aitkin | 2026-06-30 | | the content has no rate of Aitkin County, which may have got one since
  MN | 56431 | Aitkin | 2026-07-01 | known until 2026-06-30
`),
)('%s %s %s on %s: %s', ([state, zip, city, on, span]) => {
  const gap = gapAt(state, zip, city, on);
  expect(gap?.span ?? '').toBe(span);
  expect(gap?.levels).toEqual(span ? ['county', 'city', 'special'] : undefined);
  expect(contentCoverage(defaultContent).spanOf(state, calendarDate(on)) ?? '').toBe(span);
});

test.for(
  rowsOf(`
  MO | 64106 | Kansas City | 2026-03-05 | special | the districts of the whole state are missing
  KS | 66212 | Overland Park | 2026-09-30 | special | so they are here
  IL | 60601 | Chicago | 2026-03-05 | | the district of the city is known
  TX | 78701 | Austin | 2026-10-31 | | the rate of the city is all that is levied in it
  OH | 45103 | Batavia | 2024-09-30 | city special | the table has the counties
  OH | 45103 | Batavia | 2024-10-01 | county city special | and ends the day before
`),
)('%s %s %s on %s may lack %s: %s', ([state, zip, city, on, levels]) => {
  expect(gapAt(state, zip, city, on)?.levels.join(' ') ?? '').toBe(levels);
});

test('rates of a newer table are known on its days', () => {
  const content = newerCalifornia();
  expect(gapAt('CA', '94607', 'Oakland', '2026-10-31', content)).toBeUndefined();
  expect(contentCoverage(content).spanOf('CA', calendarDate('2026-10-31'))).toBeUndefined();
});

test('what is doubtful of categories, freight and holidays is said once a state; what is certain is not', () => {
  const doubtsOf = (month: string) => (state: string) =>
    contentCoverage(defaultContent).doubtsOf(state, parsePeriod(month) as FilingPeriod, [
      '19002',
      '20010',
      '99999',
    ]);
  expect(doubtsOf('2026-07')('AL').slice(1)).toEqual([
    'Localities of AL decide whether they join the holiday: their taxes stayed.',
    '2026-07-17 to 2026-07-19: AL exempts books; computers; school supplies. None of the configured categories stands for these goods: taxed as usual.',
  ]);
  expect(['NV', 'IL', 'CA', 'ZZ'].flatMap(doubtsOf('2026-10'))).toEqual([
    'How NV taxes category 19002 is known from a weak source (the list of taxed services was not read in full): the likelier side was applied, exempt.',
    'How NV taxes freight is open, or leaves a choice (taxed by the share of taxable goods): the likelier rule was applied, not taxed.',
    'How IL taxes freight is told differently by its sources: the likelier rule was applied, not taxed.',
  ]);
});
