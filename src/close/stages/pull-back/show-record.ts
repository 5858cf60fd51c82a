import { isGone } from '../../../contract/refusal.ts';
import type { Order, Refund } from '../../../contract/transaction.ts';
import type { ClosePorts } from '../close-ports.ts';

/** A record of the service, by what identifies it there. */
export type RecordName = {
  readonly provider: string;
  readonly kind: 'order' | 'refund';
  readonly id: string;
};

/** What the service holds under a name; `undefined` when it answers that there is none. */
export const showRecord = async (
  { service }: ClosePorts,
  { provider, kind, id }: RecordName,
): Promise<Order | Refund | undefined> => {
  try {
    return kind === 'order'
      ? await service.showOrder(id, { provider })
      : await service.showRefund(id, { provider });
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
};
