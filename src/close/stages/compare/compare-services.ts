import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { TaxRequestInput } from '../../../contract/tax-request.ts';
import type { TaxService } from '../../../contract/tax-service.ts';
import { digestOf, type Json } from '../../../kernel/digest.ts';
import { type Money, money, sum } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { shownNumber } from '../../../kernel/shown-figures.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import { inParallel } from '../../../runtime/in-parallel.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import type { Answer } from '../../answer-differences/answer-fields.ts';
import { compareAnswers, taxBetween } from '../../answer-differences/compare-answers.ts';
import { salesOf } from '../../period-sales/sales-of.ts';
import { answerAbout } from '../../reconcile/part-of-order.ts';
import type { ComparedSale } from '../../report/sheets/compared-sales.ts';
import type { Sale } from '../../sales/sale.ts';
import { taxRequestOf } from '../../sales/tax-request-of.ts';
import { nothingDue } from '../recompute/calculations.ts';
import { checkBudget } from '../recompute/plan-calculations.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';

/** A service, with the name under which its answers are shown. */
export type ComparedService = { readonly service: TaxService; readonly serviceId: string };

export type ComparePorts = ClosePorts & { readonly own: ComparedService; readonly other: ComparedService };

/** A request of the period, with its first sale and the number of its sales. */
type Question = {
  readonly request: TaxRequestInput;
  readonly sale: Sale;
  sales: number;
  /** Orders less refunds, without refunds of a part of an order, which are listed. */
  net: number;
  readonly parts: Sale[];
};

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
      const { sale, sales } = question;
      const { record } = sale.origin;
      return (
        difference && {
          ...{ record, state: sale.shipTo.state, date: sale.taxDate, sales },
          ...difference,
          taxOfAll: taxOfAll(question, own, other),
        }
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

/** Returns the difference in tax over all sales of a question. */
const taxOfAll = ({ net, parts }: Question, own: Answer, other: Answer): Money =>
  sum([
    money(net * taxBetween(own, other)),
    ...parts.map((part) => signOf(part) * taxBetween(answerOf(part, own), answerOf(part, other))).map(money),
  ]);

const signOf = ({ kind }: Sale): 1 | -1 => (kind === 'refund' ? -1 : 1);

const answerOf = (sale: Sale, answer: Answer): Answer =>
  answer instanceof ServiceRefusal ? answer : answerAbout(sale, answer);

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
      const known = questions.get(digest) ?? { request, sale, sales: 0, net: 0, parts: [] };
      known.sales += 1;
      if (sale.partOf) known.parts.push(sale);
      else known.net += signOf(sale);
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
