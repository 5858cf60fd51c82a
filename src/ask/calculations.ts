import { nothingDueOf } from '../close/reconcile/explain-variance.ts';
import { answerAbout } from '../close/reconcile/part-of-order.ts';
import type { Sale } from '../close/sales/sale.ts';
import { requestText, taxRequestOf } from '../close/sales/tax-request-of.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import type { TaxRequestInput } from '../contract/tax-request.ts';
import type { TaxResult } from '../contract/tax-result.ts';
import { sha256 } from '../kernel/json.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import type { CalculationCache } from './calculation-cache.ts';
import type { StoredAnswer } from './expectation.ts';

/** The answer about a sale, with the digest of its request. */
export type Answered = {
  readonly digest: string;
  readonly answer: TaxResult | ServiceRefusal;
  /** The answer to the request, if it is about the order of which the sale gives a part back. */
  readonly whole?: TaxResult;
};

/** Answers by the sale they are about. */
export type Answers = ReadonlyMap<Sale, Answered>;

/** The cache, the calls made so far, and how many more may be made. */
export type CallBudget = { readonly cache: CalculationCache; asked: number; left: number };

/**
 * Returns why no tax is due from the seller on a sale, so that no calculation is needed; `undefined` when a calculation
 * must show what is due. Nothing is due if the seller is not registered on that day, as the interface allows for
 * destinations in the United States. For a marketplace sale, the marketplace remits the tax.
 */
export const nothingDue = (
  { configuration }: Pick<ClosePorts, 'configuration'>,
  sale: Sale,
): ReturnType<typeof nothingDueOf> => nothingDueOf(sale, configuration.registrations);

const requestOf = ({ configuration }: ClosePorts, sale: Sale) => taxRequestOf(sale, configuration.shipFrom);

/** Returns the digest that identifies a calculation: of the service and the request. */
const digestOf = ({ serviceId }: ClosePorts, request: ReturnType<typeof requestOf>): string =>
  sha256(`{"request":${requestText(request)},"service":${JSON.stringify(serviceId)}}`);

export const digestOfRequest = (ports: ClosePorts, sale: Sale): string =>
  digestOf(ports, requestOf(ports, sale));

/** Returns an answer as it is kept with its sale. The request of a `derived` answer can be derived from the sale. */
export const storedAnswer = (
  ports: ClosePorts,
  sale: Sale,
  { digest, result }: Pick<Answered, 'digest'> & { readonly result: TaxResult },
  form: 'derived' | 'whole',
): StoredAnswer => ({ digest, ...(form === 'whole' && { request: requestOf(ports, sale) }), result });

/**
 * Returns the stored answers of a remote service, by digest; with `recompute`, only those that were requested again
 * since.
 */
export const keptResults = async (
  ports: ClosePorts,
  digests: readonly string[],
): Promise<ReadonlyMap<string, TaxResult>> => {
  const { recompute, answers } = ports;
  if (!answers) return new Map();
  if (!recompute) return answers.results(digests);
  const since = await answers.askedAgain();
  return answers.results(digests.filter((digest) => since.has(digest)));
};

/**
 * Returns the answers to the requests of these sales: stored ones, or new ones, which are then stored. Equal requests
 * are made once. Requests that exceed the budget get no answer.
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
  // Waits until all calls have settled before throwing, so that none is left without a handler.
  const settled = await Promise.allSettled(digests.map((digest) => asked.get(digest)));
  const answers = new Map<Sale, Answered>();
  for (const [index, outcome] of settled.entries()) {
    if (outcome.status === 'rejected') throw outcome.reason;
    const answer = outcome.value;
    const [sale, digest] = [sales[index] as Sale, digests[index] as string];
    if (answer) answers.set(sale, answered(sale, digest, answer));
  }
  return answers;
};

const answered = (sale: Sale, digest: string, answer: TaxResult | ServiceRefusal): Answered =>
  sale.partOf === undefined || answer instanceof ServiceRefusal
    ? { digest, answer }
    : { digest, answer: answerAbout(sale, answer), whole: answer };
