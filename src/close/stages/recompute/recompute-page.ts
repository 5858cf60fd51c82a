import { ServiceRefusal } from '../../../contract/refusal.ts';
import { withoutExemption } from '../../certificates/apply-exemption-type.ts';
import type { CalculatedSale, StoredAnswer } from '../../period-sales/expectation-of.ts';
import type { Sale } from '../../sales/sale.ts';
import type { SalesPage, StoredSale } from '../../workspace/sale-page.ts';
import { keepPage } from '../../workspace/stage-pages.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { type Answers, answersTo, type CallBudget, nothingDue, storedAnswer } from './calculations.ts';
import { keepVariances, openVariance } from './open-variances.ts';
import { isOpenRow, type PendingPage, pendingPage } from './pending-sales.ts';

export type PageCalls = {
  /** For the calculations that the sales themselves need. */
  readonly calls: CallBudget;
  /** For the tax that exemptions relieve, as far as it reaches. */
  readonly spare: CallBudget;
};

/** Calculate the tax of the sales of a page that is not known yet, and store the page. */
export const recomputePage = async (
  ports: ClosePorts,
  page: SalesPage,
  { calls, spare }: PageCalls,
): Promise<PendingPage & { readonly made: readonly CalculatedSale[] }> => {
  const found = await pendingPage(ports, page);
  const { sales, pending, unrelieved, known, input, isDone } = found;
  if (isDone) return { ...found, made: [] };
  const due = pending.map(({ sale }) => sale).filter((sale) => nothingDue(ports, sale) === undefined);
  const answers = await answersTo(ports, due, calls);
  const plain = new Map(unrelieved.map(({ sale }) => [sale.key, withoutExemption(sale)]));
  const reliefs = await answersTo(ports, [...plain.values()], spare);
  const made = new Map(pending.map((stored) => [stored.sale.key, calculated(ports, stored, answers)]));
  const rows = sales.flatMap(({ sale }): CalculatedSale[] => {
    const row = made.get(sale.key) ?? known.get(sale.key);
    if (!row) return [];
    const { found: _found, whole: _whole, ...own } = row;
    const without = plain.get(sale.key);
    const relief = without && answerFor(ports, without, reliefs);
    return [relief ? { ...own, relief } : own];
  });
  const open = rows.filter((row, index) => isOpenRow(ports, (sales[index] as StoredSale).sale, row)).length;
  const variances = new Map(pending.map(({ sale }) => [sale.key, openVariance(ports, sale, answers)]));
  await keepVariances(ports, page.slot, sales, variances);
  await keepPage(ports.workspace, 'calculated', page.slot, { input, open, rows });
  return { ...found, made: [...made.values()] };
};

export const calculated = (
  ports: ClosePorts,
  { sale, digest }: Pick<StoredSale, 'sale' | 'digest'>,
  answers: Answers,
): CalculatedSale => {
  const reason = nothingDue(ports, sale);
  const row = { key: sale.key, sale: digest };
  if (reason !== undefined) return { ...row, basis: reason };
  const answered = answers.get(sale);
  if (answered?.answer instanceof ServiceRefusal)
    return { ...row, basis: 'refused', detail: answered.answer.message };
  const own = answerFor(ports, sale, answers);
  return { ...row, basis: 'calculated', ...(own && { own }) };
};

export const answerFor = (ports: ClosePorts, sale: Sale, answers: Answers): StoredAnswer | undefined => {
  const answered = answers.get(sale);
  if (!answered || answered.answer instanceof ServiceRefusal) return undefined;
  return storedAnswer(ports, sale, { ...answered, result: answered.answer }, 'derived');
};
