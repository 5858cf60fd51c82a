import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { CalculatedSale, StoredAnswer } from '../../period-sales/expectation-of.ts';
import type { StoredSale } from '../../period-sales/with-settled-exemption.ts';
import type { Sale } from '../../sales/sale.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { type Answers, nothingDue, storedAnswer } from './calculations.ts';

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
