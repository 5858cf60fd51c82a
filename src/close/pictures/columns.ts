import { formatMoney, type Money, money, ZERO } from '../../kernel/money.ts';
import { along, axisOf } from './axis.ts';
import { chart, element, mark, type Svg, text } from './svg.ts';

/** A column of a chart, from one amount to another. */
export type Column = {
  readonly label: string;
  readonly from: Money;
  readonly to: Money;
  /** The figure above the column. */
  readonly amount: Money;
  readonly fill: string;
  readonly words: string;
  readonly href?: string;
};

export type ColumnsLook = {
  readonly description: string;
  readonly axisTitle: string;
  readonly height: number;
  /** Minimum width per column, in pixels. */
  readonly stepMin: number;
};

const MARGINS = { top: 20, right: 10, bottom: 30 };
/** Space for the axis title, and around a tick's label. */
const TITLE_WIDTH = 24;
const TICK_MARGIN = 16;
const BAR_WIDTH = 36;
/** Used to give a column at least the width of the longest text above or below it. */
const CHARACTER_WIDTH = 8;
const COLUMNS_MIN = 3;
/** Minimum height, so that the smallest amount is still visible as a line. */
const HEIGHT_MIN = 1;
const CENTS = 100;

/** Draws columns above and below zero, in the given order. */
export const columns = (
  given: readonly Column[],
  { description, axisTitle, height, stepMin }: ColumnsLook,
): Svg => {
  const texts = given.flatMap(({ label, amount }) => [label, formatMoney(amount)]);
  const step = Math.max(stepMin, ...texts.map(({ length }) => CHARACTER_WIDTH * (length + 1)));
  const width = step * Math.max(given.length, COLUMNS_MIN);
  const axis = axisOf(given.flatMap(({ from, to }) => [from, to]));
  const isWhole = axis.ticks.every((tick) => tick % CENTS === 0);
  const tickLabels = axis.ticks.map((tick) => tickLabel(tick, isWhole));
  const longest = Math.max(...tickLabels.map(({ length }) => length));
  const left = TITLE_WIDTH + TICK_MARGIN + CHARACTER_WIDTH * longest;
  const bottom = MARGINS.top + height;
  const heightOf = (value: number): number => bottom - along(axis, height, value);
  const lines = axis.ticks.flatMap((tick, index) => [
    element('line', {
      x1: left,
      x2: left + width,
      y1: heightOf(tick),
      y2: heightOf(tick),
      stroke: 'currentColor',
      'stroke-opacity': tick === ZERO ? '.5' : '.15',
    }),
    text({ x: left - 8, y: heightOf(tick) + 4, 'text-anchor': 'end' }, tickLabels[index] ?? ''),
  ]);
  const bars = given.flatMap(({ label, from, to, amount, fill, words, href }, index) => {
    const middle = left + step * (index + 0.5);
    const top = heightOf(Math.max(from, to));
    const size = from === to ? 0 : Math.max(HEIGHT_MIN, heightOf(Math.min(from, to)) - top);
    const place = { x: middle - BAR_WIDTH / 2, y: top, width: BAR_WIDTH, height: size };
    return [
      mark({ ...place, fill, words, href }),
      text({ x: middle, y: top - 4, 'text-anchor': 'middle' }, formatMoney(amount)),
      text({ x: middle, y: bottom + 18, 'text-anchor': 'middle' }, label),
    ];
  });
  const title = text(
    { transform: `translate(14,${MARGINS.top + height / 2}) rotate(-90)`, 'text-anchor': 'middle' },
    axisTitle,
  );
  const size = {
    width: left + width + MARGINS.right,
    height: bottom + MARGINS.bottom,
    description,
  };
  return chart(size, ...lines, title, ...bars);
};

/** Formats a tick, without cents if all ticks are whole dollars. */
const tickLabel = (cents: number, isWhole: boolean): string =>
  formatMoney(money(cents))
    .slice(0, isWhole ? -'.00'.length : undefined)
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',');
