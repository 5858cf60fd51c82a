import { withoutExemption } from '../close/certificates/apply-exemption-type.ts';
import type { CalculatedSale } from '../close/period-sales/expectation-of.ts';
import type { SettledSale } from '../close/period-sales/with-settled-exemption.ts';
import type { OpenVariance } from '../close/reconcile/open-variance.ts';
import type { Sale } from '../close/sales/sale.ts';
import { answersTo, type CallBudget, nothingDue } from '../close/stages/recompute/calculations.ts';
import { gapAt } from '../close/stages/recompute/content-gap.ts';
import { openVariance } from '../close/stages/recompute/open-variances.ts';
import { isRelieved } from '../close/stages/recompute/pending-sales.ts';
import { answerFor, calculated } from '../close/stages/recompute/recompute-page.ts';
import type { ClosePorts } from '../close/stages/run/close-ports.ts';

/** The tax that a sale should have carried; `open` where its own calculation does not explain the tax it carries. */
export type Calculation = { readonly row: CalculatedSale; readonly open: OpenVariance | undefined };

/** Calls for what the sales themselves need, and those that are left over for what exemptions relieve. */
export type Calls = { readonly own: CallBudget; readonly spare: CallBudget };

/** Calculates posted sales, by key. Equal requests are made once, and none where no tax is due. */
export const calculateSales = async (
  ports: ClosePorts,
  posted: readonly SettledSale[],
  { own, spare }: Calls,
): Promise<ReadonlyMap<string, Calculation>> => {
  const sales = posted.map(({ sale }) => sale);
  const due = sales.filter((sale) => nothingDue(ports, sale) === undefined);
  const answers = await answersTo(ports, due, own);
  const plain = new Map<string, Sale>();
  for (const sale of sales) {
    if (!isRelieved(ports, sale)) continue;
    plain.set(sale.key, withoutExemption(sale));
  }
  const reliefs = plain.size > 0 ? await answersTo(ports, [...plain.values()], spare) : undefined;
  return new Map(
    sales.map((sale): [string, Calculation] => {
      const unrelieved = plain.get(sale.key);
      const relief = unrelieved && reliefs && answerFor(ports, unrelieved, reliefs);
      const row = { ...calculated(ports, { sale, digest: '' }, answers), ...(relief && { relief }) };
      const open = openVariance(ports, sale, answers);
      return [sale.key, { row, open: open && { ...open, gap: gapAt(ports, sale) } }];
    }),
  );
};
