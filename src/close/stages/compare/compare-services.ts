import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { TaxRequestInput } from '../../../contract/tax-request.ts';
import type { TaxService } from '../../../contract/tax-service.ts';
import { digestOf, type Json } from '../../../kernel/digest.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { shownNumber } from '../../../kernel/shown-figures.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import { inParallel } from '../../../runtime/in-parallel.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import type { Answer } from '../../answer-differences/answer-fields.ts';
import { compareAnswers } from '../../answer-differences/compare-answers.ts';
import { salesOf } from '../../period-sales/sales-of.ts';
import type { ComparedSale } from '../../report/sheets/compared-sales.ts';
import type { Sale } from '../../sales/sale.ts';
import { taxRequestOf } from '../../sales/tax-request-of.ts';
import { nothingDue } from '../recompute/calculations.ts';
import { checkBudget } from '../recompute/plan-calculations.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';

/** A service, with the name under which its answers are shown. */
export type ComparedService = { readonly service: TaxService; readonly serviceId: string };

export type ComparePorts = ClosePorts & { readonly own: ComparedService; readonly other: ComparedService };

/** A request of the period, with its first sale and the number of its sales. `net` is its orders less its refunds. */
type Question = { readonly request: TaxRequestInput; readonly sale: Sale; sales: number; net: number };

export type Comparison = {
  readonly own: string;
  readonly other: string;
  /** The number of sales of the period on which tax may be due, and of their distinct requests. */
  readonly sales: number;
  readonly questions: number;
  /** Largest difference of tax first. */
  readonly differences: readonly ComparedSale[];
};

const BATCH_QUESTIONS = 50;

/**
 * Send each distinct request of a period's sales to two services, and compare the answers. Nothing is recorded with
 * either service, and no answer is stored.
 *
 * @throws {TieoutError} E_CALL_BUDGET, before any request is made
 */
export const compareServices = async (
  ports: ComparePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<StageResult<Comparison>> => {
  const questions = [...(await questionsOf(ports, period)).values()];
  checkBudget(
    { toAsk: questions.length, budget: ports.maxCalculations ?? null },
    'comparing the period needs from each service',
  );
  const differences: ComparedSale[] = [];
  let asked = 0;
  for (const batch of batchesOf(questions, BATCH_QUESTIONS)) {
    const compared = await inParallel(batch, ports.callsAtOnce, async (question) => {
      const [own, other] = await Promise.all([ask(ports.own, question), ask(ports.other, question)]);
      const difference = compareAnswers(own, other);
      const { sale, sales, net } = question;
      const { record } = sale.origin;
      return (
        difference && { record, state: sale.shipTo.state, date: sale.taxDate, sales, net, ...difference }
      );
    });
    differences.push(...compared.filter((one) => one !== undefined));
    asked += batch.length;
    advanced(asked, questions.length);
  }
  const sales = questions.reduce((total, question) => total + question.sales, 0);
  return {
    value: {
      own: ports.own.serviceId,
      other: ports.other.serviceId,
      sales,
      questions: questions.length,
      differences: differences.sort(byTax),
    },
    summary: `${shownNumber(questions.length, 'calculation')} for ${shownNumber(sales, 'sale')}, ${differences.length} with another result`,
  };
};

const questionsOf = async (
  ports: ClosePorts,
  period: FilingPeriod,
): Promise<ReadonlyMap<string, Question>> => {
  const questions = new Map<string, Question>();
  for await (const { sales } of salesOf(ports.workspace, period)) {
    for (const { sale, posting } of sales) {
      if (posting !== 'posted' || nothingDue(ports, sale) !== undefined) continue;
      const request = taxRequestOf(sale, ports.configuration.shipFrom);
      const digest = digestOf(request as Json);
      const known = questions.get(digest) ?? { request, sale, sales: 0, net: 0 };
      known.sales += 1;
      known.net += sale.kind === 'refund' ? -1 : 1;
      questions.set(digest, known);
    }
  }
  return questions;
};

/** Requests a calculation with an explanation. A service that cannot explain its answers ignores `explain`. */
const ask = async ({ service }: ComparedService, { request }: Question): Promise<Answer> => {
  try {
    return await service.calculateTax({ ...request, explain: true });
  } catch (error) {
    if (error instanceof ServiceRefusal) return error;
    throw error;
  }
};

const byTax = (left: ComparedSale, right: ComparedSale): number =>
  Math.abs(right.tax) - Math.abs(left.tax) || (left.record < right.record ? -1 : 1);
