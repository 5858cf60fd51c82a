import { amendedPeriod } from '../../../kernel/amended-version.ts';
import type { Money } from '../../../kernel/money.ts';
import { type FilingPeriod, monthsOf } from '../../../kernel/period.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import type { PriorFiling, PriorPeriodState } from '../../figures/prior-period-states.ts';
import { lastVersionOf, lastVersionsBefore } from '../../periods/last-version.ts';
import { keepPeriod, keptPeriods, type PeriodState } from '../../workspace/trend.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The number of earlier periods in the trend: for months, as many as a threshold by the year before is measured by. */
const PERIODS_BEFORE = 23;

/** Returns the stored totals of earlier periods, each in its last version, oldest first. */
export const earlierPeriods = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<readonly PriorPeriodState[]> => {
  const before = await lastVersionsBefore(workspace, period, PERIODS_BEFORE);
  return (await keptPeriods(workspace, before.map(({ label }) => label).reverse())).map(keptState);
};

/**
 * Returns the stored totals of the months up to the end of a period of several months, each in its last version, oldest
 * first. A month has them in its trend.
 */
export const monthsBehind = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<Pick<PeriodReport, 'months'>> => {
  const last = monthsOf(period).at(-1);
  if (last === undefined || last.label === amendedPeriod(period.label)) return {};
  const before = await lastVersionsBefore(workspace, last, PERIODS_BEFORE);
  const labels = [await lastVersionOf(workspace, last), ...before.map(({ label }) => label)];
  return { months: (await keptPeriods(workspace, labels.reverse())).map(keptState) };
};

/** Store the published totals of a period for later ones. */
export const keepForTrend = (
  workspace: Workspace,
  period: FilingPeriod,
  states: readonly PriorPeriodState[],
): Promise<void> => keepPeriod(workspace, period.label, states.map(keptRow));

const keptState = (row: PeriodState): PriorPeriodState => ({
  period: row.period,
  state: row.state,
  orders: row.orders,
  refunds: row.refunds,
  gross: row.gross as Money,
  collected: row.collected as Money,
  expected: row.expected as Money,
  filed: row.taxable === null ? undefined : keptFiling(row),
});

const keptFiling = (row: PeriodState): PriorFiling => ({
  taxable: (row.taxable ?? 0) as Money,
  exempt: (row.exempt ?? 0) as Money,
  resale: (row.resale ?? 0) as Money,
  marketplace: (row.marketplace ?? 0) as Money,
  transactions: row.transactions ?? row.orders,
  marketplaceOrders: row.marketplace_orders ?? 0,
  prepaymentsLeft: (row.prepayments_left ?? 0) as Money,
  creditsLeft: (row.credits_left ?? 0) as Money,
});

const keptRow = ({ filed, period: _, ...figures }: PriorPeriodState): Omit<PeriodState, 'period'> => ({
  ...figures,
  taxable: filed?.taxable ?? null,
  exempt: filed?.exempt ?? null,
  resale: filed?.resale ?? null,
  marketplace: filed?.marketplace ?? null,
  transactions: filed?.transactions ?? null,
  marketplace_orders: filed?.marketplaceOrders ?? null,
  prepayments_left: filed?.prepaymentsLeft ?? null,
  credits_left: filed?.creditsLeft ?? null,
});
