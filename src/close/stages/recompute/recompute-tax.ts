import type { FilingPeriod } from '../../../kernel/period.ts';
import { shownCount as shown, shownNumber } from '../../../kernel/shown-figures.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { postedSalesOf } from '../../period-sales/sales-of.ts';
import { sweepPages } from '../../period-sales/sweep-pages.ts';
import { forgetAskedAgain } from '../../workspace/answers.ts';
import type { SalesPage } from '../../workspace/sale-page.ts';
import { unlessDone } from '../inputs/done-before.ts';
import { type Advanced, type ClosePorts, isEmbedded } from '../run/close-ports.ts';
import { byPages } from '../sharing/by-pages.ts';
import { calculationCache } from './calculation-cache.ts';
import type { CallBudget } from './calculations.ts';
import { askShared } from './distribute-recompute.ts';
import { explainOpen } from './explain-open.ts';
import { pendingPage } from './pending-sales.ts';
import { checkBudget, planCalculations } from './plan-calculations.ts';
import { questionCap } from './question-cap.ts';
import { type CalculatedFigures, NOTHING_CALCULATED, recomputePages, type Spare } from './recompute-pages.ts';

export type RecomputeFigures = CalculatedFigures & {
  /** Calls that explain variances, which `asked` includes, and the most that are allowed. */
  readonly questions: number;
  readonly questionsMax: number;
  /** Variances for which not every question was asked, because the cap or the budget was reached. */
  readonly cutShort: number;
};

/**
 * Ask the service what tax each posted sale of the period should have carried, as of its day. Equal requests are made
 * once, answers are stored, and none are made if no tax is due. The call budget is checked before the first call. A
 * refusal is a finding about its sale. An outage stops the stage, which later continues where it stopped.
 *
 * Workers or threads do the work in batches, if there are any. With a call budget or `recompute`, only this process
 * does it, because calls must be counted in one place.
 */
export const recomputeTax = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<StageResult<RecomputeFigures>> => {
  const pass = {
    name: 'recompute',
    period,
    stages: ['calculated', 'variances'],
    again: again(ports),
  } as const;
  const figures = await unlessDone(ports, pass, () => recomputed(ports, period, advanced));
  return { value: figures, summary: recomputeText(figures) };
};

export const recomputeText = (figures: RecomputeFigures): string =>
  [
    `${shownNumber(figures.calculated, 'sale')} calculated (${shownNumber(figures.asked, 'calculation')}${
      figures.questions > 0
        ? `, ${shown(figures.questions)} of at most ${shown(figures.questionsMax)} to explain variances`
        : ''
    })`,
    ...(figures.cutShort > 0
      ? [`${shown(figures.cutShort)} variances not explained to the end: the limit was reached`]
      : []),
    `${shown(figures.known)} known`,
    ...(figures.skipped > 0 ? [`${shown(figures.skipped)} skipped (no tax due)`] : []),
    ...(figures.refused > 0 ? [`${shown(figures.refused)} refused`] : []),
  ].join(', ');

/**
 * Returns the figures of a repeated pass. Everything is known if calculations are free and not counted, none was
 * refused, and every question was asked.
 */
const again =
  (ports: ClosePorts) =>
  (figures: RecomputeFigures): RecomputeFigures | undefined => {
    const { calculated, known, skipped, refused, cutShort } = figures;
    const isFree = isEmbedded(ports) && ports.maxCalculations === undefined;
    if (!isFree || ports.recompute || refused + cutShort > 0) return undefined;
    const all = calculated + known + skipped;
    return { ...figures, asked: 0, questions: 0, calculated: 0, skipped: 0, known: all };
  };

const recomputed = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<RecomputeFigures> => {
  const budget = await spareCalls(ports, period, advanced);
  const calculated =
    (await shared(ports, period, advanced)) ??
    (await recomputePages(ports, postedSalesOf(ports.workspace, period), { spare: budget, advanced }));
  for (const stage of ['calculated', 'variances'] as const) await sweepPages(ports.workspace, stage, period);
  const explained = await explain(ports, period, { calculated, budget, advanced });
  if (ports.recompute) await forgetAskedAgain(ports.workspace);
  return { ...calculated, ...explained, asked: calculated.asked + explained.questions };
};

/** Explains what the sales' own calculations leave open, with the calls that are left over. */
const explain = async (
  ports: ClosePorts,
  period: FilingPeriod,
  {
    calculated,
    budget,
    advanced,
  }: { readonly calculated: CalculatedFigures; readonly budget: Spare; readonly advanced: Advanced },
): Promise<Pick<RecomputeFigures, 'questions' | 'questionsMax' | 'cutShort'>> => {
  const { known, skipped, refused } = calculated;
  const cap = questionCap(ports.configuration, calculated.calculated + known + skipped + refused);
  const questionsMax = Math.min(cap, budget.left);
  const cache = calculationCache(ports, () => advanced(0));
  // Questions follow one another, so each answer is written at once.
  cache.flushNow();
  const calls: CallBudget = { cache, asked: 0, left: questionsMax };
  const cutShort = await explainOpen(ports, period, calls, advanced);
  return { questions: calls.asked, questionsMax, cutShort };
};

const shared = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<CalculatedFigures | undefined> => {
  if (ports.maxCalculations !== undefined || ports.recompute) return undefined;
  const { workers } = ports;
  const done = async (page: SalesPage) => {
    const { isDone, count } = await pendingPage(ports, page);
    return isDone ? { known: count } : undefined;
  };
  const answered =
    workers && !isEmbedded(ports) ? await askShared(ports, workers, period, advanced) : undefined;
  return byPages(
    ports,
    { stage: 'recompute', period, counted: answered ?? NOTHING_CALCULATED, done },
    advanced,
  );
};

/**
 * Returns the calls of the budget that the sales of the period leave over.
 *
 * @throws {TieoutError} E_CALL_BUDGET
 */
const spareCalls = async (ports: ClosePorts, period: FilingPeriod, advanced: Advanced): Promise<Spare> => {
  if (ports.maxCalculations === undefined) return { left: Number.MAX_SAFE_INTEGER };
  const { value: plan } = await planCalculations(ports, period, advanced);
  checkBudget(plan);
  return { left: ports.maxCalculations - plan.toAsk };
};
