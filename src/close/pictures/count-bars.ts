import { along, axisOf } from './axis.ts';
import { COLOURS } from './look.ts';
import { chart, element, mark, type Svg, text } from './svg.ts';

export type CountBar = {
  readonly label: string;
  /** Number of items that need a decision, and of those that do not. */
  readonly open: number;
  readonly settled: number;
  readonly href: string;
};

const STEP = 26;
const BAR_HEIGHT = 16;
const WIDTH = 480;
const MARGINS = { top: 4, right: 150, bottom: 40 };
/** Minimum width of the labels; longer ones widen the column. */
const LABELS_MIN = 100;
const CHARACTER_WIDTH = 7;

/** Draws counts by category: open items dark, settled ones light, with numbers beside the bars. */
export const countBars = (bars: readonly CountBar[]): Svg => {
  const axis = axisOf(bars.map(({ open, settled }) => open + settled));
  const left = Math.max(LABELS_MIN, ...bars.map(({ label }) => CHARACTER_WIDTH * (label.length + 2)));
  const bottom = MARGINS.top + STEP * Math.max(bars.length, 1);
  const placeOf = (count: number): number => left + along(axis, WIDTH, count);
  const lines = axis.ticks.flatMap((tick) => [
    element('line', {
      x1: placeOf(tick),
      x2: placeOf(tick),
      y1: MARGINS.top,
      y2: bottom,
      stroke: 'currentColor',
      'stroke-opacity': tick === 0 ? '.5' : '.15',
    }),
    text({ x: placeOf(tick), y: bottom + 16, 'text-anchor': 'middle' }, String(tick)),
  ]);
  const rows = bars.flatMap(({ label, open, settled, href }, index) => {
    const words = `${label}: ${open} open, ${settled} settled`;
    const middle = MARGINS.top + STEP * (index + 0.5);
    const part = (from: number, to: number, fill: string): readonly Svg[] => {
      if (from === to) return [];
      const place = { x: placeOf(from), y: middle - BAR_HEIGHT / 2, height: BAR_HEIGHT };
      return [mark({ ...place, width: placeOf(to) - placeOf(from), fill, words, href })];
    };
    const shown = open > 0 ? `${open} open, ${settled} settled` : `${settled} settled`;
    return [
      text({ x: left - 8, y: middle + 4, 'text-anchor': 'end' }, label),
      ...part(0, open, COLOURS.over),
      ...part(open, open + settled, COLOURS.settled),
      text({ x: placeOf(open + settled) + 6, y: middle + 4 }, shown),
    ];
  });
  const title = text({ x: left + WIDTH / 2, y: bottom + 34, 'text-anchor': 'middle' }, 'Exceptions');
  const size = {
    width: left + WIDTH + MARGINS.right,
    height: bottom + MARGINS.bottom,
    description: countsDescription(bars.length),
  };
  return chart(size, ...lines, title, ...rows);
};

export const countsDescription = (codes: number): string => `Exceptions by code: ${codes} codes.`;
