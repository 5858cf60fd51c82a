import type { Order, Refund } from '../../../contract/transaction.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { channelOfProvider } from '../../configuration/provider-of.ts';
import { logPiece } from '../../evidence/log-file.ts';
import type { EvidenceLogs } from '../../evidence/logs.ts';
import type { PeriodSums } from '../../evidence/period-sums.ts';
import type { Stray } from '../../evidence/stray.ts';
import { filingPlan } from '../../period-sales/filing-plan.ts';
import { type DraftException, exceptionOfUnshown } from '../../reconcile/exceptions.ts';
import { postingOf } from '../../sales/sale.ts';
import { saleKey } from '../../sales/sale-name.ts';
import { carriedPlaces } from '../../workspace/carried-sales.ts';
import { filedAmong } from '../../workspace/filed-pages.ts';
import { locksOf } from '../../workspace/locks.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import { datedAmong } from '../../workspace/sale-index.ts';
import { recordedPages } from '../../workspace/sent-records.ts';
import { setAsidesByKey } from '../../workspace/set-asides.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { unshownOf } from '../read-back/unshown.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** A record of the service that is dated in a period. */
type ExtraRecord = Omit<Stray, 'channel' | 'said' | 'isHeld'>;

/**
 * Adds the records of the service that do not belong to a sale of the period, and logs them. Returns a finding for each
 * that the service lists but does not show.
 */
export const gatherRecorded = async (
  ports: ClosePorts,
  period: FilingPeriod,
  sums: Pick<PeriodSums, 'addStray'>,
  logs: EvidenceLogs,
): Promise<readonly DraftException[]> => {
  const { configuration } = ports;
  const channelOf = channelOfProvider(configuration);
  const keyOf = ({ provider, kind, id }: ExtraRecord) => saleKey(channelOf(provider), kind, id);
  const orderOf = ({ kind, provider, record }: ExtraRecord) => {
    const order = 'transaction_reference_id' in record ? record.transaction_reference_id : null;
    return kind === 'refund' && order !== null ? saleKey(channelOf(provider), 'order', order) : '';
  };
  for await (const page of extraRecordsOf(ports, period)) {
    const posted = await postedAmong(ports.workspace, period, page.map(keyOf));
    const extras = page.filter((extra) => !posted.has(keyOf(extra)));
    const stated = await statementOf(
      ports,
      extras.flatMap((extra) => [keyOf(extra), orderOf(extra)]),
    );
    const strays = extras.map((extra): Stray => {
      const { what, isHeld } = stated.get(keyOf(extra)) ?? saidOfOrder(stated.get(orderOf(extra)));
      const channel = channelOf(extra.provider);
      return { channel, ...extra, ...(what !== undefined && { said: what }), ...(isHeld && { isHeld }) };
    });
    await logs.write({ strays: logPiece(strays.map((stray) => JSON.stringify(stray))) });
    strays.forEach(sums.addStray);
  }
  return (await unshownOf(ports, period)).map(exceptionOfUnshown);
};

/**
 * The place of a record, and why it is not a sale of the period. The tax of a held sale counts as at stake on its own.
 */
type Statement = { readonly what: string; readonly posting?: string; readonly isHeld?: boolean };

/** Returns the statement for a refund that is derived from its order alone: it depends on the posting of the order. */
const saidOfOrder = (order: Statement | undefined): Partial<Statement> =>
  order && order.posting !== 'posted' ? { ...order, what: `of its order, ${order.what}` } : {};

/** Returns what the exports state of records that are not posted in the period. */
const statementOf = async (
  { workspace }: ClosePorts,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Statement>> => {
  if (keys.length === 0) return new Map();
  const asides = await setAsidesByKey(workspace, keys);
  const stated = await salesByKey(workspace, keys);
  const filed = await filedAmong(workspace, keys);
  return new Map([
    // If a record has several places, the first one comes last and so is used.
    ...asides.map(({ key, origin, outcome, reason }): [string, Statement] => {
      return [key, { what: `${origin.file}:${origin.line} is ${outcome}: ${reason.message}` }];
    }),
    ...[...stated.values()].map((sale): [string, Statement] => {
      const [{ file, line }, posting] = [sale.origin, postingOf(sale)];
      const what = posting === 'posted' ? `of ${sale.businessDate} now` : `not posted (${posting})`;
      return [sale.key, { what: `${file}:${line} is ${what}`, posting, isHeld: posting === 'needs review' }];
    }),
    ...filed.map(({ key, label }): [string, Statement] => [
      key,
      { what: `it is filed with ${label}`, posting: 'posted' },
    ]),
  ]);
};

/**
 * Yields pages of the records of the service that are dated in a period but do not belong to its sales, except those
 * that were carried out of it.
 */
async function* extraRecordsOf(
  ports: ClosePorts,
  period: FilingPeriod,
): AsyncGenerator<readonly ExtraRecord[]> {
  const { workspace, configuration } = ports;
  const channelOf = channelOfProvider(configuration);
  const elsewhere = await carriedElsewhere(workspace, period);
  for await (const page of recordedPages(ports, period)) {
    const records = page.flatMap(({ provider, kind, id, business_date, body }): ExtraRecord[] => {
      if (kind !== 'order' && kind !== 'refund') return [];
      if (elsewhere.has(saleKey(channelOf(provider), kind, id))) return [];
      const record = JSON.parse(body) as Order | Refund;
      return [{ provider, kind, id, day: business_date, record }];
    });
    if (records.length > 0) yield records;
  }
}

/**
 * Returns the labels under which records of a period are filed: those of its locks, and its own if it is an amended
 * version.
 */
const labelsOf = async (workspace: Workspace, period: FilingPeriod): Promise<readonly string[]> => {
  const { spans, amendment } = filingPlan(period, await locksOf(workspace));
  return [...spans.flatMap(({ labels }) => labels), ...(amendment ? [amendment] : [])];
};

/** Returns the keys of carried records that are filed in another period. */
const carriedElsewhere = async (workspace: Workspace, period: FilingPeriod): Promise<ReadonlySet<string>> => {
  const labels = await labelsOf(workspace, period);
  const rows = await carriedPlaces(workspace);
  const isHere = ({ filed_on, amendment }: (typeof rows)[number]): boolean =>
    amendment === '' ? period.first <= filed_on && filed_on <= period.last : labels.includes(amendment);
  return new Set(rows.filter((row) => !isHere(row)).map(({ key }) => key));
};

/** Returns which of these keys are posted in a period: filed in it, carried, or dated in it and not filed elsewhere. */
const postedAmong = async (
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
