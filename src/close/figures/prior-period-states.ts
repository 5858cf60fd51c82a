import { add, type Money, ZERO } from '../../kernel/money.ts';
import type { RollForward } from '../filing/tax-return.ts';
import type { FilingFigures } from './filing-figures.ts';
import { isHandedIn, type PeriodFiling, type StateReturn } from './period-filing.ts';
import type { PeriodReport } from './period-report.ts';

/** The result of one period in one state, as of its last close. */
export type PriorPeriodState = {
  readonly period: string;
  readonly state: string;
  readonly orders: number;
  readonly refunds: number;
  readonly gross: Money;
  readonly collected: Money;
  readonly expected: Money;
  /** `undefined` for a period that was closed before this was recorded. */
  readonly filed: PriorFiling | undefined;
};

/** The balances that a return carries forward, and the sales that nexus thresholds count. */
export type PriorFiling = CountedSales & {
  readonly taxable: Money;
  readonly prepaymentsLeft: Money;
  readonly creditsLeft: Money;
};

/** The parts of gross sales that not every threshold counts. */
export type CountedSales = {
  /** Sales to exempt buyers, including resale. */
  readonly exempt: Money;
  readonly resale: Money;
  readonly marketplace: Money;
  /** Orders of which each counts once, however often it was corrected, and those of them on marketplaces. */
  readonly transactions: number;
  readonly marketplaceOrders: number;
};

/** Builds the rows that later periods need of a period: its states with sales and those with a return. */
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

/** Returns the balance left. A return that is not filed, because it is not required or for part of its period, uses nothing. */
const leftOf = (given: StateReturn | undefined, account: 'prepayments' | 'credits') => {
  if (!given) return ZERO;
  const { opening, added, closing }: RollForward = given.filed[account];
  return isHandedIn(given) ? closing : add(opening, added);
};
