import { describe, expect, test } from 'vitest';
import { taxTable } from '../../src/engine/tax-table.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { defaultContent } from './content-with.ts';

const MOST = 1_500_000;
const content = defaultContent;

const rateAt = (code: string, zip: string, city: string, on: string) => {
  const state = content.states.get(code);
  if (!state) throw new Error(`${code} is not a state`);
  const date = calendarDate(on);
  const { rates, stateRate } = taxTable(content, {
    state,
    zip,
    city,
    street: '',
    date,
    remote: true,
  });
  return { combined: rates.reduce((total, rate) => total + rate, 0), least: stateRate?.rate ?? 0 };
};

/** One ZIP for every county, so that every place can be asked for by name. */
const zipOfCounty = new Map<string, string>();
for (const [zip, { counties }] of content.zips) {
  for (const fips of counties) if (!zipOfCounty.has(fips)) zipOfCounty.set(fips, zip);
}

describe('no place has less than the rate of its state, or more than 15 percent', () => {
  test.for(['2017-12-31', '2024-01-01', '2026-10-31'])('every ZIP on %s', (on) => {
    const outside: string[] = [];
    for (const [zip, { counties }] of content.zips) {
      const code = content.countyStates.get(counties[0] ?? '') ?? '';
      if (!content.states.has(code)) continue;
      const { combined, least } = rateAt(code, zip, '', on);
      if (combined < least || combined > MOST) outside.push(zip);
    }
    expect(outside).toEqual([]);
  });

  test.for(['2017-12-31', '2024-01-01', '2026-10-31'])('every place on %s', (on) => {
    const outside: string[] = [];
    for (const [key, places] of content.places) {
      const code = key.slice(0, 2);
      for (const { name, counties } of places) {
        for (const county of counties) {
          const zip = zipOfCounty.get(`${content.stateFips.get(code)}${county}`) ?? '';
          const { combined, least } = rateAt(code, zip, name, on);
          if (combined < least || combined > MOST) outside.push(`${key} ${county}`);
        }
      }
    }
    expect(outside).toEqual([]);
  });
});
