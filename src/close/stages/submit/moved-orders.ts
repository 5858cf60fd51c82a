import { type CalendarDate, zoneCalendar } from '../../../kernel/calendar.ts';
import { type FilingPeriod, isWithin } from '../../../kernel/period.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import { channelOfProvider } from '../../configuration/provider-of.ts';
import {
  isReadFor,
  isReadForContent,
  type RecordedSale,
  recordedStage,
} from '../../period-sales/recorded-sale.ts';
import { postedSalesOf, slotOfSale } from '../../period-sales/sales-of.ts';
import { nameOfKey, saleKey } from '../../sales/sale-name.ts';
import { locksOf } from '../../workspace/locks.ts';
import { datedAmong, postedIn } from '../../workspace/sale-index.ts';
import { beginningOf, slotOf } from '../../workspace/sale-page.ts';
import { salePageHeads } from '../../workspace/sale-pages.ts';
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
  const look = async (slot: string, keys: readonly string[]): Promise<void> => {
    const page = await readPage<RecordedSale>(workspace, stage, slot);
    const known = new Set(keys);
    for (const { key, record } of page?.rows ?? [])
      if (!known.has(key) && isWithin(period, calendar.dateAt(record.transaction_date))) left.push(key);
  };
  const hasLocks = (await locksOf(workspace)).length > 0;
  for (const page of await salePageHeads(workspace, period)) {
    const head = heads.get(slotOf(page));
    if (!head) continue;
    heads.delete(head.slot);
    // With locks, the sales of a page also depend on what is filed.
    if (!hasLocks && isReadForContent(head.input, page.content)) continue;
    const keys = await postedIn(workspace, page, hasLocks);
    if (!isReadFor(head.input, keys)) await look(head.slot, keys);
  }
  // The pages that are left no longer contain any sales.
  for (const slot of heads.keys()) await look(slot, []);
  return left;
};

/** Returns the keys that recorded orders without a sale of the period would have. */
const strangers = async (ports: ClosePorts, period: FilingPeriod): Promise<readonly string[]> => {
  const channelOf = channelOfProvider(ports.configuration);
  const rows = await recordedOrders(ports, period);
  return rows.map(({ provider, id }) => saleKey(channelOf(provider), 'order', id));
};
