import { pagesBy } from '../../../../database/pages.ts';
import type { Money } from '../../../../kernel/money.ts';
import type { ReportedTax } from '../../../sales/read-tax-report.ts';
import type { Remark, Sale } from '../../../sales/sale.ts';
import { type OrderReport, reportOf, withReport } from '../../../sales/tax-report.ts';
import { putSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { idOf, isOf, nameOfKey } from '../../../workspace/sale-key.ts';
import { saleRow } from '../../../workspace/sale-rows.ts';
import type { SaleRow } from '../../../workspace/tables.ts';
import { BATCH_ROWS } from '../../../workspace/workspace.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';
import type { ReadFile } from '../reading/read-file.ts';
import type { LoadedCompanion } from './load-companion.ts';
import { reportTally } from './report-tally.ts';

/**
 * Give the orders of the channel the taxes by jurisdiction of its tax reports, and compare the two. Only orders that
 * this load has read are changed.
 *
 * @returns what is said of the reports, by the file that it is said of
 */
export const useTaxReports = async (
  load: OpenLoad,
  companions: readonly LoadedCompanion[],
): Promise<ReadonlyMap<ReadFile, readonly Remark[]>> => {
  const report = companions.find(({ kind }) => kind === 'tax-report');
  if (!report) return new Map();
  const { workspace } = load;
  const tally = reportTally();
  for await (const page of reportedIds(load)) {
    const reports = await reportsOf(load, page);
    const rows = await orderRows(load, page);
    const orders = await salesByKey(
      workspace,
      [...rows.values()].map(({ key }) => key),
    );
    const drafts: SaleWithText[] = [];
    for (const { order_id: id } of page) {
      const told = reports.get(id) as OrderReport;
      const row = rows.get(id);
      const order = row && orders.get(row.key);
      const used = order && withReport({ order, refunded: row.refunded as Money }, told);
      tally.reported(told, used && { ...used, before: order });
      if (!used || row?.load !== load.number) continue;
      const { refunded, file, controls } = row;
      const more = { refunded: refunded as Money, file, controls };
      drafts.push(saleRow(ownerOf(load), used.order, more));
    }
    await workspace.together((tables) => putSales(workspace, drafts, tables));
  }
  for await (const page of unreportedKeys(load)) {
    const orders = await salesByKey(
      workspace,
      page.map(({ key }) => key),
    );
    for (const order of orders.values()) tally.unreported(order);
  }
  return new Map([[report.file, tally.notices()]]);
};

type Reported = { readonly order_id: string };

const reportRows = ({ workspace, channel }: OpenLoad) =>
  workspace.tables
    .selectFrom('tax_report')
    .where('entity', '=', workspace.entity)
    .where('channel', '=', channel.name);

/** The orders that the reports name. */
const reportedIds = (load: OpenLoad) =>
  pagesBy(reportRows(load).select('order_id').distinct(), ['order_id'], BATCH_ROWS);

const reportsOf = async (
  load: OpenLoad,
  page: readonly Reported[],
): Promise<ReadonlyMap<string, OrderReport>> => {
  const rows = await reportRows(load)
    .select(['order_id', 'body'])
    .where(
      'order_id',
      'in',
      page.map(({ order_id }) => order_id),
    )
    .orderBy('file')
    .orderBy('line')
    .execute();
  const byOrder = Map.groupBy(rows, ({ order_id }) => order_id);
  return new Map(
    [...byOrder].map(([id, own]) => [id, reportOf(own.map(({ body }) => JSON.parse(body) as ReportedTax))]),
  );
};

const orderRows = async (
  { workspace, channel }: OpenLoad,
  page: readonly Reported[],
): Promise<ReadonlyMap<string, SaleRow>> => {
  const rows = await workspace.tables
    .selectFrom('sale')
    .selectAll()
    .where('entity', '=', workspace.entity)
    .where(
      'key',
      'in',
      page.map(({ order_id }) => `${channel.name}/order/${order_id}`),
    )
    .execute();
  return new Map(rows.map((row) => [nameOfKey(row.key).id, row]));
};

/** Orders of the days of the reports that these do not name. */
const unreportedKeys = async function* (
  load: OpenLoad,
): AsyncGenerator<readonly { readonly key: Sale['key'] }[]> {
  const { workspace, channel } = load;
  const days = await reportRows(load)
    .select(({ fn }) => [fn.min('day').as('first'), fn.max('day').as('last')])
    .executeTakeFirst();
  if (!days?.first) return;
  const { first, last } = days;
  yield* pagesBy(
    workspace.tables
      .selectFrom('sale')
      .select('key')
      .where('entity', '=', workspace.entity)
      .where(isOf(channel.name, 'order'))
      .where('load', '=', load.number)
      .where('business_date', '>=', first)
      .where('business_date', '<=', last)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('tax_report')
              .select('tax_report.order_id')
              .whereRef('tax_report.entity', '=', 'sale.entity')
              .where('tax_report.channel', '=', channel.name)
              .where('tax_report.order_id', '=', idOf(channel.name, 'order')),
          ),
        ),
      ),
    ['key'],
    BATCH_ROWS,
  );
};
