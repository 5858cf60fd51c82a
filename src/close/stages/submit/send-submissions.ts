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
import { compareRecord, type FieldDifference, hasValueDifference } from '../../reconcile/compare-record.ts';
import { keepAdjustment } from '../../workspace/sent-records.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { isDuplicate, type SendResult } from './send-result.ts';
import { recordName, type Submission } from './submission.ts';
import { deleteRecord } from './withdraw.ts';

/**
 * Record sales with the service: create them, read those that already exist, and bring each up to date if it differs. This
 * also finds the records of answers that were lost. A refusal is a result, not an error.
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

/** Returns `undefined` if the answer to the create request is the result: the record was refused and does not exist. */
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
  ports: ClosePorts,
  submission: Submission,
  recorded: Order,
): Promise<SendResult> => {
  const order = acceptTransaction(submission.sent);
  const differences = compareRecord(order, recorded, 'order');
  if (!hasValueDifference(differences)) return { outcome: 'unchanged', detail: '' };
  // An update leaves fields that it does not name unchanged. The end of an exemption can be sent explicitly; any other
  // value that the order has no more leaves the service only with the record.
  if (differences.some(isRemoval)) await recordAgain(ports, submission);
  else {
    const hasLostExemption = order.exemption_type === undefined && recorded.exemption_type !== null;
    await ports.service.updateOrder(
      order.transaction_id,
      hasLostExemption ? { ...order, exemption_type: 'non_exempt' } : order,
    );
  }
  return { outcome: 'updated', detail: '' };
};

/** Whether the service has a value that is sent no more. Lines are not meant: an update replaces all of them. */
const isRemoval = (difference: FieldDifference): boolean =>
  difference.sent === '' &&
  difference.kind === 'value' &&
  difference.field !== 'exemption_type' &&
  !isOfLines(difference);

/**
 * The interface has no update of refunds. If only the lines have changed, such as the name of an article, the refund is
 * deleted and created again: its amount, date and place stay the same. If the amounts differ, a further refund of the
 * difference adjusts it, if the policy allows this and a refund can do it. A person must decide about any other
 * difference.
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
 * Returns the service's adjustments of a refund and stores them in this workspace. Their ids are derived from that of
 * the refund, so they are found even if the workspace that created them is lost.
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

/** If a run stops between the two steps, the record is still marked as `sending`, and the next run sends it. */
const recordAgain = async (ports: ClosePorts, submission: Submission): Promise<void> => {
  const { provider = '', ...name } = recordName(submission);
  await deleteRecord(ports, { ...name, provider });
  await createOnce(ports, submission.sent);
};

/** A record that exists already is the one whose answer was lost, because only Tieout creates ids of this form. */
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
