import type { Order, Refund } from '../../../contract/transaction.ts';
import type { CalendarDate } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { filingPlan } from '../../period-sales/filing-plan.ts';
import { carriedPlaces } from '../../workspace/carried-sales.ts';
import { filedAmong } from '../../workspace/filed-pages.ts';
import { locksOf } from '../../workspace/locks.ts';
import { datedAmong } from '../../workspace/sale-index.ts';
import { recordedPages } from '../../workspace/sent-records.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ExtraRecord } from '../book-pages/log-sales.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/**
 * What the service holds beside the sales of a period in pages: what is dated in it, without that which was carried out
 * of it.
 */
export async function* extraRecordsOf(
  ports: ClosePorts,
  period: FilingPeriod,
): AsyncGenerator<readonly ExtraRecord[]> {
  const { workspace, configuration } = ports;
  const channels = new Map(configuration.channels.map(({ name }) => [providerOf(configuration, name), name]));
  const elsewhere = await carriedElsewhere(workspace, period);
  for await (const page of recordedPages(ports, period)) {
    const records = page.flatMap(({ provider, kind, id, business_date, body }): ExtraRecord[] => {
      if (kind !== 'order' && kind !== 'refund') return [];
      if (elsewhere.has(`${channels.get(provider) ?? provider}/${kind}/${id}`)) return [];
      const record = JSON.parse(body) as Order | Refund;
      return [{ provider, kind, id, day: business_date as CalendarDate, record }];
    });
    if (records.length > 0) yield records;
  }
}

/** The names under which anything of a period is filed: those of its locks, and of the amended version that it is. */
const labelsOf = async (workspace: Workspace, period: FilingPeriod): Promise<readonly string[]> => {
  const { spans, amendment } = filingPlan(period, await locksOf(workspace));
  return [...spans.flatMap(({ labels }) => labels), ...(amendment ? [amendment] : [])];
};

/** The keys of carried records that are filed with another period. */
const carriedElsewhere = async (workspace: Workspace, period: FilingPeriod): Promise<ReadonlySet<string>> => {
  const labels = await labelsOf(workspace, period);
  const rows = await carriedPlaces(workspace);
  const isHere = ({ filed_on, amendment }: (typeof rows)[number]): boolean =>
    amendment === '' ? period.first <= filed_on && filed_on <= period.last : labels.includes(amendment);
  return new Set(rows.filter((row) => !isHere(row)).map(({ key }) => key));
};

/** Which of these keys are posted with a period: filed with it, carried, or of its days and filed nowhere. */
export const postedAmong = async (
  workspace: Workspace,
  period: FilingPeriod,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  const sales = await datedAmong(workspace, keys);
  const filed = await filedAmong(workspace, keys);
  const carried = await carriedPlaces(workspace, keys);
  const present = sales.filter(
    ({ business_date: day, posting }) => posting === 'posted' && period.first <= day && day <= period.last,
  );
  const found = new Set(present.map(({ key }) => key));
  const labels = filed.length > 0 ? await labelsOf(workspace, period) : [];
  for (const { key, label } of filed) {
    if (labels.includes(label)) found.add(key);
    else found.delete(key);
  }
  for (const { key, posting } of carried) if (posting === 'posted') found.add(key);
  return found;
};
