import { ServiceRefusal } from '../../contract/refusal.ts';
import type { Order, Refund } from '../../contract/transaction.ts';
import { addDays, type CalendarDate, startOfUtcDay, zoneCalendar } from '../../kernel/calendar.ts';
import { daysBetween, type FilingPeriod } from '../../kernel/period.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import type { StageResult } from '../../runtime/pipeline.ts';
import { filingPlan, isFiled } from '../workspace/filing-plan.ts';
import { locksOf } from '../workspace/locks.ts';
import type { RecordedRow } from '../workspace/tables.ts';
import type { Advanced, ClosePorts } from './close-ports.ts';
import { providersOf } from './provider-of.ts';

export type PullBackFigures = { readonly listed: number; readonly read: number };

type Kind = 'order' | 'refund';
type Window = { readonly provider: string; readonly kind: Kind; readonly day: CalendarDate };

/**
 * Read back everything that the service holds for the period. It lists by UTC day, the period is one of business
 * dates, so one day on each side is listed too; the business date of each record decides later.
 */
export const pullBack = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<StageResult<PullBackFigures>> => {
  if (isFiled(filingPlan(period, await locksOf(ports.workspace))))
    return { value: { listed: 0, read: 0 }, summary: 'nothing to read: the period is locked' };
  const days = daysBetween(addDays(period.first, -1), addDays(period.last, 1));
  const kinds: readonly Kind[] = ['order', 'refund'];
  const windows = providersOf(ports.configuration).flatMap((provider) =>
    kinds.flatMap((kind) => days.map((day): Window => ({ provider, kind, day }))),
  );
  const total = { listed: 0, read: 0 };
  for (const window of windows) {
    const { listed, read } = await pullWindow(ports, window);
    total.listed += listed;
    total.read += read;
    advanced(total.read);
  }
  return { value: total, summary: `${total.read} records read back` };
};

/** Bring what the workspace knows of one day up to what the service holds of it. */
const pullWindow = async (ports: ClosePorts, window: Window): Promise<PullBackFigures> => {
  const { service, workspace, configuration } = ports;
  const query = { transaction_date: window.day, provider: window.provider };
  const ids = window.kind === 'order' ? await service.listOrders(query) : await service.listRefunds(query);
  const records = await inParallel(ids, configuration.service.concurrency, (id) => show(ports, window, id));
  const calendar = zoneCalendar(configuration.timeZone);
  const rows = records.flatMap((record): RecordedRow[] =>
    record === undefined
      ? []
      : [
          {
            entity: workspace.entity,
            service: ports.serviceName,
            provider: window.provider,
            kind: window.kind,
            id: record.transaction_id,
            instant: record.transaction_date,
            business_date: calendar.dateAt(record.transaction_date),
            body: JSON.stringify(record),
          },
        ],
  );
  await workspace.together(async (tables) => {
    await tables
      .deleteFrom('recorded')
      .where('entity', '=', workspace.entity)
      .where('service', '=', ports.serviceName)
      .where('provider', '=', window.provider)
      .where('kind', '=', window.kind)
      .where('instant', '>=', startOfUtcDay(window.day))
      .where('instant', '<', startOfUtcDay(addDays(window.day, 1)))
      .execute();
    await workspace.upsert('recorded', rows, tables);
  });
  return { listed: ids.length, read: rows.length };
};

const GONE = 404;

/** A record that was deleted between the listing and the reading is gone, not an error. */
const show = async (
  { service }: ClosePorts,
  { kind, provider }: Window,
  id: string,
): Promise<Order | Refund | undefined> => {
  try {
    return kind === 'order'
      ? await service.showOrder(id, { provider })
      : await service.showRefund(id, { provider });
  } catch (error) {
    if (error instanceof ServiceRefusal && error.status === GONE) return undefined;
    throw error;
  }
};
