import { afterKey } from '../../database/after-key.ts';
import { pagesOf } from '../../database/pages.ts';
import type { FiledSaleRow } from './period-tables.ts';
import { BATCH_ROWS, type Workspace } from './workspace.ts';

/** What locks hold, by the day with which it counts and its key. */
export const filedPages = (
  workspace: Workspace,
  labels: readonly string[],
  days?: { readonly first: string; readonly last: string },
  tables = workspace.tables,
): AsyncGenerator<readonly FiledSaleRow[]> =>
  pagesOf<FiledSaleRow>(BATCH_ROWS, (after, rowsMax) =>
    tables
      .selectFrom('filed_sale')
      .selectAll()
      .where('entity', '=', workspace.entity)
      .where('label', 'in', labels)
      .$if(days !== undefined && after === undefined, (query) =>
        query.where('filed_on', '>=', days?.first ?? ''),
      )
      .$if(days !== undefined, (query) => query.where('filed_on', '<=', days?.last ?? ''))
      .$if(after !== undefined, (query) =>
        query.where(afterKey({ filed_on: after?.filed_on ?? '', key: after?.key ?? '' })),
      )
      .orderBy('filed_on')
      .orderBy('key')
      .limit(rowsMax)
      .execute(),
  );
