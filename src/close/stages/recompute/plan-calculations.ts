import { TieoutError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { postedSalesOf } from '../../workspace/sales-of.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { digestOfRequest, keptAnswers, nothingDue } from './calculations.ts';
import { contextOf, pendingSales } from './pending-sales.ts';

/** What recomputing a period would cost, before anything is asked. */
export type CalculationPlan = {
  /** Posted sales of the period. */
  readonly sales: number;
  /** Sales whose calculation is kept from earlier runs. */
  readonly kept: number;
  /** Sales of which nothing is due: no registration where they went, or the marketplace remits. */
  readonly skipped: number;
  /** Sales whose request equals another's of this run. */
  readonly deduplicated: number;
  /** Calculations that would be asked for. Unexplained variances, and the tax that exemptions relieve, may need more, within the budget. */
  readonly toAsk: number;
  /** Calculations that may be asked for; `null` without a limit. */
  readonly budget: number | null;
};

/**
 * Count what recomputing would ask for. Nothing is asked, sent or billed. `missing` holds the digests of requests that
 * are asked for anyway, and is added to.
 */
export const planCalculations = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
  missing: Set<string> = new Set(),
): Promise<StageResult<CalculationPlan>> => {
  const context = contextOf(ports);
  const before = missing.size;
  const counts = { sales: 0, kept: 0, skipped: 0, deduplicated: 0 };
  for await (const page of postedSalesOf(ports.workspace, period)) {
    const pending = (await pendingSales(ports, page, context)).map(({ sale }) => sale);
    const due = pending.filter((sale) => nothingDue(ports, sale) === undefined);
    const kept = ports.recompute ? new Map() : await keptAnswers(ports, due);
    for (const sale of due) {
      const digest = digestOfRequest(ports, sale);
      if (kept.has(digest)) counts.kept += 1;
      else if (missing.has(digest)) counts.deduplicated += 1;
      else missing.add(digest);
    }
    counts.sales += page.length;
    counts.kept += page.length - pending.length;
    counts.skipped += pending.length - due.length;
    advanced(counts.sales);
  }
  const plan = { ...counts, toAsk: missing.size - before, budget: ports.maxCalculations ?? null };
  const limit = plan.budget === null ? '' : ` of ${plan.budget} allowed, ${leftOf(plan)}`;
  const rest = `${plan.kept} kept, ${plan.deduplicated} equal to others, ${plan.skipped} skipped, as nothing is due`;
  return { value: plan, summary: `${plan.toAsk} calculations to ask for${limit}; ${rest}` };
};

/** What explains variances may use the rest of the allowance. */
const leftOf = ({ budget, toAsk }: CalculationPlan): string => {
  const left = (budget ?? 0) - toAsk;
  return left < 0 ? `${-left} too many` : `${left} left over`;
};

/** @throws {TieoutError} E_CALL_BUDGET when the plan asks for more than is allowed */
export const checkBudget = (
  plan: Pick<CalculationPlan, 'toAsk' | 'budget'>,
  what = 'the period needs',
): void => {
  if (plan.budget === null || plan.toAsk <= plan.budget) return;
  throw new TieoutError({
    code: 'E_CALL_BUDGET',
    recovery: 'fix-config',
    message: `${what} ${plan.toAsk} calculations, and ${plan.budget} are allowed`,
    nextStep:
      'Raise `service.maxCalculations` or --max-calculations, or close fewer months. Nothing was asked for',
  });
};
