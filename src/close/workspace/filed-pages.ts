import { pagesBy } from '../../database/pages.ts';
import type { FiledSaleRow } from './period-tables.ts';
import { BATCH_ROWS, type Workspace } from './workspace.ts';

/** What locks hold, by the day with which it counts and its key. */
export const filedPages = (
  workspace: Workspace,
  labels: readonly string[],
  days?: { readonly first: string; readonly last: string },
  tables = workspace.tables,
): AsyncGenerator<readonly FiledSaleRow[]> =>
  pagesBy(
    tables
      .selectFrom('filed_sale')
      .selectAll()
      .where('entity', '=', workspace.entity)
      .where('label', 'in', labels)
      .$if(days !== undefined, (query) => query.where('filed_on', '<=', days?.last ?? '')),
    ['filed_on', 'key'],
    BATCH_ROWS,
    days?.first,
  );
