import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { slicesOf } from '../../../runtime/batches.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { rollingWindow } from '../../../runtime/rolling-window.ts';
import { noteAnswering, noteReplaced } from '../../workspace/answering.ts';
import { forgetAskedAgain } from '../../workspace/asked-again.ts';
import { CUT_SHORT, UNEXPLAINED } from '../../workspace/expectation-of.ts';
import { postedSalesOf, type StoredSale } from '../../workspace/sales-of.ts';
import type { SaleCalculationRow } from '../../workspace/tables.ts';
import { byDays } from '../batches/by-days.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { askAlternatives, type Inquiry } from './ask-alternatives.ts';
import { calculationAsker } from './asker.ts';
import { type Answers, answersTo, type Calls, digestOfRequest, nothingDue } from './calculations.ts';
import { type CitiesOfZip, citiesOfZip } from './cities-of-zip.ts';
import { handOutRecompute } from './hand-out-recompute.ts';
import { contextOf, pendingSales } from './pending-sales.ts';
import { checkBudget, planCalculations } from './plan-calculations.ts';
import { askRelief } from './relief.ts';

export type RecomputeFigures = {
  /** Calls for a calculation, those that explain a variance included. */
  readonly asked: number;
  /** Sales calculated now, known from earlier runs, skipped, refused: together all posted sales of the period. */
  readonly calculated: number;
  readonly known: number;
  readonly skipped: number;
  readonly refused: number;
};

const NONE: RecomputeFigures = { asked: 0, calculated: 0, known: 0, skipped: 0, refused: 0 };

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
  const figures =
    (await shared(ports, period, advanced)) ??
    (await recomputePages(ports, period, postedSalesOf(ports.workspace, period), {
      cities: citiesOfZip(ports.workspace, period),
      advanced,
    }));
  if (ports.recompute) await forgetAskedAgain(ports.workspace);
  const parts = [
    `${figures.calculated} sales calculated with ${figures.asked} calls`,
    `${figures.known} known`,
    `${figures.skipped} skipped, as nothing is due`,
    ...(figures.refused > 0 ? [`${figures.refused} refused`] : []),
  ];
  return { value: figures, summary: parts.join(', ') };
};

const shared = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<RecomputeFigures | undefined> => {
  if (ports.maxCalculations !== undefined || ports.recompute) return undefined;
  return ports.workers
    ? handOutRecompute(ports, ports.workers, period, advanced)
    : byDays(ports, { stage: 'recompute', period, counted: NONE }, advanced);
};

/** Recompute these pages of posted sales of the period, or what is left to do of them. */
export const recomputePages = async (
  ports: ClosePorts,
  period: FilingPeriod,
  pages: AsyncIterable<readonly StoredSale[]>,
  { cities, advanced }: { readonly cities: CitiesOfZip; readonly advanced: Advanced },
): Promise<RecomputeFigures> => {
  let done = 0;
  const asker = calculationAsker(ports, () => advanced(done));
  const calls: Calls = { asker, asked: 0, left: Number.MAX_SAFE_INTEGER };
  // What explains variances may only use what the sales themselves do not need.
  const spare: Calls = { asker, asked: 0, left: await spareCalls(ports, period, advanced) };
  const context = contextOf(ports);
  const sales = { calculated: 0, known: 0, skipped: 0, refused: 0 };
  const isLimited = ports.maxCalculations !== undefined;
  const slices = isLimited ? pages : slicesOf(pages, SLICE_ROWS);
  await rollingWindow(untilEnd(slices, asker.hurry), isLimited ? 1 : SLICES_AT_ONCE, async (page) => {
    const pending = await pendingSales(ports, page, context);
    sales.known += page.length - pending.length;
    for (const { basis } of await recomputePage(ports, pending, context, { calls, spare, cities }))
      sales[FIGURE_OF[basis]] += 1;
    await askRelief(
      ports,
      page.map(({ sale }) => sale),
      spare,
    );
    done += page.length;
    advanced(done);
  });
  return { asked: calls.asked + spare.asked, ...sales };
};

async function* untilEnd<Item>(items: AsyncIterable<Item>, ended: () => void): AsyncGenerator<Item> {
  yield* items;
  ended();
}

/** Calls of the budget that the sales of the period leave over. @throws {TieoutError} E_CALL_BUDGET */
const spareCalls = async (ports: ClosePorts, period: FilingPeriod, advanced: Advanced): Promise<number> => {
  if (ports.maxCalculations === undefined) return Number.MAX_SAFE_INTEGER;
  const { value: plan } = await planCalculations(ports, period, advanced);
  checkBudget(plan);
  return ports.maxCalculations - plan.toAsk;
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
  given: { readonly calls: Calls; readonly spare: Calls; readonly cities: CitiesOfZip },
): Promise<readonly SaleCalculationRow[]> => {
  const sales = page.map(({ sale }) => sale);
  const due = sales.filter((sale) => nothingDue(ports, sale) === undefined);
  const answers = await answersTo(ports, due, given.calls);
  const inquiries = await askAlternatives(ports, sales, answers, {
    calls: given.spare,
    citiesOfZip: given.cities,
  });

  const rows = page.map((stored) =>
    calculationRow(ports, stored, context, { answers, inquiry: inquiries.get(stored.sale.key) }),
  );
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
  { answers, inquiry }: { readonly answers: Answers; readonly inquiry: Inquiry | undefined },
): SaleCalculationRow => {
  const kept = (inquiry?.alternatives ?? []).map(({ code, what, calculation }) => ({
    code,
    what,
    calculation,
  }));
  const alternatives = JSON.stringify(kept);
  const row = {
    entity: ports.workspace.entity,
    key: sale.key,
    sale_digest: digest,
    context,
    basis: 'calculated' as const,
    detail: '',
    calculation: null,
    alternatives: '[]',
  };
  const reason = nothingDue(ports, sale);
  if (reason !== undefined) return { ...row, basis: reason, alternatives };
  const request = digestOfRequest(ports, sale);
  const answer = answers.get(request);
  if (answer instanceof ServiceRefusal) return { ...row, basis: 'refused', detail: answer.message };
  return { ...row, calculation: request, alternatives, detail: openDetail(inquiry) };
};

const openDetail = (inquiry: Inquiry | undefined): string => {
  if (!inquiry?.isOpen) return '';
  return inquiry.isCutShort ? CUT_SHORT : UNEXPLAINED;
};
