import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DefectError } from '../../src/kernel/errors.ts';
import { type FilingPeriod, isWithin, monthsOf, parsePeriod, periodBefore } from '../../src/kernel/period.ts';
import { anyDate } from '../support/arbitraries.ts';
import { rowsOf } from '../support/rows.ts';

const period = (text: string): FilingPeriod => {
  const parsed = parsePeriod(text);
  if (!parsed) throw new DefectError(`${text} is not a period`);
  return parsed;
};

describe('a filing period', () => {
  test.for(
    rowsOf(`
    2026-10 | 2026-10-01 | 2026-10-31 | 1 | a month
    2024-02 | 2024-02-01 | 2024-02-29 | 1 | a leap February
    2026-Q4 | 2026-10-01 | 2026-12-31 | 3 | the last quarter
    2026-H2 | 2026-07-01 | 2026-12-31 | 6 | the second half
    2026 | 2026-01-01 | 2026-12-31 | 12 | a year
    2026-10..2027-03 | 2026-10-01 | 2027-03-31 | 6 | a range across the year
    2025-Q4..2026-01 | 2025-10-01 | 2026-01-31 | 4 | a range of unlike ends
    1977..2026 | 1977-01-01 | 2026-12-31 | 600 | fifty years, the longest range
  `).map(([cell0, cell1, cell2, cell3, cell4]) => [cell0, cell1, cell2, Number(cell3), cell4] as const),
  )('%s runs from %s to %s, %i months: %s', ([text, first, last, months]) => {
    expect(period(text)).toEqual({ label: text, first, last });
    expect(monthsOf(period(text))).toHaveLength(months);
  });

  test.for(
    rowsOf(`
     | blank
    2026-13 | no thirteenth month
    2026-1 | without its zero
    2026-Q5 | no fifth quarter
    2026-10-31 | a day
    26 | a year cut short
    1899 | before the first day
    2026-10.. | a range without an end
    2026-10..2026-09 | a range that ends before it starts
    2026..2026-06 | a range whose end lies inside its start
    1976-12..2026-12 | more than fifty years
  `),
  )('"%s" is none: %s', ([text]) => {
    expect(parsePeriod(text)).toBeUndefined();
  });

  test('every day lies in its month, its quarter, its half and its year', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const year = date.slice(0, 4);
        const month = Number(date.slice(5, 7));
        const labels = [
          date.slice(0, 7),
          `${year}-Q${Math.ceil(month / 3)}`,
          `${year}-H${Math.ceil(month / 6)}`,
          year,
        ];
        for (const label of labels) expect(isWithin(period(label), date)).toBe(true);
      }),
    );
  });
});

describe('the period before', () => {
  test.for([
    ['2026-01', '2025-12', 'a month across the year'],
    ['2026-Q1', '2025-Q4', 'a quarter across the year'],
    ['2026-H1', '2025-H2', 'a half across the year'],
    ['2026', '2025', 'a year'],
    ['2026-06..2026-08', '2026-03..2026-05', 'a quarter of a state whose year begins in March'],
    ['2026-03..2027-02', '2025-03..2026-02', 'such a year'],
    ['2026-01..2026-05', undefined, 'another range has none'],
  ] as const)('%s comes after %s: %s', ([label, before]) => {
    expect(periodBefore(period(label))?.label).toBe(before);
  });
});
