import { type Money, subtract, sum } from '../../kernel/money.ts';
import type { PeriodReport } from './period-report.ts';

export type PeriodFigures = {
  readonly period: string;
  readonly collected: Money;
  readonly expected: Money;
  /** Collected less expected tax. */
  readonly variance: Money;
};

/** Sums all states, period by period, oldest first. */
export const periodFigures = ({ trend }: PeriodReport): readonly PeriodFigures[] => {
  const periods = [...new Set(trend.map(({ period }) => period))];
  return periods.map((period) => {
    const own = trend.filter((row) => row.period === period);
    const collected = sum(own.map((row) => row.collected));
    const expected = sum(own.map((row) => row.expected));
    return { period, collected, expected, variance: subtract(collected, expected) };
  });
};
