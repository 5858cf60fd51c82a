import { amendedPeriod } from '../../kernel/amended-version.ts';
import { formatMoney, type Money, ZERO } from '../../kernel/money.ts';
import { columns } from './columns.ts';
import { colourOf } from './look.ts';
import type { Svg } from './svg.ts';

export type TrendPoint = { readonly period: string; readonly amount: Money };

/** Draws one amount per period, oldest first, above or below zero. */
export const trendBars = (title: string, points: readonly TrendPoint[]): Svg =>
  columns(
    points.map(({ period, amount }) => ({
      label: amendedPeriod(period),
      from: ZERO,
      to: amount,
      amount,
      fill: colourOf(amount),
      words: `${period}: ${formatMoney(amount)}`,
    })),
    { description: trendDescription(title, points.length), axisTitle: title, height: 200, stepMin: 66 },
  );

export const trendDescription = (title: string, periods: number): string =>
  `${title}, ${periods} ${periods === 1 ? 'period' : 'periods'}.`;
