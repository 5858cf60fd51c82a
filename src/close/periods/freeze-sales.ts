import type { FilingPeriod } from '../../kernel/period.ts';
import type { FiguredSale } from '../period-sales/detailed-sales.ts';
import { storedPages } from '../period-sales/sales-of.ts';
import { type FiledSale, fileSales, unpostedKey } from '../workspace/filed-pages.ts';
import { readPage } from '../workspace/stage-pages.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * Copy the sales of a period with their figures into the table of filed sales, where nothing changes them: its own
 * sales and those carried into it. Skips sales that a lock already holds or that were carried to another period.
 */
export const freezeSales = async (workspace: Workspace, period: FilingPeriod): Promise<void> => {
  const { label } = period;
  for await (const { slot, sales } of storedPages(workspace, period)) {
    const page = await readPage<FiguredSale>(workspace, 'reconciled', slot);
    const figures = new Map(page?.rows.map((row) => [row.key, row.figures]));
    const rows = sales.flatMap((stored): Omit<FiledSale, 'entity' | 'page'>[] => {
      const { sale, digest, posting, filed, late, filedOn } = stored;
      const isPosted = posting === 'posted';
      const own = isPosted ? figures.get(sale.key) : undefined;
      if (filed) return [];
      return [
        {
          key: isPosted ? sale.key : unpostedKey(label, sale.key),
          label,
          filed_on: filedOn ?? sale.businessDate,
          source: late?.source ?? '',
          corrects: late?.corrects ?? '',
          posting,
          body: JSON.stringify(sale),
          digest,
          figures: own ? JSON.stringify(own) : null,
        },
      ];
    });
    await fileSales(workspace, rows);
  }
};
