import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { postedSalesOf, type StoredSale } from '../../workspace/sales-of.ts';
import type { SaleCalculationRow } from '../../workspace/tables.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { askAlternatives } from './ask-alternatives.ts';
import { answersTo, digestOfRequest, isRegistered, type Tally } from './calculations.ts';
import { contextOf, pendingSales } from './pending-sales.ts';
import { checkBudget, planCalculations } from './plan-calculations.ts';

export type RecomputeFigures = {
  readonly asked: number;
  readonly known: number;
  readonly skipped: number;
  readonly refused: number;
};

/**
 * Ask the service what tax each posted sale of the period should have carried, as of its day. Equal requests are
 * asked once, answers are kept, and a destination without a registration is not asked for at all. The call budget
 * is checked before the first call. A refusal is a finding about its sale; an outage stops the stage, which goes on
 * where it was.
 */
export const recomputeTax = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<StageResult<RecomputeFigures>> => {
  if (ports.maxCalculations !== undefined)
    checkBudget((await planCalculations(ports, period, advanced)).value);
  const context = contextOf(ports);
  const tally: Tally = {
    asked: 0,
    known: 0,
    skipped: 0,
    refused: 0,
    left: ports.maxCalculations ?? Number.MAX_SAFE_INTEGER,
  };
  let done = 0;
  for await (const page of postedSalesOf(ports.workspace, period)) {
    const pending = await pendingSales(ports, page, context);
    tally.known += page.length - pending.length;
    await recomputePage(ports, pending, context, tally);
    done += page.length;
    advanced(done);
  }
  const { left: _, ...figures } = tally;
  const summary = `${figures.asked} asked, ${figures.known} known, ${figures.skipped} skipped without a registration`;
  return {
    value: figures,
    summary: figures.refused > 0 ? `${summary}, ${figures.refused} refused` : summary,
  };
};

const recomputePage = async (
  ports: ClosePorts,
  page: readonly StoredSale[],
  context: string,
  tally: Tally,
): Promise<void> => {
  const registered = page.map(({ sale }) => sale).filter((sale) => isRegistered(ports, sale));
  const answers = await answersTo(ports, registered, tally);
  const alternatives = await askAlternatives(ports, registered, answers, tally);

  const rows = page.map(({ sale, digest }): SaleCalculationRow => {
    const row = {
      entity: ports.workspace.entity,
      key: sale.key,
      sale_digest: digest,
      context,
      basis: 'calculated',
      detail: '',
      calculation: null,
      alternatives: '[]',
    };
    if (!isRegistered(ports, sale)) {
      tally.skipped += 1;
      return { ...row, basis: 'no registration' };
    }
    const request = digestOfRequest(ports, sale);
    const answer = answers.get(request);
    if (answer instanceof ServiceRefusal) {
      tally.refused += 1;
      return { ...row, basis: 'refused', detail: answer.message };
    }
    const kept = (alternatives.get(sale.key) ?? []).map(({ code, what, calculation }) => ({
      code,
      what,
      calculation,
    }));
    return { ...row, calculation: request, alternatives: JSON.stringify(kept) };
  });
  await ports.workspace.upsert('sale_calculation', rows);
};
