import type { FilingPeriod } from '../../../kernel/period.ts';
import { moneyOfPrice } from '../../../kernel/price.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { logPiece } from '../../evidence/log-file.ts';
import { type DraftException, exceptionOfExtra, exceptionOfUnshown } from '../../reconcile/exceptions.ts';
import { addRecorded, type PeriodTotals } from '../../reconcile/period-totals.ts';
import { postingOf } from '../../sales/sale.ts';
import { filedAmong } from '../../workspace/filed-pages.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import { setAsidesByKey } from '../../workspace/set-asides.ts';
import { type ExtraRecord, extraLine } from '../book-pages/log-sales.ts';
import { unshownOf } from '../read-back/unshown.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import type { EvidenceLogs } from './evidence-logs.ts';
import { extraRecordsOf, postedAmong } from './recorded-of-period.ts';

/**
 * Count what the service holds for the period beside its sales into its days, and log it; what no export explains is
 * an exception, and so is what the service lists and does not show.
 */
export const gatherRecorded = async (
  ports: ClosePorts,
  period: FilingPeriod,
  totals: PeriodTotals,
  logs: EvidenceLogs,
): Promise<readonly DraftException[]> => {
  const { configuration } = ports;
  const channels = new Map(configuration.channels.map(({ name }) => [providerOf(configuration, name), name]));
  const channelOf = ({ provider }: ExtraRecord) => channels.get(provider) ?? provider;
  const keyOf = (extra: ExtraRecord) => `${channelOf(extra)}/${extra.kind}/${extra.id}`;
  const orderOf = (extra: ExtraRecord) =>
    extra.kind === 'refund' && 'transaction_reference_id' in extra.record
      ? `${channelOf(extra)}/order/${extra.record.transaction_reference_id}`
      : '';
  const drafts: DraftException[] = [];
  for await (const page of extraRecordsOf(ports, period)) {
    const posted = await postedAmong(ports.workspace, period, page.map(keyOf));
    const extras = page.filter((extra) => !posted.has(keyOf(extra)));
    if (extras.length === 0) continue;
    await logs.write({ records: logPiece(extras.map((extra) => extraLine(extra, channelOf(extra)))) });
    const stated = await statementOf(
      ports,
      extras.flatMap((extra) => [keyOf(extra), orderOf(extra)]),
    );
    for (const extra of extras) {
      const { kind, id, provider, day, record } = extra;
      const tax = moneyOfPrice(record.sales_tax);
      addRecorded(totals, day, channelOf(extra), { records: 1, amount: moneyOfPrice(record.amount), tax });
      const state = record.to_state ?? '';
      const { what: said, isHeld } = stated.get(keyOf(extra)) ?? saidOfOrder(stated.get(orderOf(extra)));
      drafts.push(exceptionOfExtra({ kind, id, provider, state, tax, said, isHeld }));
    }
  }
  drafts.push(...(await unshownOf(ports, period)).map(exceptionOfUnshown));
  return drafts;
};

/** Where a record stands, and why it is not a sale of the period; a sale that waits for a person has its tax at stake by itself. */
type Statement = { readonly what: string; readonly posting?: string; readonly isHeld?: boolean };

/** A refund may follow from its order alone: then it stands or falls with it. */
const saidOfOrder = (order: Statement | undefined): Partial<Statement> =>
  order && order.posting !== 'posted' ? { ...order, what: `of its order, ${order.what}` } : {};

/** What the exports say of records that are not posted in the period. */
const statementOf = async (
  { workspace }: ClosePorts,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Statement>> => {
  if (keys.length === 0) return new Map();
  const asides = await setAsidesByKey(workspace, keys);
  const stated = await salesByKey(workspace, keys);
  const filed = await filedAmong(workspace, keys);
  return new Map([
    // Of several places the first one is named: it comes last.
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
