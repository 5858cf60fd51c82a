import { add, subtract } from '../../kernel/money.ts';
import { combined, type Figures, type LateLine, lateLines, NOTHING } from '../figures/late-line.ts';
import { type Expectation, lateExpectations } from '../period-sales/expectation-of.ts';
import { detailLineOf, detailRowOf } from '../reconcile/detail-row.ts';
import { type ReconciledSale, reconcileSale } from '../reconcile/reconciled-sale.ts';
import { entryOf, versionOf } from '../sales/corrections.ts';
import { type Posting, postingOf, type Sale, taxLinesOf } from '../sales/sale.ts';
import { carriedOutOf } from '../workspace/carried-sales.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type LateItem, recordOf } from './late-item.ts';
import { reversedFigures } from './reversed-figures.ts';

/** Returns what undecided late items would change, one line for each state that they affect. */
export const linesOfItems = async (
  workspace: Workspace,
  items: readonly LateItem[],
): Promise<readonly LateLine[]> => {
  const expectations = items.length === 0 ? new Map() : await lateExpectations(workspace);
  return items.flatMap((item) => {
    const effects = new Map<string, Figures>();
    const { filed, sale, carried } = item;
    if (filed) {
      const row = detailRowOf(filed.sale, 'posted', parsed(filed.figures));
      effects.set(row.state, combined(NOTHING, row, subtract));
    }
    if (carried && postingOf(carried) === 'posted') {
      const row = detailRowOf(carried, 'posted', figuresOf(carried, expectations.get(item.key)));
      effects.set(row.state, combined(NOTHING, row, subtract));
    }
    if (sale && postingOf(sale) === 'posted') {
      const row = detailRowOf(sale, 'posted', figuresOf(sale, expectations.get(item.key)));
      effects.set(row.state, combined(effects.get(row.state) ?? NOTHING, row, add));
    }
    const shown = sale ?? filed?.sale ?? carried;
    if (!shown) return [];
    if (effects.size === 0) effects.set(shown.shipTo.state, NOTHING);
    return [...effects].map(
      ([state, figures]): LateLine => ({
        key: item.key,
        id: shown.id,
        record: recordOf(item),
        kind: item.kind,
        saleDate: shown.businessDate,
        state,
        file: shown.origin.file,
        line: shown.origin.line,
        period: item.period.label,
        choice: 'open',
        ...figures,
      }),
    );
  });
};

const parsed = (figures: string | null): ReconciledSale | undefined =>
  figures === null ? undefined : (JSON.parse(figures) as ReconciledSale);

/** Returns the figures of a sale that is not recorded with the service yet. */
const figuresOf = (sale: Sale, expectation: Expectation | undefined): ReconciledSale =>
  reconcileSale({
    kind: sale.kind,
    state: sale.shipTo.state,
    amount: sale.amount,
    lines: sale.lines,
    partOf: sale.partOf,
    taxLines: taxLinesOf(sale),
    collected: sale.salesTax,
    shipping: sale.shipping,
    expectation: expectation && expectation.basis !== 'refused' ? expectation : undefined,
    recorded: undefined,
    differences: [],
    detail: '',
  });

const UNRECORDED = { recorded: undefined, differences: [], detail: '' };

/** Returns the decided late items of a locked period and what they change, whether filed yet or not. */
export const decidedLines = async (workspace: Workspace, period: string): Promise<readonly LateLine[]> => {
  const expectations = await lateExpectations(workspace);
  const decided = lateLines();
  for (const carried of await carriedOutOf(workspace, period)) {
    const { key, corrects, body, amendment, filedFigures, replacedFigures } = carried;
    const sale = JSON.parse(body) as Sale;
    const posting: Posting = postingOf(sale);
    const takenBack = entryOf(sale, corrects).isReversal ? parsed(replacedFigures) : undefined;
    const figures =
      parsed(filedFigures) ??
      (takenBack
        ? reversedFigures(takenBack, UNRECORDED)
        : figuresOf(sale, expectations.get(key) ?? expectations.get(corrects)));
    const row = detailRowOf(sale, posting, posting === 'posted' ? figures : undefined);
    decided.add(
      detailLineOf(row),
      versionOf(sale, { source: period, corrects, isAmended: amendment !== '' }),
    );
  }
  return decided.lines();
};
