import { addDays } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { beginningOf } from '../../workspace/sale-page.ts';
import { pageHeads, readPage } from '../../workspace/stage-pages.ts';
import type { ClosePorts } from '../close-ports.ts';
import type { ListedWindow } from './listed-windows.ts';
import { type RecordedSale, recordedStage } from './recorded-sale.ts';

/** A record of a sale of the period that the service has shown. */
export type WindowSale = {
  readonly slot: string;
  readonly instant: number;
};

/** A period, and the slots of its pages that are not open days. */
export type PagesOfPeriod = { readonly period: FilingPeriod; readonly slots: readonly string[] };

/** The records of the sales of a period that a window may list, by their ids with the service. */
export const windowSales = async (
  ports: ClosePorts,
  { period, slots }: PagesOfPeriod,
  window: Omit<ListedWindow, 'ids' | 'fresh'>,
): Promise<ReadonlyMap<string, WindowSale>> => {
  const { workspace, configuration } = ports;
  const stage = recordedStage(ports);
  const first = window.first <= period.first ? period.first : addDays(window.first, -1);
  const last = window.last >= period.last ? period.last : addDays(window.last, 1);
  const heads = await pageHeads(workspace, stage, { first: beginningOf(first), last: beginningOf(last) });
  const channels = configuration.channels
    .map(({ name }) => name)
    .filter((name) => providerOf(configuration, name) === window.provider);
  const starts = channels.map((name) => `${name}/${window.kind}/`);
  const found = new Map<string, WindowSale>();
  for (const slot of [...slots, ...heads.map((head) => head.slot)]) {
    const page = await readPage<RecordedSale>(workspace, stage, slot);
    for (const { key, record, adjustments = [] } of page?.rows ?? []) {
      if (!starts.some((start) => key.startsWith(start))) continue;
      for (const { transaction_id: id, transaction_date: instant } of [record, ...adjustments])
        found.set(id, { slot, instant });
    }
  }
  return found;
};
