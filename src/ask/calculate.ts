import { isExempting } from '../close/certificates/exemption-reason.ts';
import { withoutExemption } from '../close/certificates/without-exemption.ts';
import type { OpenVariance } from '../close/reconcile/rate-claim.ts';
import type { Sale } from '../close/sales/sale.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { type Answers, answersTo, type CallBudget, nothingDue, storedAnswer } from './calculations.ts';
import { gapAt } from './content-gap.ts';
import type { Calculated, StoredAnswer } from './expectation.ts';
import { openVariance } from './open-variances.ts';

/** The tax that a sale should have carried; `open` where its own calculation does not explain the tax it carries. */
export type Calculation = { readonly row: Calculated; readonly open: OpenVariance | undefined };

/** Calls for what the sales themselves need, and those that are left over for what exemptions relieve. */
export type Calls = { readonly own: CallBudget; readonly spare: CallBudget };

/** Calculates posted sales, by key. Equal requests are made once, and none where no tax is due. */
export const calculateSales = async (
  ports: ClosePorts,
  sales: readonly Sale[],
  { own, spare }: Calls,
): Promise<ReadonlyMap<string, Calculation>> => {
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
      const row = { ...calculated(ports, sale, answers), ...(relief && { relief }) };
      const open = openVariance(ports, sale, answers);
      return [sale.key, { row, open: open && { ...open, gap: gapAt(ports, sale) } }];
    }),
  );
};

/** Whether tax would be due on a sale if it were not exempt. */
export const isRelieved = (ports: Pick<ClosePorts, 'configuration'>, sale: Sale): boolean =>
  isExempting(sale.exemptionType) && nothingDue(ports, sale) === undefined;

const calculated = (ports: ClosePorts, sale: Sale, answers: Answers): Calculated => {
  const reason = nothingDue(ports, sale);
  if (reason !== undefined) return { basis: reason };
  const answer = answers.get(sale)?.answer;
  if (answer instanceof ServiceRefusal) return { basis: 'refused', detail: answer.message };
  const own = answerFor(ports, sale, answers);
  return { basis: 'calculated', ...(own && { own }) };
};

const answerFor = (ports: ClosePorts, sale: Sale, answers: Answers): StoredAnswer | undefined => {
  const answered = answers.get(sale);
  if (!answered || answered.answer instanceof ServiceRefusal) return undefined;
  return storedAnswer(ports, sale, { ...answered, result: answered.answer }, 'derived');
};
