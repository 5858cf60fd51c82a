import type { Money } from '../../../kernel/money.ts';
import { type FilingPeriod, periodBefore } from '../../../kernel/period.ts';
import type { StateTotals } from '../../reconcile/period-totals.ts';
import type { TrendRow } from '../../report/sheets/trend.ts';
import { keepPeriod, keptPeriods } from '../../workspace/trend.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Periods looked back, so that the same one of last year is among them when they are months. */
const PERIODS_BEFORE = 12;

/** The periods before, as they were kept, and this one as it is now; oldest first. */
export const trendOf = async (
  workspace: Workspace,
  period: FilingPeriod,
  states: readonly StateTotals[],
): Promise<readonly TrendRow[]> => {
  const labels: string[] = [];
  for (let before = periodBefore(period); before && labels.length < PERIODS_BEFORE; ) {
    labels.unshift(before.label);
    before = periodBefore(before);
  }
  const kept = await keptPeriods(workspace, labels);
  return [
    ...kept.map((row) => ({
      ...row,
      gross: row.gross as Money,
      collected: row.collected as Money,
      expected: row.expected as Money,
    })),
    ...states.map((state) => ({ period: period.label, ...figuresOf(state) })),
  ];
};

/** Keep what is published of a period, for the trends of those that follow. */
export const keepForTrend = (
  workspace: Workspace,
  period: FilingPeriod,
  states: readonly StateTotals[],
): Promise<void> => keepPeriod(workspace, period.label, states.map(figuresOf));

const figuresOf = ({ state, orders, refunds, gross, collected, expected }: StateTotals) => ({
  state,
  orders,
  refunds,
  gross,
  collected,
  expected,
});
