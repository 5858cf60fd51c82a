import { batches } from '../../../runtime/batches.ts';
import type { LockBookOf } from '../../evidence/lock-book.ts';
import type { LoggedSale } from '../../evidence/logged.ts';
import type { Derivation } from '../../evidence/manifest.ts';
import { readSales } from '../../evidence/read-sales.ts';
import { unpostedKey } from '../../periods/freeze-sales.ts';
import { filedPlaces, filedUnder, fileSales, placeFiled } from '../../workspace/filed-pages.ts';
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
  // What the export states, until the log of sales gives the rest of it. Of most it states nothing.
  const exemptions = new Map<string, string>();
  let left = 0;
  for await (const page of batches(placements, BATCH_ROWS)) {
    await refuseFiled(workspace, folder, page);
    const rows = page.map(({ exemption_type: stated, ...row }) => {
      if (stated !== null) exemptions.set(row.key, stated);
      return { label, ...row, page: 0 };
    });
    left += rows.length;
    await placeFiled(workspace, rows);
  }
  for await (const page of batches(readSales(folder, derivation), BATCH_ROWS)) {
    const named = new Map(page.map((logged) => [keyOf(label, logged), logged]));
    const placed = await filedPlaces(workspace, label, [...named.keys()]);
    const rows = placed.flatMap(({ page: _page, entity: _entity, ...row }) => {
      const logged = named.get(row.key);
      return logged ? [{ ...row, ...textsOf(logged, exemptions.get(row.key) ?? null) }] : [];
    });
    left -= rows.length;
    await fileSales(workspace, rows);
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
  workspace: Workspace,
  folder: string,
  page: readonly Placement[],
): Promise<void> => {
  const filed = await filedUnder(
    workspace,
    page.map(({ key }) => key),
  );
  if (filed) throw adoptionRefused(folder, `the workspace has ${filed.key} filed with ${filed.label}`);
};
