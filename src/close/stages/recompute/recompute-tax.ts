import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { slicesOf } from '../../../runtime/batches.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { rollingWindow } from '../../../runtime/rolling-window.ts';
import { noteAnswering, noteReplaced } from '../../workspace/answering.ts';
import { forgetAskedAgain } from '../../workspace/asked-again.ts';
import { UNEXPLAINED } from '../../workspace/expectation-of.ts';
import { postedSalesOf, type StoredSale } from '../../workspace/sales-of.ts';
import type { SaleCalculationRow } from '../../workspace/tables.ts';
import { byDays } from '../batches/by-days.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { calculationAsker } from './asker.ts';
import { type Answers, answersTo, type Calls, digestOfRequest, nothingDue } from './calculations.ts';
import { citiesOfZip } from './cities-of-zip.ts';
import { explainOpen } from './explain-open.ts';
import { handOutRecompute } from './hand-out-recompute.ts';
import { isOpenVariance } from './open-variances.ts';
import { contextOf, pendingSales } from './pending-sales.ts';
import { checkBudget, planCalculations } from './plan-calculations.ts';
import { questionCap } from './question-cap.ts';
import { askRelief } from './relief.ts';

export type RecomputeFigures = CalculatedFigures & {
  /** Calls that explain variances, which `asked` includes; and how many of them there may be. */
  readonly questions: number;
  readonly questionsMax: number;
  /** Variances that were not asked about to the end, because the cap or the budget was reached. */
  readonly cutShort: number;
};

/** What the sales by themselves come to. */
export type CalculatedFigures = {
  /** Calls for a calculation. */
  readonly asked: number;
  /** Sales calculated now, known from earlier runs, skipped, refused: together all posted sales of the period. */
  readonly calculated: number;
  readonly known: number;
  readonly skipped: number;
  readonly refused: number;
};

const NONE: CalculatedFigures = { asked: 0, calculated: 0, known: 0, skipped: 0, refused: 0 };

/**
 * Slices that are worked on at once, so that the calls of the next ones fill the gaps while the last answers of one
 * arrive and its variances are explained. They are small, because no answer is heard while one is prepared. With a
 * budget it is one page after the other: which variances get what it leaves over must not depend on which answer came
 * first.
 */
const SLICES_AT_ONCE = 16;
const SLICE_ROWS = 100;

/**
 * Ask the service what tax each posted sale of the period should have carried, as of its day. Equal requests are
 * asked once, answers are kept, and where nothing is due nothing is asked. The call budget is checked before the
 * first call. A refusal is a finding about its sale; an outage stops the stage, which goes on where it was.
 *
 * Workers do it in batches when there are any, or threads by days; but a budget, and asking again for what is known,
 * are counted in one place only.
 */
export const recomputeTax = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<StageResult<RecomputeFigures>> => {
  await noteAnswering(ports.workspace, ports.serviceId);
  const budget = await spareCalls(ports, period, advanced);
  const calculated =
    (await shared(ports, period, advanced)) ??
    (await recomputePages(ports, postedSalesOf(ports.workspace, period), { spare: budget, advanced }));
  const explained = await explain(ports, period, { calculated, budget, advanced });
  if (ports.recompute) await forgetAskedAgain(ports.workspace);
  const figures = { ...calculated, ...explained, asked: calculated.asked + explained.questions };
  const parts = [
    `${figures.calculated} sales calculated with ${figures.asked} calls`,
    ...(figures.questions > 0
      ? [`${figures.questions} of them questions about variances, of at most ${figures.questionsMax}`]
      : []),
    ...(figures.cutShort > 0
      ? [`${figures.cutShort} variances not asked about to the end: no more calls were allowed`]
      : []),
    `${figures.known} known`,
    `${figures.skipped} skipped, as nothing is due`,
    ...(figures.refused > 0 ? [`${figures.refused} refused`] : []),
  ];
  return { value: figures, summary: parts.join(', ') };
};

/** Explain what the sales by themselves leave open, with the calls that they leave over. */
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
  const asker = calculationAsker(ports, () => advanced(0));
  // Questions follow one another: no answer waits for others to be written with.
  asker.hurry();
  const calls: Calls = { asker, asked: 0, left: questionsMax };
  const cities = citiesOfZip(ports.workspace, period);
  const cutShort = await explainOpen(ports, period, { calls, cities }, advanced);
  return { questions: calls.asked, questionsMax, cutShort };
};

