import { TieoutError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { shownCount } from '../../../kernel/shown-figures.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { withoutExemption } from '../../certificates/apply-exemption-type.ts';
import { postedSalesOf } from '../../period-sales/sales-of.ts';
import type { Sale } from '../../sales/sale.ts';
import type { SalesPage, StoredSale } from '../../workspace/sale-page.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import { digestOfRequest, keptResults, nothingDue } from './calculations.ts';
import { lateSalesToAsk } from './late-sales.ts';
import { isRelieved, pendingPage } from './pending-sales.ts';
import { questionCap } from './question-cap.ts';

/** The cost of recomputing a period, before any request is made. */
export type CalculationPlan = {
  /** Posted sales of the period. */
  readonly sales: number;
  /** Sales whose calculation is stored from earlier runs. */
  readonly kept: number;
  /** Sales on which no tax is due: no registration at their destination, or the marketplace remits. */
  readonly skipped: number;
  /** Sales whose request equals that of another sale of this run. */
  readonly deduplicated: number;
  /** Calculations that the sales need. */
  readonly toAsk: number;
  /** Further calculations that show how much tax exemptions relieve, as far as the budget allows. */
  readonly forExemptions: number;
  /**
   * Calculations that show the effect of undecided late items of locked periods. They do not count against the budget.
   */
  readonly forLateItems: number;
  /**
   * The most calculations that explaining variances may take. The actual number is not known before the sales are
   * calculated.
   */
  readonly questionsMax: number;
  /** The most calculations that may be requested; `null` without a limit. */
  readonly budget: number | null;
};

/**
 * Count the requests that recomputing would make, without making, sending or paying for any. `missing` contains the
 * digests of requests that are made anyway; the new ones are added to it. The number of questions that explain
 * variances cannot be counted, because a question is asked only if an answer differs from what was collected. The plan
 * gives their maximum.
 */
export const planCalculations = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
  missing: Set<string> = new Set(),
): Promise<StageResult<CalculationPlan>> => {
  const before = missing.size;
  const counts = { sales: 0, kept: 0, skipped: 0, deduplicated: 0 };
  const { shown, carried } = await lateSalesToAsk(ports, period);
  const late = new Set<string>();
  for (const page of shown) {
    const { pending } = await pendingPage(ports, page);
    for (const digest of await unknownAmong(ports, pending)) if (digest !== undefined) late.add(digest);
  }
  const reliefs = new Set<string>();
  const add = async (page: SalesPage): Promise<void> => {
    const { pending, unrelieved, count } = await pendingPage(ports, page);
    const digests = await unknownAmong(ports, pending);
    for (const digest of digests) {
      if (digest === undefined || late.has(digest)) counts.kept += 1;
      else if (missing.has(digest)) counts.deduplicated += 1;
      else missing.add(digest);
    }
    for (const digest of await unknownReliefs(ports, unrelieved)) reliefs.add(digest);
    counts.sales += count;
    counts.kept += count - pending.length;
    counts.skipped += pending.length - digests.length;
  };
  for await (const page of postedSalesOf(ports.workspace, period)) {
    await add(page);
    advanced(counts.sales);
  }
  for (const page of carried) await add(page);
  const forExemptions = [...reliefs].filter((digest) => !missing.has(digest) && !late.has(digest)).length;
  const plan = {
    ...planWith(ports, { ...counts, toAsk: missing.size - before }, forExemptions),
    forLateItems: late.size,
  };
  return { value: plan, summary: planText(plan) };
};

/** Counts the same for posted sales that come in pages, of whose answers only those of a remote service are kept. */
export const planOfSales = async (
  ports: ClosePorts,
  pages: Iterable<readonly Sale[]>,
  missing: Set<string> = new Set(),
): Promise<CalculationPlan> => {
  const before = missing.size;
  const counts = { sales: 0, kept: 0, skipped: 0, deduplicated: 0 };
  const reliefs = new Set<string>();
  for (const page of pages) {
    const due = page.filter((sale) => nothingDue(ports, sale) === undefined);
    counts.sales += page.length;
    counts.skipped += page.length - due.length;
    const digests = due.map((sale) => digestOfRequest(ports, sale));
    const relieved = due.filter((sale) => isRelieved(ports, sale)).map(withoutExemption);
    const unrelieved = relieved.map((sale) => digestOfRequest(ports, sale));
    const kept = await keptResults(ports, [...digests, ...unrelieved]);
    for (const digest of digests) {
      if (kept.has(digest)) counts.kept += 1;
      else if (missing.has(digest)) counts.deduplicated += 1;
      else missing.add(digest);
    }
    for (const digest of unrelieved) if (!kept.has(digest)) reliefs.add(digest);
  }
  const further = [...reliefs].filter((digest) => !missing.has(digest)).length;
  return planWith(ports, { ...counts, toAsk: missing.size - before }, further);
};

