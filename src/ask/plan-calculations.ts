import { withoutExemption } from '../certificates/certificate.ts';
import type { Configuration } from '../configuration/schema.ts';
import { TieoutError } from '../kernel/errors.ts';
import { shownCount, shownNumber } from '../kernel/text.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { Sale } from '../sales/sale.ts';
import { digestOfRequest, isRelieved, nothingDue } from './calculate.ts';

/** The cost of recomputing a period, before any request is made. */
export type CalculationPlan = {
  /** Posted sales of the period, with what is late. */
  readonly sales: number;
  /** Sales whose calculation is stored from earlier runs. */
  readonly kept: number;
  /** Calculations that the sales need: with those of what exemptions relieve, and of late items no one has decided. */
  readonly toAsk: number;
  /**
   * The most calculations that explaining variances may take. The actual number is not known before the sales are
   * calculated.
   */
  readonly questionsMax: number;
  /** The most calculations that may be requested; `null` without a limit. */
  readonly budget: number | null;
};

/** Counts the calculations of posted sales that come in pages. Only answers of a remote service are kept. */
export const planOfSales = async (
  ports: ClosePorts,
  pages: Iterable<readonly Sale[]>,
): Promise<CalculationPlan> => {
  const missing = new Set<string>();
  const counts = { sales: 0, kept: 0 };
  for (const page of pages) {
    const due = page.filter((sale) => nothingDue(ports, sale) === undefined);
    counts.sales += page.length;
    const digests = due.map((sale) => digestOfRequest(ports, sale));
    const relieved = due.filter((sale) => isRelieved(ports, sale)).map(withoutExemption);
    const unrelieved = relieved.map((sale) => digestOfRequest(ports, sale));
    const kept = (await ports.answers?.results([...digests, ...unrelieved])) ?? new Map();
    counts.kept += digests.filter((digest) => kept.has(digest)).length;
    for (const digest of [...digests, ...unrelieved]) if (!kept.has(digest)) missing.add(digest);
  }
  const { maxCalculations, configuration } = ports;
  const toAsk = missing.size;
  const left = (maxCalculations ?? Number.MAX_SAFE_INTEGER) - toAsk;
  const questionsMax = Math.min(questionCap(configuration, counts.sales), Math.max(0, left));
  return { ...counts, toAsk, questionsMax, budget: maxCalculations ?? null };
};

export const planText = ({ budget, toAsk, questionsMax, kept }: CalculationPlan): string => {
  const limit = budget === null ? '' : ` of ${shownCount(budget)} allowed`;
  return `${shownCount(toAsk)} calculations needed${limit}; at most ${shownCount(questionsMax)} more to explain variances; ${shownCount(kept)} known`;
};

/** Whether the sales need more calculations than are allowed. */
export const isOverBudget = ({ toAsk, budget }: CalculationPlan): boolean =>
  budget !== null && toAsk > budget;

/** @throws {TieoutError} E_CALL_BUDGET when the plan needs more calculations than are allowed */
export const checkBudget = (plan: CalculationPlan): void => {
  if (!isOverBudget(plan)) return;
  throw new TieoutError({
    code: 'E_CALL_BUDGET',
    message: `the period needs ${shownCount(plan.toAsk)} calculations, and ${shownCount(plan.budget ?? 0)} are allowed`,
    nextStep:
      'Raise `service.maxCalculations` or --max-calculations, or close fewer months. Nothing was asked for',
  });
};

/** The default cap of a remote service, which may bill each call: one question for every 20 sales, and at least 100. */
const SALES_PER_QUESTION = 20;
const QUESTIONS_MIN = 100;
/** The default cap of the embedded service: one question a sale, and at least 1,000. */
const EMBEDDED_MIN = 1_000;

/** Returns how many calls a close of this many sales may make to explain variances. */
export const questionCap = ({ service }: Pick<Configuration, 'service'>, sales: number): number => {
  if (service.maxQuestions !== undefined) return service.maxQuestions;
  return service.url === undefined
    ? Math.max(EMBEDDED_MIN, sales)
    : Math.max(QUESTIONS_MIN, Math.ceil(sales / SALES_PER_QUESTION));
};

/** The counts of the sales' own calculations, and of those that explain variances. */
export type RecomputeFigures = {
  /** Calls for a calculation. */
  readonly asked: number;
  /** Sales that were calculated now, known from earlier runs, skipped or refused: all posted sales of the period. */
  readonly calculated: number;
  readonly known: number;
  readonly skipped: number;
  readonly refused: number;
  /** Calls that explain variances, which `asked` includes, and the most that are allowed. */
  readonly questions: number;
  readonly questionsMax: number;
  /** Variances for which not every question was asked, because the cap or the budget was reached. */
  readonly cutShort: number;
};

export const recomputeText = (figures: RecomputeFigures): string =>
  [
    `${shownNumber(figures.calculated, 'sale')} calculated (${shownNumber(figures.asked, 'calculation')}${
      figures.questions > 0
        ? `, ${shownCount(figures.questions)} of at most ${shownCount(figures.questionsMax)} to explain variances`
        : ''
    })`,
    figures.cutShort > 0 &&
      `${shownCount(figures.cutShort)} variances not explained to the end: the limit was reached`,
    `${shownCount(figures.known)} known`,
    figures.skipped > 0 && `${shownCount(figures.skipped)} skipped (no tax due)`,
    figures.refused > 0 && `${shownCount(figures.refused)} refused`,
  ]
    .filter(Boolean)
    .join(', ');
