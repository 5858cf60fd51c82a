import { add, formatMoney, type Money, ZERO } from '../../kernel/money.ts';
import type { Chart } from './draw-chart.ts';
import { COLOURS, colourOf } from './look.ts';

export type Step = {
  readonly label: string;
  readonly amount: Money;
  /** What the step is, in words. */
  readonly meaning: string;
  /** Where it leads in the page. */
  readonly href: string;
};

/** A step is as wide as the longest amount above it. */
const STEP_WIDTH_MIN = 54;
const CHARACTER_WIDTH = 8;
const HEIGHT = 280;

/** The way from one amount to another, step by step, and at the end what all steps come to. */
export const waterfall = (
  steps: readonly Step[],
  total: { readonly label: string; readonly href: string },
): Chart => {
  let reached: Money = ZERO;
  const rows = steps.map(({ label, amount, meaning, href }) => {
    const from = reached;
    reached = add(reached, amount);
    return barOf({ label, from, to: reached, amount, href, colour: colourOf(amount), meaning });
  });
  const widest = Math.max(
    STEP_WIDTH_MIN,
    ...[...steps.map(({ amount }) => amount), reached].map(
      (amount) => CHARACTER_WIDTH * (formatMoney(amount).length + 1),
    ),
  );
  const all = {
    ...total,
    from: ZERO,
    to: reached,
    amount: reached,
    colour: COLOURS.total,
    meaning: total.label,
  };
  return {
    description: `Variance by reason, step by step: ${steps.length} steps that come to ${formatMoney(reached)}.`,
    width: widest * (steps.length + 1),
    height: HEIGHT,
    margins: { top: 20, right: 10, bottom: 30, left: 90 },
    rows: [...rows, barOf(all)],
    layer: LAYER,
  };
};

type Bar = Step & { readonly from: Money; readonly to: Money; readonly colour: string };

const barOf = ({ label, from, to, amount, href, colour, meaning }: Bar) => ({
  label,
  from: from / 100,
  to: to / 100,
  top: Math.max(from, to) / 100,
  shown: formatMoney(amount),
  words: `${label}, ${meaning}: ${formatMoney(amount)}`,
  href,
  colour,
});

const X = { field: 'label', type: 'nominal', sort: null, axis: { labelAngle: 0, title: null } } as const;

const LAYER = [
  {
    mark: { type: 'bar', size: 36 },
    encoding: {
      x: X,
      y: { field: 'from', type: 'quantitative', title: 'Collected minus expected' },
      y2: { field: 'to' },
      color: { field: 'colour', type: 'nominal', scale: null },
      href: { field: 'href' },
      description: { field: 'words' },
    },
  },
  {
    mark: { type: 'text', baseline: 'bottom', dy: -4, aria: false },
    encoding: { x: X, y: { field: 'top', type: 'quantitative' }, text: { field: 'shown', type: 'nominal' } },
  },
];
