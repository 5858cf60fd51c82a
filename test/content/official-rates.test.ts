import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { taxTable } from '../../src/engine/tax-table.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { defaultContent as content } from '../engine/content-with.ts';
import { orderTo, taxOf } from '../engine/tax-of.ts';

const rowsOf = (path: string) =>
  readFileSync(new URL(path, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));

/** Combined rates that an authority, or a public copy of its tables, has for a ZIP and its city on a day. */
const LOOK_UPS = rowsOf('official-rates.tsv');

/** Where the content has another rate than the grid of a program, which is alone with it. */
const OTHERWISE = ['TN 37027', 'TN 37601'];

test('the content adds up to what authorities publish, by state', () => {
  const right = new Map<string, number>();
  const wrong: string[] = [];
  for (const [code = '', zip = '', city = '', day = '', rate] of LOOK_UPS) {
    const state = content.states.get(code);
    if (!state) throw new Error(`${code} is not a state`);
    const { rates } = taxTable(content, {
      state,
      zip,
      city,
      street: '',
      date: calendarDate(day),
      remote: true,
    });
    const isRight = rates.reduce((total, each) => total + each, 0) === Math.round(Number(rate) * 10_000_000);
    if (isRight) right.set(code, (right.get(code) ?? 0) + 1);
    else wrong.push(`${code} ${zip}`);
  }
  expect(wrong).toEqual(OTHERWISE);
  expect([...right].filter(([, count]) => count < 18)).toEqual([['WA', 6]]);
  expect([...right.keys()].join(' ')).toBe('AL AR CO IA IL KS MO ND NE NM OK SD TN UT WA WY');
});

test('an official rate stands in the content wherever a secondary source has another', () => {
  const differing = rowsOf('../../src/content/data/left-out.tsv')
    .filter(([, why]) => why === 'differs from an official rate')
    .flatMap(([state, , , which = '']) => which.split('; ').map((each) => [state, each] as const));
  expect(differing.length).toBeGreaterThan(10);
  for (const [code = '', each] of differing) {
    const [, name, , stays] = /^(.*) (\S+), and (\S+) stays$/.exec(each) ?? [];
    const rates = content.states.get(code)?.localRates.filter((row) => row.name === name) ?? [];
    expect(
      rates.map(({ rate }) => rate),
      each,
    ).toContain(Math.round(Number(stays) * 10_000_000));
  }
});

test.for([
  ['IL', '62701', 'Springfield', '2026-07-01', '', 10, /known until 2026-06-30/],
  ['IL', '60015', 'Bannockburn', '2026-08-01', '', 8.25, /Lake County was seen on 2026-08-16/],
  ['IL', '60601', 'Chicago', '2025-06-01', '51020', 2.25, /^$/],
  ['IL', '60601', 'Chicago', '2026-06-01', '51020', 2.25, /^$/],
  [
    'IL',
    '60601',
    'Chicago',
    '2026-08-01',
    '51020',
    2.25,
    /Regional transit \(Cook\) is known from a weak source/,
  ],
  ['IL', '60187', 'Wheaton', '2025-06-01', '51020', 1.75, /Wheaton was seen on 2026-01-01/],
  ['IL', '62701', 'Springfield', '2025-06-01', '51020', 1, /Springfield was seen on 2026-05-04/],
  ['IL', '62220', 'Belleville', '2025-06-01', '51020', 1.75, /Metro-East mass transit depends on the street/],
  ['IL', '60601', 'Chicago', '2025-06-01', '40030', 2.25, /^$/],
  ['IL', '60601', 'Chicago', '2026-06-01', '40030', 1.25, /Chicago is told differently by its sources/],
  ['IL', '61701', 'Bloomington', '2026-06-01', '40030', 1, /not complete .* business districts/],
  ['IL', '61701', 'Bloomington', '2026-08-01', '40030', 1, /Bloomington is known from a weak source/],
  ['IL', '60453', 'Oak Lawn', '2026-06-01', '40030', 2.25, /^$/],
  ['IL', '60201', 'Evanston', '2026-06-01', '40030', 2.25, /Local taxes on food differ by place .* 0.01 was/],
  [
    'IL',
    '60201',
    'Unincorporated',
    '2026-06-01',
    '40030',
    1.25,
    /Local taxes on food differ by place .* none was/,
  ],
  ['NC', '28202', 'Charlotte', '2026-05-01', '41000', 8.25, /Mecklenburg County/],
  ['NC', '27278', 'Hillsborough', '2026-05-01', '41000', 8.5, /Orange County/],
  ['NC', '27514', 'Chapel Hill', '2026-05-01', '41000', 7.5, /Orange County/],
  ['WA', '98014', 'Carnation', '2026-05-01', '', 8.9, /^Only a part of ZIP 98014 lies in Carnation.$/],
  ['WA', '98032', 'Kent', '2026-05-01', '', 10.4, /Kent depends on the street/],
  ['WA', '98101', 'Seattle', '2021-12-31', '', 6.5, /known since 2022-01-01/],
  ['WA', '98101', 'Seattle', '2026-07-01', '', 10.55, /known until 2026-06-30/],
  ['CO', '80110', 'Englewood', '2024-01-01', '', 8.05, /Englewood is known from a weak source/],
  ['CO', '80202', 'Denver', '2026-01-01', '', 9.15, /known until 2025-12-31/],
  ['CO', '80202', 'Denver', '2020-12-31', '', 2.9, /known since 2021-01-01/],
] as const)('%s %s %s on %s, category %s: %d, flagged %s', ([state, zip, city, day, code, tax, flags]) => {
  const line_items = [{ id: '1', quantity: 1, unit_price: 100, product_tax_code: code || undefined }];
  const changes = { calculation_date: day, explain: true, line_items };
  const { amount_to_collect, explanation } = taxOf(orderTo(state, zip, city, changes));
  expect(amount_to_collect).toBe(tax);
  expect((explanation?.flags ?? []).join(' ')).toMatch(flags);
});