const planWith = (
  { maxCalculations, configuration }: ClosePorts,
  counts: Pick<CalculationPlan, 'sales' | 'kept' | 'skipped' | 'deduplicated' | 'toAsk'>,
  forExemptions: number,
): CalculationPlan => {
  const cap = questionCap(configuration, counts.sales);
  const budget = maxCalculations ?? Number.MAX_SAFE_INTEGER;
  return {
    ...counts,
    ...{ forExemptions, forLateItems: 0 },
    questionsMax: Math.min(cap, Math.max(0, budget - counts.toAsk)),
    budget: maxCalculations ?? null,
  };
};

/** Returns, for each sale on which tax is due, the digest of its request; `undefined` if its answer is stored. */
const unknownAmong = async (
  ports: ClosePorts,
  page: readonly StoredSale[],
): Promise<readonly (string | undefined)[]> => {
  const due = page.map(({ sale }) => sale).filter((sale) => nothingDue(ports, sale) === undefined);
  const digests = due.map((sale) => digestOfRequest(ports, sale));
  const kept = await keptResults(ports, digests);
  return digests.map((digest) => (kept.has(digest) ? undefined : digest));
};

const unknownReliefs = async (
  ports: ClosePorts,
  unrelieved: readonly StoredSale[],
): Promise<readonly string[]> => {
  const digests = unrelieved.map(({ sale }) => digestOfRequest(ports, withoutExemption(sale)));
  const kept = await keptResults(ports, digests);
  return digests.filter((digest) => !kept.has(digest));
};

export const planText = (plan: CalculationPlan): string => {
  const limit = plan.budget === null ? '' : ` of ${shownCount(plan.budget)} allowed, ${leftOf(plan)}`;
  return [
    `${shownCount(plan.toAsk)} calculations needed${limit}`,
    ...(plan.forExemptions > 0
      ? [`${shownCount(plan.forExemptions)} for the tax that exemptions relieve`]
      : []),
    ...(plan.forLateItems > 0 ? [`${shownCount(plan.forLateItems)} for late items`] : []),
    `at most ${shownCount(plan.questionsMax)} more to explain variances`,
    [
      `${shownCount(plan.kept)} known`,
      ...(plan.deduplicated > 0 ? [`${shownCount(plan.deduplicated)} equal to others`] : []),
      ...(plan.skipped > 0 ? [`${shownCount(plan.skipped)} skipped (no tax due)`] : []),
    ].join(', '),
  ].join('; ');
};

/** Explaining variances may use the rest of the allowance. */
const leftOf = ({ budget, toAsk }: CalculationPlan): string => {
  const left = (budget ?? 0) - toAsk;
  return left < 0 ? `${shownCount(-left)} too many` : `${shownCount(left)} left over`;
};

/** Whether the sales need more calculations than are allowed. */
export const isOverBudget = ({ toAsk, budget }: Pick<CalculationPlan, 'toAsk' | 'budget'>): boolean =>
  budget !== null && toAsk > budget;

/** @throws {TieoutError} E_CALL_BUDGET when the plan needs more calculations than are allowed */
export const checkBudget = (
  plan: Pick<CalculationPlan, 'toAsk' | 'budget'>,
  what = 'the period needs',
): void => {
  if (!isOverBudget(plan)) return;
  throw new TieoutError({
    code: 'E_CALL_BUDGET',
    message: `${what} ${shownCount(plan.toAsk)} calculations, and ${shownCount(plan.budget ?? 0)} are allowed`,
    nextStep:
      'Raise `service.maxCalculations` or --max-calculations, or close fewer months. Nothing was asked for',
  });
};
