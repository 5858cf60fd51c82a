import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exceptionChart, trendChart } from '../../../src/close/report/charts.ts';
import type { PeriodReport } from '../../../src/close/report/period-report.ts';
import { bridgeStepsSheet } from '../../../src/close/report/sheets/bridge-steps.ts';
import { exceptionsByCodeSheet } from '../../../src/close/report/sheets/exceptions-by-code.ts';
import { taxByPeriodSheet } from '../../../src/close/report/sheets/filing/tax-by-period.ts';
import { trendByPeriodSheet } from '../../../src/close/report/sheets/trend-by-period.ts';
import { shownValue } from '../../../src/close/workbook/cell.ts';
import type { FilledSheet } from '../../../src/close/workbook/sheet.ts';
import { money, ZERO } from '../../../src/kernel/money.ts';

const CODES = ['R01', 'R02', 'R03', 'R04', 'R05', 'R06', 'R07', 'R08'];

/** A report of nothing but the net of each reason, in cents. */
const reportOf = (amounts: readonly number[]): PeriodReport =>
  ({
    reasons: amounts.map((amount, index) => ({
      code: CODES[index],
      sales: 1,
      over: money(Math.max(0, amount)),
      under: money(Math.min(0, amount)),
    })),
  }) as unknown as PeriodReport;

const trendOf = (...periods: readonly (readonly [string, number, number])[]): PeriodReport =>
  ({
    trend: periods.map(([period, collected, expected]) => ({
      period,
      state: 'CA',
      orders: 1,
      refunds: 0,
      gross: ZERO,
      collected: money(collected),
      expected: money(expected),
    })),
  }) as unknown as PeriodReport;

/** The rows of a sheet by the titles of its columns. */
const rowsOf = ({ sheet, rows }: FilledSheet): readonly Readonly<Record<string, unknown>>[] =>
  [...(rows as Iterable<unknown>)].map((row) =>
    Object.fromEntries(sheet.columns.map((column) => [column.title, shownValue(column.value(row))])),
  );

/** What stacked columns show: from zero, values above it go up and values below it go down, in their order. */
const drawnSpans = (values: readonly { readonly value: number; readonly isSeen: boolean }[]) => {
  let [up, down] = [0, 0];
  const spans: [number, number][] = [];
  for (const { value, isSeen } of values) {
    const start = value > 0 ? up : down;
    if (value > 0) up += value;
    else down += value;
    if (isSeen && value !== 0) spans.push([Math.min(start, start + value), Math.max(start, start + value)]);
  }
  return spans.sort(([left], [right]) => left - right);
};

describe('the steps of the bridge', () => {
  test('are drawn from where each begins to where it ends, on both sides of zero and across it', () => {
    const amount = fc.integer({ min: -100_000, max: 100_000 }).filter((cents) => cents !== 0);
    fc.assert(
      fc.property(fc.array(amount, { minLength: 2, maxLength: CODES.length }), (amounts) => {
        const [sheet] = bridgeStepsSheet(reportOf(amounts));
        if (!sheet) throw new Error('there is no sheet');
        const series = sheet.sheet.chart?.series ?? [];
        let reached = 0;
        for (const [index, row] of rowsOf(sheet).entries()) {
          const isTotal = index === amounts.length;
          const from = isTotal ? 0 : reached;
          if (!isTotal) reached += amounts[index] ?? 0;
          const values = series.map(({ column, colour }) => ({
            value: Number(row[column]),
            isSeen: colour !== undefined,
          }));
          const spans = drawnSpans(values);
          const ends = [Math.min(from, reached), Math.max(from, reached)];
          // One span or two that meet at zero; a total of nothing is not drawn.
          if (ends[0] === ends[1]) expect(spans).toEqual([]);
          else expect([spans[0]?.[0], spans.at(-1)?.[1]]).toEqual(ends);
          if (spans.length > 1)
            expect(spans).toEqual([
              [ends[0], 0],
              [0, ends[1]],
            ]);
          expect(spans.length).toBeLessThanOrEqual(2);
        }
      }),
    );
  });

  test('have the colour of their side of zero', () => {
    const [sheet] = bridgeStepsSheet(reportOf([300, -1000, 900, -50]));
    const rows = rowsOf(sheet as FilledSheet);
    const sidesOf = (row: Readonly<Record<string, unknown>> | undefined) =>
      ['Over', 'Over below zero', 'Under', 'Under below zero', 'Total'].filter((title) => row?.[title] !== 0);
    expect(rows.map(sidesOf)).toEqual([
      ['Over'],
      ['Under', 'Under below zero'],
      ['Over', 'Over below zero'],
      ['Under'],
      ['Total'],
    ]);
    expect(rows.at(-1)).toMatchObject({ Step: 'Variance', Amount: 150, Total: 150, Label: 'Variance 1.50' });
  });
});

test('what would have fewer than two bars is left out', () => {
  expect(bridgeStepsSheet(reportOf([300, 0]))).toEqual([]);
  expect(bridgeStepsSheet(reportOf([300, 1]))).toHaveLength(1);
  for (const sheets of [trendByPeriodSheet, taxByPeriodSheet]) {
    expect(sheets(trendOf(['2026-10', 1, 2]))).toEqual([]);
    expect(sheets(trendOf(['2026-09', 1, 2], ['2026-10', 1, 2]))).toHaveLength(1);
  }
  expect(trendChart(trendOf(['2026-10', 1, 2]))).toBeUndefined();
  const none = { exceptions: [] } as unknown as PeriodReport;
  expect(exceptionsByCodeSheet(none)).toEqual([]);
  expect(exceptionChart(none)).toBeUndefined();
});
