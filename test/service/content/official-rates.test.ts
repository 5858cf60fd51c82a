import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { calendarDate } from '../../../src/kernel/calendar.ts';
import { loadContent } from '../../../src/service/content/load-content.ts';
import { taxTable } from '../../../src/service/engine/tax-table.ts';

/** Combined rates that an authority, or a public copy of its tables, has for a ZIP and its city on a day. */
const LOOK_UPS = readFileSync(new URL('official-rates.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

/**
 * Where the content has another rate: in New Mexico TaxLocus has the department's codes, and the list the figures of a
 * handbook; in Tennessee the grid is alone.
 */
const OTHERWISE = [
  ...['NM 87004', 'NM 87124', 'NM 87301', 'NM 87532', 'NM 88061', 'NM 88345'],
  ...['TN 37027', 'TN 37601'],
];

const content = loadContent();

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
  expect([...right].filter(([, count]) => count < 17)).toEqual([]);
  expect([...right.keys()].join(' ')).toBe('AR IA IL KS ND NE NM OK SD TN UT WY');
});

test('an official rate stands in the content wherever a secondary source has another', () => {
  const lines = readFileSync(
    new URL('../../../src/service/content/data/left-out.tsv', import.meta.url),
    'utf8',
  ).split('\n');
  const differing = lines
    .map((line) => line.split('\t'))
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
