import { add, formatMoney, type Money, sum, ZERO } from '../../kernel/money.ts';
import { type Column, columns } from './columns.ts';
import { COLOURS, colourOf } from './look.ts';
import type { Svg } from './svg.ts';

export type Step = {
  readonly label: string;
  readonly amount: Money;
  /** The meaning of the step, in words. */
  readonly meaning: string;
  /** The target of its link in the page. */
  readonly href: string;
};

/** Draws the steps from one amount to another, and the total of all steps at the end. */
export const waterfall = (
  steps: readonly Step[],
  total: { readonly label: string; readonly href: string },
): Svg => {
  let reached: Money = ZERO;
  const bars = steps.map((step): Column => {
    const from = reached;
    reached = add(reached, step.amount);
    return columnOf(step, from, colourOf(step.amount));
  });
  const whole = { ...total, amount: reached, meaning: total.label };
  return columns([...bars, columnOf(whole, ZERO, COLOURS.total)], {
    description: waterfallDescription(steps),
    axisTitle: 'Collected minus expected',
    height: 280,
    stepMin: 54,
  });
};

export const waterfallDescription = (steps: readonly Pick<Step, 'amount'>[]): string => {
  const total = sum(steps.map(({ amount }) => amount));
  return `Variance by reason, step by step: ${steps.length} steps that come to ${formatMoney(total)}.`;
};

const columnOf = ({ label, amount, meaning, href }: Step, from: Money, fill: string): Column => ({
  label,
  from,
  to: add(from, amount),
  amount,
  fill,
  words: `${label}, ${meaning}: ${formatMoney(amount)}`,
  href,
});
