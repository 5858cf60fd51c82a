import pLimit from 'p-limit';
import type { Order, Refund } from '../../../contract/transaction.ts';
import { rollingWindow } from '../../../runtime/rolling-window.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import type { SalesPage } from '../../workspace/sale-page.ts';
import { keepPage } from '../../workspace/stage-pages.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { adjustmentsOf } from '../reconcile/adjustments-of.ts';
import { keysDigest, type RecordedSale, recordedStage } from './recorded-sale.ts';
import { showRecord } from './show-record.ts';

export type ReadFigures = { readonly read: number };

const PAGES_AT_ONCE = 8;
const TOLD_EVERY = 20;

/** Read what the service holds of the sales of these pages, with the adjustments of refunds, and keep it. */
export const readBackPages = async (
  ports: ClosePorts,
  pages: AsyncIterable<SalesPage>,
  advanced: Advanced,
): Promise<ReadFigures> => {
  const gate = pLimit(ports.callsAtOnce);
  let read = 0;
  const show = (provider: string, kind: 'order' | 'refund', id: string) =>
    gate(async (): Promise<Order | Refund | undefined> => {
      const record = await showRecord(ports, { provider, kind, id });
      if (record) read += 1;
      if (read % TOLD_EVERY === 0) advanced(read);
      return record;
    });
  await rollingWindow(pages, PAGES_AT_ONCE, async ({ slot, sales }) => {
    const keys = sales.map(({ sale }) => sale.key);
    const adjusted = await adjustmentsOf(ports, keys);
    const found = await Promise.allSettled(
      sales.map(async ({ sale: { key, channel, kind, id } }): Promise<RecordedSale | undefined> => {
        const provider = providerOf(ports.configuration, channel);
        const record = await show(provider, kind, id);
        const shown = await Promise.all((adjusted.get(key) ?? []).map((each) => show(provider, kind, each)));
        const adjustments = shown.filter((each) => each !== undefined);
        return record && { key, record, ...(adjustments.length > 0 && { adjustments }) };
      }),
    );
    const rows = found.flatMap((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value ?? [];
    });
    const open = sales.length - rows.length;
    await keepPage(ports.workspace, recordedStage(ports), slot, { input: keysDigest(keys), open, rows });
    advanced(read);
  });
  return { read };
};
