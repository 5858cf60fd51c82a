import { isGone } from '../../../contract/refusal.ts';
import type { CalendarDate } from '../../../kernel/calendar.ts';
import type { RecordName } from '../../period-sales/recorded-sale.ts';
import { type SubmittedSale, submittedStage } from '../../period-sales/submitted-sale.ts';
import { beginningOf } from '../../workspace/sale-page.ts';
import { adjustmentsOf, forgetAdjustments } from '../../workspace/sent-records.ts';
import { keepPage, pageHeads, readPage } from '../../workspace/stage-pages.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** The record of a sale, with the day on which the service has it. */
export type DatedRecord = RecordName & { readonly key: string; readonly day: CalendarDate };

/**
 * Delete a record from the service, with the adjustments of a refund, and its stored state, so that its sale is sent
 * again once it is posted. Returns whether the service had any of these records.
 */
export const withdraw = async (ports: ClosePorts, record: DatedRecord): Promise<boolean> => {
  const wasAdjusted = await withdrawAdjustments(ports, record);
  const wasThere = await deleteRecord(ports, record);
  await forget(ports, record);
  return wasAdjusted || wasThere;
};

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

/** Deletes the stored state of a record. The empty input makes the stage process its page again. */
const forget = async (ports: ClosePorts, { key, day }: DatedRecord): Promise<void> => {
  const stage = submittedStage(ports);
  const days = { first: beginningOf(day), last: beginningOf(day) };
  for (const { slot } of await pageHeads(ports.workspace, stage, days)) {
    const page = await readPage<SubmittedSale>(ports.workspace, stage, slot);
    const rows = page?.rows.filter((row) => row.key !== key) ?? [];
    if (!page || rows.length === page.rows.length) continue;
    await keepPage(ports.workspace, stage, slot, { input: '', open: page.open, rows });
  }
};
