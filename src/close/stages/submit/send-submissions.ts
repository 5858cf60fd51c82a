import { acceptTransaction } from '../../../contract/accept-transaction.ts';
import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { CreateRefund, NewTransaction, Order, Refund } from '../../../contract/transaction.ts';
import { inParallel } from '../../../runtime/in-parallel.ts';
import {
  adjustedRefund,
  adjustmentId,
  adjustmentOf,
  compareRefund,
  isOfLines,
} from '../../reconcile/adjusted-refund.ts';
import { compareRecord, hasValueDifference } from '../../reconcile/compare-record.ts';
import { keepAdjustment } from '../../workspace/sent-records.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { isDuplicate, type SendResult } from './send-result.ts';
import { recordName, type Submission } from './submission.ts';
import { deleteRecord } from './withdraw.ts';

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

/**
 * The interface has no update of refunds. One whose lines alone have changed, such as the name of an article, is recorded
 * again in its own place: what was given back, when and where stays as it was. One that is held with other amounts is
 * adjusted by a further refund over the difference, where the policy says so and a refund can do it; any other difference
 * is for a person to decide.
 */
const settleRefund = async (
  ports: ClosePorts,
  submission: Submission,
  recorded: Refund,
): Promise<SendResult> => {
  const sent = acceptTransaction(submission.sent);
  const adjustments = await adjustmentsAtService(ports, submission);
  const differences = compareRefund(sent, recorded, adjustments).filter(({ kind }) => kind === 'value');
  if (differences.length === 0) return { outcome: 'unchanged', detail: '' };

  if (differences.every(isOfLines)) {
    await recordAgain(ports, submission);
    return { outcome: 'updated', detail: '' };
  }

  const id = adjustmentId(sent.transaction_id, adjustments.length + 1);
  const adjustment = adjustmentOf(sent, adjustedRefund(recorded, adjustments), { id, differences });
  const fields = differences.map(({ field }) => field).join(', ');
  const other = `the service holds this refund with another ${fields}`;
  if (ports.configuration.policy.changedRefunds === 'review') return { outcome: 'conflict', detail: other };
  if (adjustment === undefined)
    return { outcome: 'conflict', detail: `${other}, which a further refund cannot correct` };
  await noteAdjustment(ports, submission, adjustment, 'sending');
  await createOnce(ports, { kind: 'refund', transaction: adjustment });
  await noteAdjustment(ports, submission, adjustment, 'held');
  return { outcome: 'adjusted', detail: '' };
};

/**
 * The adjustments that the service holds of a refund. Their ids follow from the refund's, so they are found even when
 * the workspace that made them is lost, and are noted in this one.
 */
const adjustmentsAtService = async (
  ports: ClosePorts,
  submission: Submission,
): Promise<readonly Refund[]> => {
  const { id: refundId, ...space } = recordName(submission);
  const found: Refund[] = [];
  for (;;) {
    const id = adjustmentId(refundId, found.length + 1);
    const [adjustment] = await ports.service.showMany([{ ...space, id }]);
    if (adjustment === undefined) return found;
    found.push(adjustment);
    await noteAdjustment(ports, submission, adjustment, 'held');
  }
};

/** A run that is stopped between the two has the refund among what it was about to send, and the next one sends it. */
const recordAgain = async (ports: ClosePorts, submission: Submission): Promise<void> => {
  const { provider = '', ...name } = recordName(submission);
  await deleteRecord(ports, { ...name, provider });
  await createOnce(ports, submission.sent);
};

/** One that is there already is the one whose answer was lost: no one else makes ids of this form. */
const createOnce = async ({ service }: ClosePorts, sent: NewTransaction): Promise<void> => {
  const [outcome] = await service.createMany([sent]);
  if (outcome instanceof ServiceRefusal && !isDuplicate(outcome)) throw outcome;
};

const noteAdjustment = (
  ports: ClosePorts,
  { stored, sent: { transaction } }: Submission,
  body: Pick<CreateRefund, 'transaction_id'>,
  state: 'sending' | 'held',
): Promise<void> =>
  keepAdjustment(ports, {
    provider: transaction.provider ?? '',
    id: body.transaction_id,
    key: stored.sale.key,
    body: JSON.stringify(body),
    state,
  });
