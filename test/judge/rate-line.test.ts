import { expect, test } from 'vitest';
import { type Cluster, rateLine } from '../../src/judge/clusters.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { rate } from '../../src/kernel/money.ts';

const period = { first: calendarDate('2026-10-01') };
const gap = (more: Partial<Cluster>): Cluster =>
  ({
    ...{
      code: 'R26',
      state: 'KS',
      where: 'Liberal',
      own: rate(650_000),
      rates: [rate(980_000)],
    },
    area: { counties: '175', place: 'Liberal' },
    ...more,
  }) as Cluster;
const lineOf = (more: Partial<Cluster>): string => /`(.*)`/s.exec(rateLine(gap(more), period))?.[1] ?? '';

test('the line for a missing rate has what was charged beyond the known rate', () => {
  expect(lineOf({})).toBe('KS,city,Liberal local tax,0.033,2026-10-01,175,Liberal,,shop');
});

test.for<readonly [string, string]>([
  ['=HYPERLINK("x","y")', 'HYPERLINK x y local tax'],
  ['Liberal, KS\n"67901"', 'Liberal KS 67901 local tax'],
  ['-1+cmd', '1 cmd local tax'],
  ["Coeur d'Alene", "Coeur d'Alene local tax"],
])('a city %j of an export divides no line, and is no formula in a spreadsheet', ([where, name]) => {
  const cells = lineOf({ where }).split(',');
  expect([cells.length, cells[2]]).toEqual([9, name]);
});

test.for<[string, Partial<Cluster>]>([
  ['the place is not known', { area: undefined }],
  ['places of a state agree', { own: null }],
  ['the export names no place', { code: 'R28' }],
])('there is no line where %s', ([, more]) => {
  expect(rateLine(gap(more), period)).toBe('');
});
