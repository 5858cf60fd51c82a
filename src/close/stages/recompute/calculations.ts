import type { ServiceRefusal } from '../../../contract/refusal.ts';
import type { TaxRequestInput } from '../../../contract/tax-request.ts';
import type { TaxResult } from '../../../contract/tax-result.ts';
import { digestOf, type Json } from '../../../kernel/digest.ts';
import { resultsOf, type StoredAnswer } from '../../period-sales/expectation-of.ts';
import { nothingDueOf } from '../../reconcile/nothing-due.ts';
import type { Sale } from '../../sales/sale.ts';
import { taxRequestOf } from '../../sales/tax-request-of.ts';
import { askedAgainOf } from '../../workspace/answers.ts';
import { type ClosePorts, isEmbedded } from '../run/close-ports.ts';
import type { Asker } from './asker.ts';

/** Answers by the digest of their request. */
export type Answers = ReadonlyMap<string, TaxResult | ServiceRefusal>;

/** Who asks, the calls so far, and how many more may be made. */
export type Calls = { readonly asker: Asker; asked: number; left: number };

/**
 * Why nothing is due from the seller on a sale, so that nothing is asked; `undefined` when a calculation says what is
 * due. Where the seller is not registered on the day nothing is due, as the interface allows for destinations in the
 * United States; of a marketplace's sale the marketplace remits the tax.
 */
export const nothingDue = (
  { configuration }: Pick<ClosePorts, 'configuration'>,
  sale: Sale,
): ReturnType<typeof nothingDueOf> => nothingDueOf(sale, configuration.registrations);

const requestOf = ({ configuration }: ClosePorts, sale: Sale): TaxRequestInput =>
  taxRequestOf(sale, configuration.shipFrom);

/** What identifies a calculation: the service that answers, and the canonical request. */
export const digestOfRequest = (ports: ClosePorts, sale: Sale): string => {
  const known = digests.get(sale);
  if (known?.ports === ports) return known.digest;
  const digest = digestOf({ service: ports.serviceId, request: requestOf(ports, sale) } as Json);
  digests.set(sale, { ports, digest });
  return digest;
};

/**
 * An answer as it is kept with the sale that it is about; that of a remote service is kept already. The request of a
 * `derived` one follows from the sale.
 */
export const storedAnswer = (
  ports: ClosePorts,
  sale: Sale,
  result: TaxResult,
  form: 'derived' | 'whole',
): StoredAnswer => {
  const digest = digestOfRequest(ports, sale);
  if (!isEmbedded(ports)) return { digest, answer: digestOf(result) };
  return { digest, ...(form === 'whole' && { request: requestOf(ports, sale) }), result };
};

/** The same sale is asked about, looked at and noted: its digest is worked out once. */
const digests = new WeakMap<Sale, { readonly ports: ClosePorts; readonly digest: string }>();

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
  calls: Calls,
): Promise<Answers> => {
  const requests = new Map(sales.map((sale) => [digestOfRequest(ports, sale), requestOf(ports, sale)]));
  const { kept, underWay } = await calls.asker.answersTo(requests, calls);
  const answers = new Map<string, TaxResult | ServiceRefusal>(kept);
  // All of them are settled before a failure is thrown, so that nothing is left behind that no one waits for.
  const settled = await Promise.allSettled(underWay.values());
  [...underWay.keys()].forEach((digest, index) => {
    const outcome = settled[index];
    if (outcome?.status === 'rejected') throw outcome.reason;
    if (outcome) answers.set(digest, outcome.value);
  });
  return answers;
};
