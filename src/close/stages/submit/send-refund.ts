import { accept } from '../../../contract/accept.ts';
import { isGone } from '../../../contract/refusal.ts';
import { CreateRefund, type CreateRefundInput, type Refund } from '../../../contract/transaction.ts';
import {
  adjustedRefund,
  adjustmentId,
  adjustmentOf,
  compareRefund,
} from '../../reconcile/adjusted-refund.ts';
import type { ClosePorts } from '../close-ports.ts';
import { isDuplicate } from './is-duplicate.ts';
import type { SendResult } from './send-submission.ts';
import type { Submission } from './submission.ts';

/**
 * The interface has no update of refunds. One that is held with other amounts is adjusted by a further refund over
 * the difference, where the policy says so and a refund can do it; any other difference is for a person to decide.
 */
export const sendRefund = async (ports: ClosePorts, submission: Submission): Promise<SendResult> => {
  const { stored } = submission;
  const body = submission.body as CreateRefundInput;
  try {
    await ports.service.createRefund(body);
    return { outcome: 'created', detail: '' };
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
  const sent = accept(CreateRefund, body);
  const refund = await ports.service.showRefund(stored.sale.id, { provider: body.provider });
  const adjustments = await adjustmentsAtService(ports, submission);
  const differences = compareRefund(sent, refund, adjustments).filter(({ kind }) => kind === 'value');
  if (differences.length === 0) return { outcome: 'unchanged', detail: '' };

  const id = adjustmentId(stored.sale.id, adjustments.length + 1);
  const adjustment = adjustmentOf(body, sent, adjustedRefund(refund, adjustments), { id, differences });
  const fields = differences.map(({ field }) => field).join(', ');
  const other = `the service holds this refund with another ${fields}`;
  if (ports.configuration.policy.changedRefunds === 'review') return { outcome: 'conflict', detail: other };
  if (adjustment === undefined)
    return { outcome: 'conflict', detail: `${other}, which a further refund cannot correct` };
  await noteAdjustment(ports, submission, adjustment, 'sending');
  await createOnce(ports, adjustment);
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
  const { provider } = submission.body;
  const found: Refund[] = [];
  for (;;) {
    const id = adjustmentId(submission.stored.sale.id, found.length + 1);
    try {
      const adjustment = await ports.service.showRefund(id, { provider });
      found.push(adjustment);
      await noteAdjustment(ports, submission, adjustment, 'held');
    } catch (error) {
      if (isGone(error)) return found;
      throw error;
    }
  }
};

/** One that is there already is the one whose answer was lost: nobody else makes ids of this form. */
const createOnce = async ({ service }: ClosePorts, adjustment: CreateRefundInput): Promise<void> => {
  try {
    await service.createRefund(adjustment);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
};

const noteAdjustment = (
  { workspace, serviceName }: ClosePorts,
  { stored, body: { provider } }: Submission,
  body: Pick<CreateRefundInput, 'transaction_id'>,
  state: 'sending' | 'held',
): Promise<void> =>
  workspace.upsert('refund_adjustment', [
    {
      entity: workspace.entity,
      service: serviceName,
      provider: String(provider ?? ''),
      id: String(body.transaction_id),
      key: stored.sale.key,
      body: JSON.stringify(body),
      state,
    },
  ]);
