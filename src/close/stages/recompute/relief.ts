import { type Money, subtract, ZERO } from '../../../kernel/money.ts';
import { isExempting } from '../../certificates/exemption-reason.ts';
import { withoutExemption } from '../../certificates/settle-exemption.ts';
import type { Sale } from '../../sales/sale.ts';
import { expectationsOf, resultsOf } from '../../workspace/expectation-of.ts';
import type { ClosePorts } from '../close-ports.ts';
import { answersTo, type Calls, digestOfRequest, nothingDue } from './calculations.ts';

/** The exempt sales of which tax would be due if they were not exempt. */
const exemptSales = (ports: ClosePorts, sales: readonly Sale[]): readonly Sale[] =>
  sales.filter((sale) => isExempting(sale.exemptionType) && nothingDue(ports, sale) === undefined);

/** The digests of what is asked to tell the tax that exemptions relieve, by the key of the sale. */
export const reliefDigests = (ports: ClosePorts, sales: readonly Sale[]): ReadonlyMap<string, string> =>
  new Map(
    exemptSales(ports, sales).map((sale) => [sale.key, digestOfRequest(ports, withoutExemption(sale))]),
  );

/** Ask what exempt sales would have carried without their exemption, as far as the spare calls reach. */
export const askRelief = async (ports: ClosePorts, sales: readonly Sale[], spare: Calls): Promise<void> => {
  const exempt = exemptSales(ports, sales);
  if (exempt.length > 0) await answersTo(ports, exempt.map(withoutExemption), spare);
};

/** The keys of the exempt sales of which the service has not said what they would have carried. */
export const withoutRelief = async (
  ports: ClosePorts,
  sales: readonly Sale[],
): Promise<ReadonlySet<string>> => {
  const digests = reliefDigests(ports, sales);
  if (digests.size === 0) return new Set();
  const known = await resultsOf(ports.workspace, [...digests.values()]);
  return new Set([...digests].filter(([, digest]) => !known.has(digest)).map(([key]) => key));
};

/**
 * The tax that the exemption of each exempt sale relieves, by the key of the sale; positive, of refunds too. A sale
 * is missing where nobody knows it: the calls did not reach, or the service refused to calculate.
 */
export const reliefOf = async (
  ports: ClosePorts,
  sales: readonly Sale[],
): Promise<ReadonlyMap<string, Money>> => {
  const digests = reliefDigests(ports, sales);
  const results = await resultsOf(ports.workspace, [...digests.values()]);
  const expectations = await expectationsOf(ports.workspace, [...digests.keys()]);
  const relief = new Map<string, Money>();
  for (const sale of sales) {
    if (!isExempting(sale.exemptionType)) continue;
    const digest = digests.get(sale.key);
    const taxed = results.get(digest ?? '');
    const exempt = expectations.get(sale.key);
    if (digest === undefined) relief.set(sale.key, ZERO);
    else if (taxed && exempt && exempt.basis !== 'refused')
      relief.set(sale.key, subtract(taxed.amount_to_collect, exempt.result.amount_to_collect));
  }
  return relief;
};
