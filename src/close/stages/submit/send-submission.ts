import { accept } from '../../../contract/accept.ts';
import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { Order } from '../../../contract/transaction.ts';
import { CreateOrder } from '../../../contract/transaction.ts';
import { compareRecord, hasValueDifference } from '../../reconcile/compare-record.ts';
import type { ClosePorts } from '../close-ports.ts';
import { isDuplicate } from './is-duplicate.ts';
import { sendRefund } from './send-refund.ts';
import type { Submission } from './submission.ts';

export type SendOutcome = 'created' | 'updated' | 'adjusted' | 'unchanged' | 'refused' | 'conflict';
export type SendResult = { readonly outcome: SendOutcome; readonly detail: string };

/**
 * Have the service hold a sale as it is: create it; where it is there already, read it, and change it only if it
 * differs. An answer that was lost on the way is found in the same manner. A refusal is an outcome, not an error.
 */
export const sendSubmission = async (ports: ClosePorts, submission: Submission): Promise<SendResult> => {
  try {
    return submission.stored.sale.kind === 'order'
      ? await sendOrder(ports, submission)
      : await sendRefund(ports, submission);
  } catch (error) {
    if (error instanceof ServiceRefusal) return { outcome: 'refused', detail: error.message };
    throw error;
  }
};

const sendOrder = async ({ service }: ClosePorts, { stored, body }: Submission): Promise<SendResult> => {
  const { id } = stored.sale;
  try {
    await service.createOrder(body);
    return { outcome: 'created', detail: '' };
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
  const recorded = await service.showOrder(id, { provider: body.provider });
  if (!hasValueDifference(compareRecord(accept(CreateOrder, body), recorded, 'order')))
    return { outcome: 'unchanged', detail: '' };
  await service.updateOrder(
    id,
    isFreedNoMore(body, recorded) ? { ...body, exemption_type: 'non_exempt' } : body,
  );
  return { outcome: 'updated', detail: '' };
};

/** An update keeps what it does not name, so that the end of an exemption has to be said. */
const isFreedNoMore = (body: Submission['body'], recorded: Order): boolean =>
  body.exemption_type === undefined && recorded.exemption_type !== null;
