import { add, type Money, ZERO } from '../../kernel/money.ts';
import type { RollForward } from '../filing/return/roll-forward.ts';
import type { FilingFigures } from './filing-figures.ts';
import type { PeriodFiling, StateReturn } from './period-filing.ts';
import type { PeriodReport } from './period-report.ts';

/** What one period came to in one state, as it stood when it was last closed. */
export type PriorPeriodState = {
  readonly period: string;
  readonly state: string;
  readonly orders: number;
  readonly refunds: number;
  readonly gross: Money;
  readonly collected: Money;
  readonly expected: Money;
  /** Nothing of a period that was closed before these were kept. */
  readonly filed: PriorFiling | undefined;
};

/** What the return of a period leaves to the next, and what thresholds of nexus count. */
export type PriorFiling = CountedSales & {
  readonly taxable: Money;
  readonly prepaymentsLeft: Money;
  readonly creditsLeft: Money;
};

/** The parts of gross sales that not every threshold counts. */
export type CountedSales = {
  /** Sales to exempt buyers, those to buyers who sell again included. */
  readonly exempt: Money;
  readonly resale: Money;
  readonly marketplace: Money;
  readonly marketplaceOrders: number;
};

/** What is kept of a period for those that follow: its states with sales and those with a return. */
export const priorPeriodStates = (
  { period, states }: PeriodReport,
  figures: FilingFigures,
  { returns }: PeriodFiling,
): readonly PriorPeriodState[] => {
  const names = new Set([...states.map(({ state }) => state), ...returns.map(stateOf)]);
  return [...names].sort().map((state): PriorPeriodState => {
    const totals = states.find((each) => each.state === state);
    const filed = returns.find((each) => stateOf(each) === state && each.filed.figures.kind === 'state');
    return {
      period: period.label,
      state,
      orders: totals?.orders ?? 0,
      refunds: totals?.refunds ?? 0,
      gross: totals?.gross ?? ZERO,
      collected: totals?.collected ?? ZERO,
      expected: totals?.expected ?? ZERO,
      filed: {
        ...figures.counted(state),
        taxable: totals?.taxable ?? ZERO,
        prepaymentsLeft: leftOf(filed, 'prepayments'),
        creditsLeft: leftOf(filed, 'credits'),
      },
    };
  });
};

const stateOf = ({ filed }: StateReturn): string => filed.figures.state;

/** A return that is not handed in uses nothing up. */
const leftOf = (given: StateReturn | undefined, account: 'prepayments' | 'credits') => {
  if (!given) return ZERO;
  const { opening, added, closing }: RollForward = given.filed[account];
  return given.coverage === 'whole' ? closing : add(opening, added);
};
