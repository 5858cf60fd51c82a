import { acceptTransaction } from '../../../contract/accept-transaction.ts';
import { draftOf } from '../../../contract/draft-of.ts';
import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { CreateRefund, NewTransaction, Order, Refund } from '../../../contract/transaction.ts';
import { inParallel } from '../../../runtime/in-parallel.ts';
import {
  adjustedRefund,
  adjustmentId,
  adjustmentOf,
  compareRefund,
  isOfLines,
  nextAdjustmentId,
} from '../../reconcile/adjusted-refund.ts';
import { compareRecord, type FieldDifference, hasValueDifference } from '../../reconcile/compare-record.ts';
import { adjustmentsOf, forgetAdjustments, keepAdjustment } from '../../workspace/sent-records.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { isDuplicate, type SendResult } from './send-result.ts';
import { recordName, type Submission } from './submission.ts';
import { deleteRecord, withdrawAdjustments } from './withdraw.ts';

/**
 * Record sales with the service: create them, read those that already exist, and bring each up to date if it differs. This
 * also finds the records of answers that were lost. A refusal is a result, not an error.
 */
export const sendSubmissions = async (
  ports: ClosePorts,
  submissions: readonly Submission[],
): Promise<readonly SendResult[]> => {
  const refused = await withdrawStrayAdjustments(ports, submissions);
  const sending = submissions.filter((submission) => !refused.has(submission));
  const outcomes = await ports.service.createMany(sending.map(({ sent }) => sent));
  const outcomeOf = new Map(sending.map((submission, index) => [submission, outcomes[index]]));
  const held = sending.filter((_, index) => isDuplicate(outcomes[index]));
  const records = await ports.service.showMany(held.map(recordName));
  const settled = await inParallel([...held.entries()], ports.callsAtOnce, ([index, submission]) =>
    settle(ports, submission, records[index]),
  );
  const settledOf = new Map(held.map((submission, index) => [submission, settled[index]]));
  return submissions.map(
    (submission) =>
      refused.get(submission) ?? settledOf.get(submission) ?? resultOf(outcomeOf.get(submission)),
  );
};

/**
 * Delete the known adjustments of refunds that the service does not have any more. Such a refund is created with the
 * whole amount that its export states, and its adjustments would count on top of it. Returns the refunds whose
 * adjustments the service refused to delete: these must not be created.
 */
const withdrawStrayAdjustments = async (
  ports: ClosePorts,
  submissions: readonly Submission[],
): Promise<ReadonlyMap<Submission, SendResult>> => {
  const refunds = submissions.filter(({ sent }) => sent.kind === 'refund');
  const known = await adjustmentsOf(
    ports,
    refunds.map(({ stored }) => stored.sale.key),
  );
  const adjusted = refunds.filter(({ stored }) => known.has(stored.sale.key));
  const records = adjusted.length > 0 ? await ports.service.showMany(adjusted.map(recordName)) : [];
  const refused = new Map<Submission, SendResult>();
  for (const [index, submission] of adjusted.entries()) {
    if (records[index]) continue;
    const { provider = '' } = recordName(submission);
    try {
      await withdrawAdjustments(ports, { key: submission.stored.sale.key, provider });
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error;
      refused.set(submission, { outcome: 'refused', detail: error.message });
    }
  }
  return refused;
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
  // A missing exemption is a difference in format alone, as a service need not keep it. It gets the exemption once.
  const isAsSent =
    !hasValueDifference(differences) && differences.every(({ field }) => field !== 'exemption_type');
  if (isAsSent) return { outcome: 'unchanged', detail: '' };
  const hasLostExemption = order.exemption_type === undefined && recorded.exemption_type !== null;
  const updated = await ports.service.updateOrder(
    order.transaction_id,
    hasLostExemption ? { ...order, exemption_type: 'non_exempt' } : order,
  );
  // An update leaves fields that it does not name unchanged. The end of an exemption can be sent explicitly; any other
  // value that the order has no more leaves the service only with the record. What the service refuses, it refuses of
  // the update already, and the record stays.
  if (differences.some(isRemoval)) await recordAgain(ports, submission, updated);
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
    await recordAgain(ports, submission, recorded);
    return { outcome: 'updated', detail: '' };
  }

  const id = nextAdjustmentId(sent.transaction_id, adjustments);
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
 * Returns the service's adjustments of a refund, and brings those that this workspace knows to them. The ids are derived
 * from that of the refund, so they are found even if the workspace that created them is lost; those that it knows are
 * asked for by id, because someone may have deleted one before them.
 */
const adjustmentsAtService = async (
  ports: ClosePorts,
  submission: Submission,
): Promise<readonly Refund[]> => {
  const { id: refundId, ...space } = recordName(submission);
  const { key } = submission.stored.sale;
  const known = (await adjustmentsOf(ports, [key])).get(key) ?? [];
  const shown = await ports.service.showMany(known.map((id) => ({ ...space, id })));
  for (const [index, id] of known.entries()) if (!shown[index]) await forgetAdjustments(ports, { key, id });
  const found = shown.filter((adjustment): adjustment is Refund => adjustment !== undefined);
  for (let number = 1; ; number += 1) {
    const id = adjustmentId(refundId, number);
    if (known.includes(id)) continue;
    const [adjustment] = await ports.service.showMany([{ ...space, id }]);
    if (adjustment === undefined) break;
    found.push(adjustment);
  }
  for (const adjustment of found) await noteAdjustment(ports, submission, adjustment, 'held');
  return found;
};

/**
 * Delete a record and create it as it is sent now. If the service refuses that, the record is created as it was. If a run
 * stops between the steps, it is still marked as `sending`, and the next run sends it.
 */
const recordAgain = async (
  ports: ClosePorts,
  submission: Submission,
  recorded: Order | Refund,
): Promise<void> => {
  const { provider = '', ...name } = recordName(submission);
  await deleteRecord(ports, { ...name, provider });
  try {
    await createOnce(ports, submission.sent);
  } catch (error) {
    if (error instanceof ServiceRefusal)
      await ports.service.createMany([{ kind: name.kind, transaction: draftOf(recorded) }]);
    throw error;
  }
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
