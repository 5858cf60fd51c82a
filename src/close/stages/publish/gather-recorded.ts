import type { Order, Refund } from '../../../contract/transaction.ts';
import { DefectError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { moneyOfPrice } from '../../../kernel/price.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { logPiece } from '../../evidence/log-file.ts';
import { postedAmong, recordedOf } from '../../periods/recorded-of-period.ts';
import { type DraftException, exceptionOfExtra, exceptionOfUnshown } from '../../reconcile/exceptions.ts';
import { addRecorded } from '../../reconcile/period-totals.ts';
import type { SetAside } from '../../sales/sale.ts';
import type { RecordedRow } from '../../workspace/service-tables.ts';
import type { ClosePorts } from '../close-ports.ts';
import { unshownOf } from '../pull-back/unshown.ts';
import { type EvidenceLogs, extraLine } from './evidence-logs.ts';
import type { GatheredSales } from './gather-sales.ts';

/**
 * Count what the service holds for the period beside its sales into its days, and log it; what no export explains is
 * an exception, and so is what the service lists and does not show.
 */
export const gatherRecorded = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { totals, recordsOfSales }: GatheredSales,
  logs: EvidenceLogs,
): Promise<readonly DraftException[]> => {
  const { configuration } = ports;
  const channels = new Map(configuration.channels.map(({ name }) => [providerOf(configuration, name), name]));
  const channelOf = ({ provider }: RecordedRow) => channels.get(provider) ?? provider;
  const keyOf = (row: RecordedRow) => `${channelOf(row)}/${row.kind}/${row.id}`;
  const drafts: DraftException[] = [];
  let known = 0;
  for await (const page of recordedOf(ports, period)) {
    const posted = await postedAmong(ports.workspace, period, page.map(keyOf));
    const extra = page.filter((row) => !posted.has(keyOf(row)));
    known += page.length - extra.length;
    if (extra.length === 0) continue;
    await logs.write({ records: logPiece(extra.map((row) => extraLine(row, channelOf(row)))) });
    const adjustments = await adjustmentsAmong(ports, extra);
    const said = await saidOf(ports, extra.map(keyOf));
    for (const row of extra) {
      const channel = channelOf(row);
      const record = JSON.parse(row.body) as Order | Refund;
      const tax = moneyOfPrice(record.sales_tax);
      const amount = moneyOfPrice(record.amount);
      // A refund and its adjustments are one record with the amounts of all.
      const isAdjustment = row.kind === 'refund' && adjustments.has(`${row.provider}/${row.id}`);
      addRecorded(totals, row.business_date, channel, { records: isAdjustment ? 0 : 1, amount, tax });
      if (isAdjustment) continue;
      drafts.push(
        exceptionOfExtra({
          kind: row.kind,
          id: row.id,
          provider: row.provider,
          state: record.to_state ?? '',
          tax,
          said: said.get(keyOf(row)),
        }),
      );
    }
  }
  if (known !== recordsOfSales)
    throw new DefectError(
      `${recordsOfSales} records are of sales of the period, and ${known} were read back`,
    );
  drafts.push(...(await unshownOf(ports, period)).map(exceptionOfUnshown));
  return drafts;
};

/** What the exports say of records that are not posted in the period: where it stands, and why it is no sale of it. */
const saidOf = async (
  { workspace }: ClosePorts,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (keys.length === 0) return new Map();
  const { tables, entity } = workspace;
  const asides = await tables
    .selectFrom('set_aside')
    .select(['key', 'body'])
    .where('entity', '=', entity)
    .where('key', 'in', keys)
    // Of several places the first one is named: it comes last here.
    .orderBy('file', 'desc')
    .orderBy('line', 'desc')
    .execute();
  const sales = await tables
    .selectFrom('sale')
    .select(['key', 'posting', 'business_date', 'file', 'line'])
    .where('entity', '=', entity)
    .where('key', 'in', keys)
    .execute();
  const filed = await tables
    .selectFrom('filed_sale')
    .select(['key', 'label'])
    .where('entity', '=', entity)
    .where('posting', '=', 'posted')
    .where('key', 'in', keys)
    .execute();
  return new Map([
    ...asides.map(({ key, body }): [string, string] => {
      const { origin, outcome, reason } = JSON.parse(body) as SetAside;
      return [key, `${origin.file}:${origin.line} is ${outcome}: ${reason.message}`];
    }),
    ...sales.map(({ key, posting, business_date, file, line }): [string, string] => [
      key,
      `${file}:${line} is ${posting === 'posted' ? `of ${business_date} now` : `not posted (${posting})`}`,
    ]),
    ...filed.map(({ key, label }): [string, string] => [key, `it is filed with ${label}`]),
  ]);
};

/** The adjustments among the records of a page, as long as the refund that they adjust is posted. */
const adjustmentsAmong = async (
  { workspace, serviceName }: ClosePorts,
  page: readonly RecordedRow[],
): Promise<ReadonlySet<string>> => {
  const rows = await workspace.tables
    .selectFrom('refund_adjustment')
    .innerJoin('sale', (join) =>
      join
        .onRef('sale.entity', '=', 'refund_adjustment.entity')
        .onRef('sale.key', '=', 'refund_adjustment.key'),
    )
    .select(['refund_adjustment.provider', 'refund_adjustment.id'])
    .where('refund_adjustment.entity', '=', workspace.entity)
    .where('refund_adjustment.service', '=', serviceName)
    .where('sale.posting', '=', 'posted')
    .where(
      'refund_adjustment.id',
      'in',
      page.map(({ id }) => id),
    )
    .execute();
  return new Set(rows.map(({ provider, id }) => `${provider}/${id}`));
};
