import { expect, test } from 'vitest';
import { contentCoverage } from '../../src/engine/content-coverage.ts';
import { taxTable } from '../../src/engine/tax-table.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { formatPercent, rate } from '../../src/kernel/money.ts';
import { generalZipOf } from '../../src/kernel/us-regions.ts';
import { contentWithState, defaultContent } from './content-with.ts';
import { orderTo, taxOf } from './tax-of.ts';

const rateAt = (code: string, zip: string, { on = '2026-10-15', content = defaultContent } = {}): number => {
  const state = content.states.get(code);
  if (!state) throw new Error(`${code} is not a state`);
  const place = {
    state,
    zip,
    city: '',
    street: '',
    date: calendarDate(on),
    remote: true,
  };
  return taxTable(content, place).rates.reduce((total, each) => total + each, 0);
};

const anywhere = (code: string): string => generalZipOf(code) ?? '';

test('a place that is not known has the least that every place of its state has', () => {
  const more = [...defaultContent.states.values()].flatMap(({ code, rates }) => {
    const least = rateAt(code, anywhere(code));
    const isMore = rates.every((row) => row.rate < least);
    return isMore ? [`${code} ${formatPercent(rate(least))}`] : [];
  });
  expect(more).toEqual([
    'AL 4.5%',
    'CA 7.25%',
    'GA 6%',
    'MO 4.725%',
    'NC 6.75%',
    'NY 7%',
    'OH 6.5%',
    'PR 11.5%',
    'TN 9%',
    'UT 6.35%',
    'VA 5.3%',
    'WA 7.6%',
  ]);
});

test('no ZIP of a state has less', () => {
  const below = new Set<string>();
  for (const [zip, { counties }] of defaultContent.zips) {
    const code = defaultContent.countyStates.get(counties[0] ?? '') ?? '';
    if (defaultContent.states.has(code) && rateAt(code, zip) < rateAt(code, anywhere(code))) below.add(zip);
  }
  expect([...below]).toEqual([]);
});

test('it is the law of the day: one county without a tax, and the state’s rate is all that is known', () => {
  expect(rateAt('WA', anywhere('WA'), { on: '2021-12-31' })).toBe(650_000);
  const rates = { state: 0.043, county: 0.01, city: 0, special: 0 };
  const rules = { freightTaxable: false, inStateSellers: 'destination' } as const;
  const content = contentWithState({ state: 'VA', countyCode: '001', rates, ...rules });
  expect(rateAt('VA', anywhere('VA'), { content })).toBe(430_000);
});

test('the answer has it at its levels, and the coverage says that the place is not known', () => {
  const tax = taxOf(orderTo('CA', anywhere('CA')), { on: '2026-10-15' });
  expect(tax).toMatchObject({ amount_to_collect: 7.25, breakdown: { county_tax_collectable: 1 } });
  const to = {
    country: 'US',
    state: 'CA',
    zip: anywhere('CA'),
    city: '',
    street: '',
  };
  expect(
    contentCoverage(defaultContent).gapAt({ from: to, to, day: calendarDate('2026-10-15') }),
  ).toMatchObject({ isPlaceless: true });
});
