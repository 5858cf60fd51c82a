import type { ServiceRefusal } from '../../../contract/refusal.ts';
import type { TaxRequestInput } from '../../../contract/tax-request.ts';
import type { TaxResult } from '../../../contract/tax-result.ts';
import { digestOf as digestOfAnswer, sha256 } from '../../../kernel/digest.ts';
import { resultsOf, type StoredAnswer } from '../../period-sales/expectation-of.ts';
import { nothingDueOf } from '../../reconcile/nothing-due.ts';
import type { Sale } from '../../sales/sale.ts';
import { requestText, taxRequestOf } from '../../sales/tax-request-of.ts';
import { askedAgainOf } from '../../workspace/answers.ts';
import { type ClosePorts, isEmbedded } from '../run/close-ports.ts';
import type { CalculationCache } from './calculation-cache.ts';

/** The answer to the request of a sale, and what identifies it. */
export type Answered = { readonly digest: string; readonly answer: TaxResult | ServiceRefusal };

/** Answers by the sales that were asked about. */
export type Answers = ReadonlyMap<Sale, Answered>;

/** Who asks, the calls so far, and how many more may be made. */
export type CallBudget = { readonly cache: CalculationCache; asked: number; left: number };

/**
 * Why nothing is due from the seller on a sale, so that nothing is asked; `undefined` when a calculation says what is
 * due. Where the seller is not registered on the day nothing is due, as the interface allows for destinations in the
 * United States; of a marketplace's sale the marketplace remits the tax.
 */
export const nothingDue = (
  { configuration }: Pick<ClosePorts, 'configuration'>,
  sale: Sale,
): ReturnType<typeof nothingDueOf> => nothingDueOf(sale, configuration.registrations);

const requestOf = ({ configuration }: ClosePorts, sale: Sale) => taxRequestOf(sale, configuration.shipFrom);

/** What identifies a calculation: the service that answers, and the request. */
const digestOf = ({ serviceId }: ClosePorts, request: ReturnType<typeof requestOf>): string =>
  sha256(`{"request":${requestText(request)},"service":${JSON.stringify(serviceId)}}`);

export const digestOfRequest = (ports: ClosePorts, sale: Sale): string =>
  digestOf(ports, requestOf(ports, sale));

/**
 * An answer as it is kept with the sale that it is about; that of a remote service is kept already. The request of a
 * `derived` one follows from the sale.
 */
export const storedAnswer = (
  ports: ClosePorts,
  sale: Sale,
  { digest, result }: { readonly digest: string; readonly result: TaxResult },
  form: 'derived' | 'whole',
): StoredAnswer => {
  if (!isEmbedded(ports)) return { digest, answer: digestOfAnswer(result) };
  return { digest, ...(form === 'whole' && { request: requestOf(ports, sale) }), result };
};

/**
 * The answers of a remote service that are kept, by their digests; when everything is to be asked again, those that were
 * asked for since.
 */
export const keptResults = async (
  ports: ClosePorts,
  digests: readonly string[],
): Promise<ReadonlyMap<string, TaxResult>> => {
  if (isEmbedded(ports)) return new Map();
  const { workspace, recompute } = ports;
  if (!recompute) return resultsOf(workspace, digests);
  const since = await askedAgainOf(workspace);
  return resultsOf(
    workspace,
    digests.filter((digest) => since.has(digest)),
  );
};

/**
 * The answers to the requests of these sales: kept ones, or asked now and kept. Equal requests are asked once. What
 * the budget does not cover any more stays without an answer.
 */
export const answersTo = async (
  ports: ClosePorts,
  sales: readonly Sale[],
  calls: CallBudget,
): Promise<Answers> => {
  const digests: string[] = [];
  const requests = new Map<string, TaxRequestInput>();
  for (const sale of sales) {
    const request = requestOf(ports, sale);
    const digest = digestOf(ports, request);
    digests.push(digest);
    requests.set(digest, request);
  }
  const asked = await calls.cache.answersTo(requests, calls);
  // All of them are settled before a failure is thrown, so that nothing is left behind that no one waits for.
  const settled = await Promise.allSettled(digests.map((digest) => asked.get(digest)));
  const answers = new Map<Sale, Answered>();
  for (const [index, outcome] of settled.entries()) {
    if (outcome.status === 'rejected') throw outcome.reason;
    const answer = outcome.value;
    if (answer) answers.set(sales[index] as Sale, { digest: digests[index] as string, answer });
  }
  return answers;
};
