import { formatMoney, type Money } from '../../kernel/money.ts';
import type { Chart } from './draw-chart.ts';
import { colourOf } from './look.ts';

export type TrendPoint = { readonly period: string; readonly amount: Money };

const BAR_WIDTH = 66;
const HEIGHT = 200;

/** One amount per period, oldest first, above or below zero. */
export const trendBars = (
  title: string,
  points: readonly TrendPoint[],
  colour: (amount: Money) => string = colourOf,
): Chart => ({
  description: `${title}, ${points.length} ${points.length === 1 ? 'period' : 'periods'}.`,
  width: BAR_WIDTH * Math.max(points.length, 3),
  height: HEIGHT,
  margins: { top: 20, right: 10, bottom: 30, left: 80 },
  rows: points.map(({ period, amount }) => ({
    period,
    amount: amount / 100,
    top: Math.max(0, amount) / 100,
    shown: formatMoney(amount),
    words: `${period}: ${formatMoney(amount)}`,
    colour: colour(amount),
  })),
  layer: [
    {
      mark: { type: 'bar', size: 36 },
      encoding: {
        x: X,
        y: { field: 'amount', type: 'quantitative', title },
        color: { field: 'colour', type: 'nominal', scale: null },
        description: { field: 'words' },
      },
    },
    {
      mark: { type: 'text', baseline: 'bottom', dy: -4, aria: false },
      encoding: {
        x: X,
        y: { field: 'top', type: 'quantitative' },
        text: { field: 'shown', type: 'nominal' },
      },
    },
  ],
});

const X = { field: 'period', type: 'nominal', sort: null, axis: { labelAngle: 0, title: null } } as const;
