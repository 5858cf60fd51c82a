import { add, ZERO } from '../../kernel/money.ts';
import type { RollForward } from '../filing/return/roll-forward.ts';
import type { FilingFigures } from './filing-figures.ts';
import type { KeptState } from './kept-state.ts';
import type { PeriodFiling, StateReturn } from './period-filing.ts';
import type { PeriodReport } from './period-report.ts';

/** What is kept of a period for those that follow: its states with sales and those with a return. */
export const keptStates = (
  { period, states }: PeriodReport,
  figures: FilingFigures,
  { returns }: PeriodFiling,
): readonly KeptState[] => {
  const names = new Set([...states.map(({ state }) => state), ...returns.map(stateOf)]);
  return [...names].sort().map((state): KeptState => {
    const totals = states.find((each) => each.state === state);
    const filed = returns.find((each) => stateOf(each) === state);
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
