import { type CalendarDate, zoneCalendar } from '../../../kernel/calendar.ts';
import { type FilingPeriod, isWithin } from '../../../kernel/period.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { isReadFor, type RecordedSale, recordedStage } from '../../period-sales/recorded-sale.ts';
import { type KeysPage, keysOf, postedSalesOf, slotOfSale } from '../../period-sales/sales-of.ts';
import { datedAmong } from '../../workspace/sale-index.ts';
import { nameOfKey } from '../../workspace/sale-key.ts';
import { beginningOf } from '../../workspace/sale-page.ts';
import { recordedOrders } from '../../workspace/sent-records.ts';
import { pageHeads, readPage } from '../../workspace/stage-pages.ts';
import { BATCH_ROWS } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import type { PageToSubmit } from './submit-transactions.ts';

/**
 * Yields orders that were read back for the days of a period but are now dated outside it. They are submitted with this
 * period, so that its books are right, whenever the other period is closed.
 */
export async function* movedOrders(ports: ClosePorts, period: FilingPeriod): AsyncGenerator<PageToSubmit> {
  const { workspace } = ports;
  const keys = [...(await leftTheirPages(ports, period)), ...(await strangers(ports, period))];
  const moved = new Map<string, Set<string>>();
  for (const batch of batchesOf(keys, BATCH_ROWS)) {
    for (const { key, business_date, posting } of await datedAmong(workspace, batch)) {
      const businessDate = business_date as CalendarDate;
      if (posting !== 'posted' || nameOfKey(key).kind !== 'order' || isWithin(period, businessDate)) continue;
      const slot = await slotOfSale(workspace, { key, businessDate });
      if (slot !== undefined) moved.set(slot, (moved.get(slot) ?? new Set()).add(key));
    }
  }
  for (const [slot, only] of moved)
    for await (const page of postedSalesOf(workspace, period, { slots: [slot] })) yield { ...page, only };
}

/** Returns the keys of records that were read back with the pages of the period, but whose sales have left these. */
const leftTheirPages = async (ports: ClosePorts, period: FilingPeriod): Promise<readonly string[]> => {
  const { workspace, configuration } = ports;
  const stage = recordedStage(ports);
  const days = { first: beginningOf(period.first), last: beginningOf(period.last) };
  const heads = new Map((await pageHeads(workspace, stage, days)).map((head) => [head.slot, head]));
  if (heads.size === 0) return [];
  const calendar = zoneCalendar(configuration.timeZone);
  const left: string[] = [];
  const look = async ({ slot, keys }: KeysPage): Promise<void> => {
    const head = heads.get(slot);
    heads.delete(slot);
    if (!head || isReadFor(head.input, keys)) return;
    const page = await readPage<RecordedSale>(workspace, stage, slot);
    const known = new Set(keys);
    for (const { key, record } of page?.rows ?? [])
      if (!known.has(key) && isWithin(period, calendar.dateAt(record.transaction_date))) left.push(key);
  };
  for await (const page of keysOf(workspace, period)) await look(page);
  // The pages that are left no longer contain any sales.
  for (const slot of [...heads.keys()]) await look({ slot, keys: [] });
  return left;
};

/** Returns the keys that recorded orders without a sale of the period would have. */
const strangers = async (ports: ClosePorts, period: FilingPeriod): Promise<readonly string[]> => {
  const { configuration } = ports;
  const channels = new Map(configuration.channels.map(({ name }) => [providerOf(configuration, name), name]));
  const rows = await recordedOrders(ports, period);
  return rows.map(({ provider, id }) => `${channels.get(provider) ?? provider}/order/${id}`);
};