const shared = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<CalculatedFigures | undefined> => {
  if (ports.maxCalculations !== undefined || ports.recompute) return undefined;
  return ports.workers
    ? handOutRecompute(ports, ports.workers, period, advanced)
    : byDays(ports, { stage: 'recompute', period, counted: NONE }, advanced);
};

/** Calls that may still be made for what the sales themselves do not need. */
export type Spare = { left: number };

/** Recompute these pages of posted sales of the period, or what is left to do of them. */
export const recomputePages = async (
  ports: ClosePorts,
  pages: AsyncIterable<readonly StoredSale[]>,
  { spare: budget, advanced }: { readonly spare: Spare; readonly advanced: Advanced },
): Promise<CalculatedFigures> => {
  let done = 0;
  const asker = calculationAsker(ports, () => advanced(done));
  const calls: Calls = { asker, asked: 0, left: Number.MAX_SAFE_INTEGER };
  const spare: Calls = { asker, asked: 0, left: budget.left };
  const context = contextOf(ports);
  const sales = { calculated: 0, known: 0, skipped: 0, refused: 0 };
  const isLimited = ports.maxCalculations !== undefined;
  const slices = isLimited ? pages : slicesOf(pages, SLICE_ROWS);
  await rollingWindow(untilEnd(slices, asker.hurry), isLimited ? 1 : SLICES_AT_ONCE, async (page) => {
    const pending = await pendingSales(ports, page, context);
    sales.known += page.length - pending.length;
    for (const { basis } of await recomputePage(ports, pending, context, calls)) sales[FIGURE_OF[basis]] += 1;
    await askRelief(
      ports,
      page.map(({ sale }) => sale),
      spare,
    );
    done += page.length;
    advanced(done);
  });
  budget.left = spare.left;
  return { asked: calls.asked + spare.asked, ...sales };
};

async function* untilEnd<Item>(items: AsyncIterable<Item>, ended: () => void): AsyncGenerator<Item> {
  yield* items;
  ended();
}

/** Calls of the budget that the sales of the period leave over. @throws {TieoutError} E_CALL_BUDGET */
const spareCalls = async (ports: ClosePorts, period: FilingPeriod, advanced: Advanced): Promise<Spare> => {
  if (ports.maxCalculations === undefined) return { left: Number.MAX_SAFE_INTEGER };
  const { value: plan } = await planCalculations(ports, period, advanced);
  checkBudget(plan);
  return { left: ports.maxCalculations - plan.toAsk };
};

const FIGURE_OF = {
  calculated: 'calculated',
  'no registration': 'skipped',
  marketplace: 'skipped',
  refused: 'refused',
} as const;

/** Compute the tax of these sales, and keep it with what identifies its calculation. */
export const recomputePage = async (
  ports: ClosePorts,
  page: readonly StoredSale[],
  context: string,
  calls: Calls,
): Promise<readonly SaleCalculationRow[]> => {
  const sales = page.map(({ sale }) => sale);
  const due = sales.filter((sale) => nothingDue(ports, sale) === undefined);
  const answers = await answersTo(ports, due, calls);
  const rows = page.map((stored) => calculationRow(ports, stored, context, answers));
  if (rows.length === 0) return rows;
  await ports.workspace.together(async (tables) => {
    await noteReplaced(ports.workspace, rows, tables);
    await ports.workspace.upsert('sale_calculation', rows, tables);
  });
  return rows;
};

const calculationRow = (
  ports: ClosePorts,
  { sale, digest }: StoredSale,
  context: string,
  answers: Answers,
): SaleCalculationRow => {
  const reason = nothingDue(ports, sale);
  const request = reason === undefined ? digestOfRequest(ports, sale) : null;
  const answer = request === null ? undefined : answers.get(request);
  const row = {
    entity: ports.workspace.entity,
    key: sale.key,
    sale_digest: digest,
    context,
    alternatives: '[]',
    claims: '[]',
    detail: isOpenVariance(ports, sale, answer) ? UNEXPLAINED : '',
  };
  if (reason !== undefined) return { ...row, basis: reason, calculation: null };
  if (answer instanceof ServiceRefusal)
    return { ...row, basis: 'refused', calculation: null, detail: answer.message };
  return { ...row, basis: 'calculated', calculation: request };
};
