import type { Order, Refund } from '../../../contract/transaction.ts';
import { type CalendarDate, zoneCalendar } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { batches } from '../../../runtime/batches.ts';
import { keptInGroups } from '../../../runtime/kept-in-groups.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { providersOf, providersReadBack } from '../../configuration/provider-of.ts';
import { filingPlan, isFiled } from '../../workspace/filing-plan.ts';
import { locksOf } from '../../workspace/locks.ts';
import type { RecordedRow } from '../../workspace/service-tables.ts';
import { threadsFor } from '../batches/by-days.ts';
import { handOut } from '../batches/hand-out.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { inLists } from '../service-lists.ts';
import { forgetGone, forgetOne } from './forget-gone.ts';
import { type ListedWindow, listedWindows } from './listed-windows.ts';
import { pullCarried } from './pull-carried.ts';
import { forgetUnshown, type ListedRecord, unshownRow } from './unshown.ts';

export type PullBackFigures = { readonly listed: number; readonly read: number };

/**
 * Read back everything that the service holds for the period: list it, and read each record that is listed. Nothing
 * is taken for unchanged, because nothing in the interface says so: a listing has ids only. The business date of each
 * record decides later whether it belongs to the period.
 */
export const pullBack = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<StageResult<PullBackFigures>> => {
  if (isFiled(filingPlan(period, await locksOf(ports.workspace))))
    return { value: { listed: 0, read: 0 }, summary: 'nothing to read: the period is locked' };
  await forgetUnshown(ports, period);
  const records = listed(ports, period);
  const workers = ports.workers ?? (await threadsFor(ports, period));
  const total = workers
    ? await handOut(
        ports,
        workers,
        { stage: 'pull-back', period, counted: NONE },
        batches(records, workers.itemsPerPiece),
        advanced,
      )
    : await readBack(ports, records, advanced);
  const read = total.read + (await pullCarried(ports, period));
  return { value: { ...total, read }, summary: `${read} records read back` };
};

/** Read these records and keep what the service holds of each; one that it lists and does not show is noted. */
export const readBack = async (
  ports: ClosePorts,
  records: AsyncIterable<ListedRecord>,
  advanced: Advanced,
): Promise<PullBackFigures> => {
  const { workspace, configuration } = ports;
  const calendar = zoneCalendar(configuration.timeZone);
  const total = { listed: 0, read: 0 };
  const keeper = keptInGroups<RecordedRow>({
    waitingMax: KEPT_TOGETHER,
    write: (rows) => workspace.upsert('recorded', rows),
  });
  await inLists(ports, records, async (list) => {
    await keeper.room();
    const shown = await ports.service.showMany(list);
    for (const [index, one] of list.entries()) {
      const record = shown[index];
      total.listed += 1;
      if (record === undefined) void keeper.keep(unshownRow(ports, one));
      if (record === undefined || isOfAnother(configuration, one, record)) {
        await forgetOne(ports, one);
        continue;
      }
      total.read += 1;
      void keeper.keep({
        entity: workspace.entity,
        service: ports.serviceName,
        provider: one.provider,
        kind: one.kind,
        id: record.transaction_id,
        instant: record.transaction_date,
        business_date: calendar.dateAt(record.transaction_date),
        body: JSON.stringify(record),
      });
    }
    advanced(total.read);
  });
  await keeper.settled();
  return total;
};

const NONE: PullBackFigures = { listed: 0, read: 0 };

/** Records written together at the most: reading one again costs nothing but time. */
const KEPT_TOGETHER = 500;

/** The records of the period one by one. What a window does not list is forgotten before they are read. */
async function* listed(ports: ClosePorts, period: FilingPeriod): AsyncGenerator<ListedRecord> {
  for await (const window of listedWindows(ports, period, providersReadBack(ports.configuration))) {
    await forgetGone(ports, window);
    const { provider, kind } = window;
    const day = dayWithin(window, period);
    for (const id of window.fresh) yield { provider, kind, id, day };
  }
}

/** The first day of the window that is one of the period. */
const dayWithin = ({ first }: ListedWindow, period: FilingPeriod): CalendarDate => {
  if (first < period.first) return period.first;
  return first > period.last ? period.last : first;
};

/** A service may take no notice of the source in a listing: then others' sources seem to hold the channels' records. */
const isOfAnother = (
  configuration: ClosePorts['configuration'],
  { provider }: ListedRecord,
  record: Order | Refund,
): boolean => !providersOf(configuration).includes(provider) && record.provider !== provider;
