import { afterKey } from '../../database/after-key.ts';
import { pagesOf } from '../../database/pages.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';
import type { SaleRow } from './tables.ts';
import { BATCH_ROWS, type Workspace } from './workspace.ts';

/** A sale as it stands in the workspace, with the digest of its content. */
export type StoredSale = { readonly sale: Sale; readonly digest: string; readonly posting: string };

/** The sales of a period in pages, by business date and key: the order of every listing and workbook. */
export async function* salesOf(
  workspace: Workspace,
  period: FilingPeriod,
): AsyncGenerator<readonly StoredSale[]> {
  const pages = pagesOf<SaleRow>(BATCH_ROWS, (after, rowsMax) =>
    workspace.tables
      .selectFrom('sale')
      .selectAll()
      .where('entity', '=', workspace.entity)
      .where('business_date', '>=', period.first)
      .where('business_date', '<=', period.last)
      .$if(after !== undefined, (query) =>
        query.where(afterKey({ business_date: after?.business_date ?? '', key: after?.key ?? '' })),
      )
      .orderBy('business_date')
      .orderBy('key')
      .limit(rowsMax)
      .execute(),
  );
  for await (const page of pages) {
    yield page.map(({ body, digest, posting }) => ({ sale: JSON.parse(body) as Sale, digest, posting }));
  }
}

/** The posted sales of a period, in the same order. */
export async function* postedSalesOf(
  workspace: Workspace,
  period: FilingPeriod,
): AsyncGenerator<readonly StoredSale[]> {
  for await (const page of salesOf(workspace, period))
    yield page.filter(({ posting }) => posting === 'posted');
}

/** One page of rows by the keys of its sales. */
export const byKey = <Row extends { readonly key: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.key, row]));
