import { type Money, subtract, sum } from '../../kernel/money.ts';
import type { PeriodReport } from './period-report.ts';
import type { PriorPeriodState } from './prior-period-states.ts';

export type PeriodFigures = {
  readonly period: string;
  readonly collected: Money;
  readonly expected: Money;
  /** Collected less expected tax. */
  readonly variance: Money;
};

/** Periods that are shown beside each other: this one and twelve before it, of months the same of last year among them. */
const PERIODS_SHOWN = 13;

/** Returns the rows of the trend that are shown. Thresholds are measured by older periods, too. */
export const shownTrend = ({ trend }: PeriodReport): readonly PriorPeriodState[] => {
  const shown = new Set([...new Set(trend.map(({ period }) => period))].slice(-PERIODS_SHOWN));
  return trend.filter(({ period }) => shown.has(period));
};

/** Sums all states, period by period, oldest first. */
export const periodFigures = (report: PeriodReport): readonly PeriodFigures[] => {
  const trend = shownTrend(report);
  const periods = [...new Set(trend.map(({ period }) => period))];
  return periods.map((period) => {
    const own = trend.filter((row) => row.period === period);
    const collected = sum(own.map((row) => row.collected));
    const expected = sum(own.map((row) => row.expected));
    return { period, collected, expected, variance: subtract(collected, expected) };
  });
};
