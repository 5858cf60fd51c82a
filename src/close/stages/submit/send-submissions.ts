import { acceptTransaction } from '../../../contract/accept-transaction.ts';
import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { Order, Refund } from '../../../contract/transaction.ts';
import { inParallel } from '../../../runtime/in-parallel.ts';
import { compareRecord, hasValueDifference } from '../../reconcile/compare-record.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { isDuplicate, type SendResult } from './send-result.ts';
import { settleRefund } from './settle-refund.ts';
import { recordName, type Submission } from './submission.ts';

/**
 * Have the service hold sales as they are: create them; read those that are there already, and change each only if it
 * differs. An answer that was lost on the way is found in the same manner. A refusal is an outcome, not an error.
 */
export const sendSubmissions = async (
  ports: ClosePorts,
  submissions: readonly Submission[],
): Promise<readonly SendResult[]> => {
  const outcomes = await ports.service.createMany(submissions.map(({ sent }) => sent));
  const held = submissions.filter((_, index) => isDuplicate(outcomes[index]));
  const records = await ports.service.showMany(held.map(recordName));
  const settled = await inParallel([...held.entries()], ports.callsAtOnce, ([index, submission]) =>
    settle(ports, submission, records[index]),
  );
  const settledOf = new Map(held.map((submission, index) => [submission, settled[index]]));
  return submissions.map((submission, index) => settledOf.get(submission) ?? resultOf(outcomes[index]));
};

const resultOf = (outcome: unknown): SendResult =>
  outcome instanceof ServiceRefusal
    ? { outcome: 'refused', detail: outcome.message }
    : { outcome: 'created', detail: '' };

/** `undefined` for what needs nothing but the answer to its create: it was refused, and is not there. */
const settle = async (
  ports: ClosePorts,
  submission: Submission,
  record: Order | Refund | undefined,
): Promise<SendResult | undefined> => {
  if (record === undefined) return undefined;
  try {
    return await (submission.sent.kind === 'order' ? settleOrder : settleRefund)(ports, submission, record);
  } catch (error) {
    if (error instanceof ServiceRefusal) return { outcome: 'refused', detail: error.message };
    throw error;
  }
};

const settleOrder = async (
  { service }: ClosePorts,
  { sent }: Submission,
  recorded: Order,
): Promise<SendResult> => {
  const order = acceptTransaction(sent);
  if (!hasValueDifference(compareRecord(order, recorded, 'order')))
    return { outcome: 'unchanged', detail: '' };
  // An update keeps what it does not name, so that the end of an exemption has to be said.
  const hasLostExemption = order.exemption_type === undefined && recorded.exemption_type !== null;
  await service.updateOrder(
    order.transaction_id,
    hasLostExemption ? { ...order, exemption_type: 'non_exempt' } : order,
  );
  return { outcome: 'updated', detail: '' };
};
