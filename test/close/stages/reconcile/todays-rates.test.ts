import { expect, test } from 'vitest';
import { Configuration } from '../../../../src/close/configuration/schema.ts';
import { hasTodaysRates } from '../../../../src/close/stages/reconcile/todays-rates.ts';
import { NOTHING_DUE } from '../../../../src/close/workspace/expectation-of.ts';
import { calendarDate } from '../../../../src/kernel/calendar.ts';

const REMOTE = 'https://tax.example/v2/';
const DAY = calendarDate('2026-10-15');

test.for([
  [
    undefined,
    'stated',
    'calculated',
    undefined,
    false,
    'the embedded service is known to calculate as of the day',
  ],
  [REMOTE, 'stated', 'calculated', '2026-10-15', false, 'the answer names the day of the sale'],
  [
    REMOTE,
    'stated',
    'calculated',
    undefined,
    true,
    'the answer names no day: nobody knows whose rates these are',
  ],
  [REMOTE, 'stated', 'calculated', '2026-11-21', true, 'the answer names another day'],
  [REMOTE, 'honoured', 'calculated', undefined, false, 'the configuration vouches for the service'],
  [REMOTE, 'ignored', 'calculated', '2026-10-15', true, 'the configuration knows better than the answer'],
  [REMOTE, 'stated', 'no registration', undefined, false, 'where nothing was asked there are no rates'],
] as const)(
  'service %s, asOf %s, %s, answer of %s: today’s rates %s, because %s',
  ([url, asOf, basis, day, expected]) => {
    const { service } = Configuration.shape;
    const settings = service.parse({ ...(url !== undefined && { url }), asOf });
    const result = { ...NOTHING_DUE, ...(day !== undefined && { calculation_date: calendarDate(day) }) };
    expect(hasTodaysRates(settings, { taxDate: DAY }, { basis, result, alternatives: [] })).toBe(expected);
  },
);
