import { expect, test } from 'vitest';
import { Configuration } from '../../../src/close/configuration/schema.ts';
import { hasTodaysRates } from '../../../src/close/stages/todays-rates.ts';
import { NOTHING_DUE } from '../../../src/close/workspace/expectation-of.ts';
import { calendarDate } from '../../../src/kernel/calendar.ts';

const REMOTE = 'https://tax.example/v2/';
const DAY = calendarDate('2026-10-15');

test.for([
  [undefined, 'stated', undefined, false, 'the embedded service is known to calculate as of the day'],
  [REMOTE, 'stated', '2026-10-15', false, 'the answer names the day of the sale'],
  [REMOTE, 'stated', undefined, true, 'the answer names no day: nobody knows whose rates these are'],
  [REMOTE, 'stated', '2026-11-21', true, 'the answer names another day'],
  [REMOTE, 'honoured', undefined, false, 'the configuration vouches for the service'],
  [REMOTE, 'ignored', '2026-10-15', true, 'the configuration knows better than the answer'],
] as const)(
  'service %s, asOf %s, answer of %s: today’s rates %s, because %s',
  ([url, asOf, day, expected]) => {
    const { service } = Configuration.shape;
    const settings = service.parse({ ...(url !== undefined && { url }), asOf });
    const result = { ...NOTHING_DUE, ...(day !== undefined && { calculation_date: calendarDate(day) }) };
    expect(hasTodaysRates(settings, { taxDate: DAY }, result)).toBe(expected);
  },
);
