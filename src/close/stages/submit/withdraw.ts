import { isGone } from '../../../contract/refusal.ts';
import type { CalendarDate } from '../../../kernel/calendar.ts';
import type { RecordName } from '../../period-sales/recorded-sale.ts';
import { adjustmentsOf, forgetAdjustments } from '../../workspace/sent-records.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** The record of a sale, with the day on which the service has it. */
export type DatedRecord = RecordName & { readonly key: string; readonly day: CalendarDate };

/** Delete the known adjustments of a refund from the service, and forget them. Returns whether the service had any. */
export const withdrawAdjustments = async (
  ports: ClosePorts,
  { key, provider }: Pick<DatedRecord, 'key' | 'provider'>,
): Promise<boolean> => {
  let wasThere = false;
  for (const id of (await adjustmentsOf(ports, [key])).get(key) ?? [])
    if (await deleteRecord(ports, { kind: 'refund', id, provider })) wasThere = true;
  await forgetAdjustments(ports, { key });
  return wasThere;
};

/**
 * Delete one record from the service. Returns whether it existed: the answer to an earlier deletion may have been lost.
 */
export const deleteRecord = async (
  { service }: ClosePorts,
  { kind, id, provider }: RecordName,
): Promise<boolean> => {
  const deleted = kind === 'order' ? service.deleteOrder : service.deleteRefund;
  try {
    await deleted(id, { provider });
    return true;
  } catch (error) {
    if (!isGone(error)) throw error;
    return false;
  }
};
