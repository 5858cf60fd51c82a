import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { TaxRequestInput } from '../../../contract/tax-request.ts';
import type { TaxResult } from '../../../contract/tax-result.ts';
import { digestOf, type Json } from '../../../kernel/digest.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import { inParallel } from '../../../runtime/in-parallel.ts';
import type { Sale } from '../../sales/sale.ts';
import { taxRequestOf } from '../../sales/tax-request-of.ts';
import { resultsOf } from '../../workspace/expectation-of.ts';
import type { ClosePorts } from '../close-ports.ts';

/** Answers by the digest of their request. */
export type Answers = ReadonlyMap<string, TaxResult | ServiceRefusal>;

/** Calls so far, and how many more may be made. */
export type Calls = { asked: number; left: number };

/** Answers kept together at the most: what a killed run has to ask again. */
const KEPT_TOGETHER = 50;

/**
 * Why nothing is due from the seller on a sale, so that nothing is asked; `undefined` when a calculation says what is
 * due. Where the seller is not registered on the day nothing is due, as the interface allows for destinations in the
 * United States; of a marketplace's sale the marketplace remits the tax.
 */
export const nothingDue = (
  { configuration }: ClosePorts,
  sale: Sale,
): 'no registration' | 'marketplace' | undefined => {
  if (sale.exemptionType === 'marketplace') return 'marketplace';
  const isRegistered = configuration.registrations.some(
    ({ state, since }) => state === sale.shipTo.state && since <= sale.taxDate,
  );
  return isRegistered ? undefined : 'no registration';
};

const requestOf = ({ configuration }: ClosePorts, sale: Sale): TaxRequestInput =>
  taxRequestOf(sale, configuration.shipFrom);

/** What identifies a calculation: the service that answers, and the canonical request. */
export const digestOfRequest = (ports: ClosePorts, sale: Sale): string =>
  digestOf({ service: ports.serviceId, request: requestOf(ports, sale) } as Json);

/** The kept answers among the requests of these sales; none when everything is to be asked again. */
export const keptAnswers = (
  ports: ClosePorts,
  sales: readonly Sale[],
): Promise<ReadonlyMap<string, TaxResult>> =>
  resultsOf(
    ports.workspace,
    sales.map((sale) => digestOfRequest(ports, sale)),
  );

/**
 * The answers to the requests of these sales: kept ones, or asked now and kept. Equal requests are asked once. What
 * the budget does not cover any more stays without an answer.
 */
export const answersTo = async (
  ports: ClosePorts,
  sales: readonly Sale[],
  calls: Calls,
): Promise<Answers> => {
  const requests = new Map(sales.map((sale) => [digestOfRequest(ports, sale), requestOf(ports, sale)]));
  const answers = new Map<string, TaxResult | ServiceRefusal>(
    ports.recompute ? [] : await keptAnswers(ports, sales),
  );
  const missing = [...requests].filter(([digest]) => !answers.has(digest)).slice(0, calls.left);
  for (const batch of batchesOf(missing, KEPT_TOGETHER)) {
    const asked = await inParallel(
      batch,
      ports.configuration.service.concurrency,
      async ([digest, request]) => ({
        digest,
        request,
        answer: await ask(ports, request),
      }),
    );
    const kept = asked.filter(({ answer }) => !(answer instanceof ServiceRefusal));
    await ports.workspace.upsert(
      'calculation',
      kept.map(({ digest, request, answer }) => ({
        digest,
        service: ports.serviceId,
        request: JSON.stringify(request),
        result: JSON.stringify(answer),
      })),
    );
    for (const { digest, answer } of asked) answers.set(digest, answer);
  }
  calls.asked += missing.length;
  calls.left -= missing.length;
  return answers;
};

const ask = async (
  { service }: ClosePorts,
  request: TaxRequestInput,
): Promise<TaxResult | ServiceRefusal> => {
  try {
    return await service.calculateTax(request);
  } catch (error) {
    if (error instanceof ServiceRefusal) return error;
    throw error;
  }
};
