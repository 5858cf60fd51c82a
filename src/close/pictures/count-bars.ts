import type { Chart } from './draw-chart.ts';
import { COLOURS } from './look.ts';

export type CountBar = {
  readonly label: string;
  /** How many of them wait for a decision, and how many do not. */
  readonly open: number;
  readonly settled: number;
  readonly href: string;
};

const BAR_HEIGHT = 26;
const WIDTH = 480;

/** Counts by what they are counts of: what is open dark, what is settled light, the numbers beside them. */
export const countBars = (bars: readonly CountBar[]): Chart => ({
  description: `Exceptions by code: ${bars.length} codes.`,
  width: WIDTH,
  height: BAR_HEIGHT * Math.max(bars.length, 1),
  margins: { top: 4, right: 150, bottom: 40, left: 200 },
  rows: bars.flatMap(({ label, open, settled, href }) => {
    const words = `${label}: ${open} open, ${settled} settled`;
    const shown = open > 0 ? `${open} open, ${settled} settled` : `${settled} settled`;
    const own = { label, href, words, end: open + settled };
    const parts = [
      { ...own, from: 0, to: open, colour: COLOURS.over, shown: '' },
      { ...own, from: open, to: open + settled, colour: '#9ca3af', shown },
    ];
    return parts.filter(({ from, to }) => from !== to);
  }),
  layer: [
    {
      mark: { type: 'bar', size: 16 },
      encoding: {
        y: Y,
        x: { field: 'from', type: 'quantitative', title: 'Exceptions', axis: { tickMinStep: 1 } },
        x2: { field: 'to' },
        color: { field: 'colour', type: 'nominal', scale: null },
        href: { field: 'href' },
        description: { field: 'words' },
      },
    },
    {
      mark: { type: 'text', align: 'left', dx: 6, aria: false },
      encoding: {
        y: Y,
        x: { field: 'end', type: 'quantitative' },
        text: { field: 'shown', type: 'nominal' },
      },
    },
  ],
});

const Y = { field: 'label', type: 'nominal', sort: null, axis: { title: null } } as const;
