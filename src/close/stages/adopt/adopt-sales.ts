import type { LockBookOf } from '../../evidence/lock-book.ts';
import type { LoggedSale } from '../../evidence/logged.ts';
import type { Derivation } from '../../evidence/manifest.ts';
import { readSales } from '../../evidence/read-sales.ts';
import { unpostedKey } from '../../periods/freeze-sales.ts';
import { fileSales } from '../../workspace/filed-pages.ts';
import { BATCH_ROWS, type Workspace } from '../../workspace/workspace.ts';
import { adoptionRefused, brokenEvidence } from './adopt-errors.ts';

/** Where a record is filed. */
export type Placement = LockBookOf<'filed_sale'>;

/**
 * Freeze the sales of a lock once more: where each is filed from the lock's books, then its text and its figures from
 * the log of sales, page by page. What the log has beside them is filed with another lock.
 */
export const adoptSales = async (
  workspace: Workspace,
  { folder, derivation }: { readonly folder: string; readonly derivation: Derivation },
  label: string,
  placements: AsyncIterable<Placement>,
): Promise<void> => {
  const { entity, tables, upsert } = workspace;
  // What the export states, until the log of sales gives the rest of it. Of most it states nothing.
  const exemptions = new Map<string, string>();
  let left = 0;
  for await (const page of paged(placements)) {
    await refuseFiled(workspace, folder, page);
    const rows = page.map(({ exemption_type: stated, ...row }) => {
      if (stated !== null) exemptions.set(row.key, stated);
      return { entity, label, ...row, page: 0 };
    });
    left += rows.length;
    await upsert('filed_sale', rows, tables);
  }
  for await (const page of paged(readSales(folder, derivation))) {
    const named = new Map(page.map((logged) => [keyOf(label, logged), logged]));
    const placed = await tables
      .selectFrom('filed_sale')
      .selectAll()
      .where('entity', '=', entity)
      .where('label', '=', label)
      .where('key', 'in', [...named.keys()])
      .execute();
    const rows = placed.flatMap(({ entity: _entity, page: _page, ...row }) => {
      const logged = named.get(row.key);
      return logged ? [{ ...row, ...textsOf(logged, exemptions.get(row.key) ?? null) }] : [];
    });
    left -= rows.length;
    await fileSales(workspace, tables, rows);
  }
  if (left !== 0) throw brokenEvidence(folder, 'its sales are not those that were locked');
};

const keyOf = (label: string, { posting, sale }: LoggedSale): string =>
  posting === 'posted' ? sale.key : unpostedKey(label, sale.key);

const textsOf = (logged: LoggedSale, exemptionType: string | null) => ({
  body: JSON.stringify({ ...logged.sale, exemptionType }),
  figures: logged.reconciled ? JSON.stringify(logged.reconciled) : null,
});

/** A record is filed once. */
const refuseFiled = async (
  { entity, tables }: Workspace,
  folder: string,
  page: readonly Placement[],
): Promise<void> => {
  const filed = await tables
    .selectFrom('filed_sale')
    .select(['key', 'label'])
    .where('entity', '=', entity)
    .where('key', 'in', [...byKey(page).keys()])
    .executeTakeFirst();
  if (filed) throw adoptionRefused(folder, `the workspace has ${filed.key} filed with ${filed.label}`);
};

async function* paged<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let page: Item[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < BATCH_ROWS) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

const byKey = <Row extends { readonly key: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.key, row]));
