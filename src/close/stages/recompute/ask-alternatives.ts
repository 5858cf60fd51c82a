import { ServiceRefusal } from '../../../contract/refusal.ts';
import { type Alternative, explainVariance, isUnexplained } from '../../reconcile/explain-variance.ts';
import { whatIfsOf } from '../../reconcile/what-ifs.ts';
import type { Sale } from '../../sales/sale.ts';
import type { ClosePorts } from '../close-ports.ts';
import { type Answers, answersTo, type Calls, digestOfRequest } from './calculations.ts';

/** An alternative with the digest of the request that gave it. */
export type AskedAlternative = Alternative & { readonly calculation: string };

/** Ask again with one thing changed, a thing at a time, for the sales whose variance nothing explains so far. */
export const askAlternatives = async (
  ports: ClosePorts,
  sales: readonly Sale[],
  answers: Answers,
  calls: Calls,
): Promise<ReadonlyMap<string, readonly AskedAlternative[]>> => {
  const asked = new Map<string, AskedAlternative[]>();
  for (let turn = 0; ; turn += 1) {
    const next = sales.flatMap((sale) => {
      const whatIf = whatIfsOf(sale)[turn];
      return whatIf && needsMore(ports, sale, answers, asked.get(sale.key) ?? []) ? [{ sale, whatIf }] : [];
    });
    if (next.length === 0) return asked;
    const results = await answersTo(
      ports,
      next.map(({ whatIf }) => whatIf.sale),
      calls,
    );
    for (const { sale, whatIf } of next) {
      const calculation = digestOfRequest(ports, whatIf.sale);
      const result = results.get(calculation);
      if (result === undefined || result instanceof ServiceRefusal) continue;
      const { code, what } = whatIf;
      asked.set(sale.key, [...(asked.get(sale.key) ?? []), { code, what, result, calculation }]);
    }
  }
};

const needsMore = (
  ports: ClosePorts,
  sale: Sale,
  answers: Answers,
  alternatives: readonly Alternative[],
): boolean => {
  const expectation = answers.get(digestOfRequest(ports, sale));
  if (expectation === undefined || expectation instanceof ServiceRefusal) return false;
  return isUnexplained(
    explainVariance({ collected: sale.salesTax, shipping: sale.shipping, expectation, alternatives }),
  );
};
