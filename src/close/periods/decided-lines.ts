import { detailRowOf } from '../reconcile/detail-row.ts';
import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import type { LateLine } from '../report/late-line.ts';
import { type Posting, postingOf, type Sale } from '../sales/sale.ts';
import { lateExpectations } from '../workspace/expectation-of.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { figuresOf, lateLines } from './late-lines.ts';
import { reversedFigures } from './reversed-figures.ts';

const UNRECORDED = { recorded: undefined, differences: [], detail: '' };

/** What was decided of the late items of a locked period, and what it changes, whether it is filed by now or not. */
export const decidedLines = async (workspace: Workspace, period: string): Promise<readonly LateLine[]> => {
  const { tables, entity } = workspace;
  const rows = await tables
    .selectFrom('carried_sale')
    .selectAll()
    .where('entity', '=', entity)
    .where('source', '=', period)
    .orderBy('key')
    .execute();
  const expectations = await lateExpectations(workspace);
  const decided = lateLines();
  for (const { key, corrects, body, amendment, takes_back: takesBack } of rows) {
    const sale = JSON.parse(body) as Sale;
    const posting: Posting = postingOf(sale);
    const figures =
      takesBack === null
        ? figuresOf(sale, expectations.get(key) ?? expectations.get(corrects))
        : reversedFigures(JSON.parse(takesBack) as ReconciledSale, UNRECORDED);
    const row = detailRowOf(sale, posting, posting === 'posted' ? figures : undefined);
    decided.add(row, { source: period, corrects, takesBack }, amendment !== '');
  }
  return decided.lines();
};
