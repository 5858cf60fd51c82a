import { addDays } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { type RecordedSale, recordedStage } from '../../period-sales/recorded-sale.ts';
import { nameOfKey } from '../../sales/sale-name.ts';
import { locksOf } from '../../workspace/locks.ts';
import { openKeys, postedIn } from '../../workspace/sale-index.ts';
import { beginning } from '../../workspace/sale-key.ts';
import { beginningOf, slotOf } from '../../workspace/sale-page.ts';
import { salePageHeads } from '../../workspace/sale-pages.ts';
import { adjustmentsIn } from '../../workspace/sent-records.ts';
import { pageHeads, readPage } from '../../workspace/stage-pages.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import type { ListedWindow } from './listed-windows.ts';

/** The ids of the records of a period's sales that the service has shown, with the instants of their sales. */
export type ShownRecords = ReadonlyMap<string, number>;

/** A period, and the slots of its pages that are not open days. */
export type PagesOfPeriod = { readonly period: FilingPeriod; readonly slots: readonly string[] };

/**
 * Returns the records of a period's sales that a window may list and that the service has shown.
 *
 * @param isWanted selects records; the days around a window are read too, but need not be kept
 */
export const windowSales = async (
  ports: ClosePorts,
  { period, slots }: PagesOfPeriod,
  window: Omit<ListedWindow, 'ids' | 'fresh'>,
  isWanted: (id: string, instant: number) => boolean,
): Promise<ShownRecords> => {
  const { workspace } = ports;
  const channels = channelsOf(ports, window);
  const first = window.first <= period.first ? period.first : addDays(window.first, -1);
  const last = window.last >= period.last ? period.last : addDays(window.last, 1);
  const days = { label: '', first, last };
  const shown = new Map<string, number>();
  const see = (id: string, instant: number): void => {
    if (isWanted(id, instant)) shown.set(id, instant);
  };
  if (channels.length === 0) return shown;
  const hasLocks = (await locksOf(workspace)).length > 0;
  for await (const page of openKeys(workspace, days, hasLocks, { channels, kind: window.kind }))
    for (const { key, instant } of page) see(nameOfKey(key).id, instant);
  const isOfWindow = windowKeys(ports, window);
  for (const key of await notShown(ports, days)) if (isOfWindow(key)) shown.delete(nameOfKey(key).id);
  for (const { id, instant } of await adjustmentsIn(ports, window.provider, days)) see(id, instant);
  for (const slot of slots) {
    const page = await readPage<RecordedSale>(workspace, recordedStage(ports), slot);
    for (const { key, record, adjustments = [] } of page?.rows ?? [])
      if (isOfWindow(key))
        for (const { transaction_id: id, transaction_date } of [record, ...adjustments])
          see(id, transaction_date);
  }
  return shown;
};

type WindowOf = Pick<ListedWindow, 'provider' | 'kind'>;

/** The channels whose records have the source of a window. */
export const channelsOf = ({ configuration }: ClosePorts, { provider }: WindowOf): readonly string[] =>
  configuration.channels
    .map(({ name }) => name)
    .filter((name) => providerOf(configuration, name) === provider);

/** Returns a test for keys of a window's channels and kind. An id is not enough, because two shops may use the same. */
export const windowKeys = (ports: ClosePorts, window: WindowOf): ((key: string) => boolean) => {
  const starts = channelsOf(ports, window).map((name) => beginning(name, window.kind));
  return (key) => starts.some((start) => key.startsWith(start));
};

/** Returns the keys of the sales that the service has not shown. */
const notShown = async (ports: ClosePorts, days: FilingPeriod): Promise<readonly string[]> => {
  const { workspace } = ports;
  const range = { first: beginningOf(days.first), last: beginningOf(days.last) };
  const heads = await pageHeads(workspace, recordedStage(ports), range);
  const open = new Set(heads.flatMap((head) => (head.open > 0 ? [head.slot] : [])));
  if (open.size === 0) return [];
  const missing: string[] = [];
  const hasLocks = (await locksOf(workspace)).length > 0;
  for (const head of await salePageHeads(workspace, days)) {
    const slot = slotOf(head);
    if (!open.has(slot)) continue;
    const page = await readPage<RecordedSale>(workspace, recordedStage(ports), slot);
    const shown = new Set(page?.rows.map(({ key }) => key));
    const keys = await postedIn(workspace, head, hasLocks);
    missing.push(...keys.filter((key) => !shown.has(key)));
  }
  return missing;
};
