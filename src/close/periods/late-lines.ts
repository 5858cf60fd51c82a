import { compareText } from '../../kernel/compare-text.ts';
import { add, type Money, subtract, ZERO } from '../../kernel/money.ts';
import type { LateLine } from '../figures/late-line.ts';
import { type Expectation, lateExpectations } from '../period-sales/expectation-of.ts';
import { type DetailRow, detailRowOf } from '../reconcile/detail-row.ts';
import { type ReconciledSale, reconcileSale } from '../reconcile/reconciled-sale.ts';
import { entryOf } from '../sales/corrections.ts';
import { type Posting, postingOf, type Sale, taxLinesOf } from '../sales/sale.ts';
import { nameOfKey } from '../sales/sale-name.ts';
import { carriedOutOf } from '../workspace/carried-sales.ts';
import type { LateNote } from '../workspace/sale-page.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type LateItem, recordOf } from './late-item.ts';
import { reversedFigures } from './reversed-figures.ts';

const FIGURES = ['gross', 'taxable', 'collected', 'expected'] as const;
type Figures = { readonly [Figure in (typeof FIGURES)[number]]: Money };

const NOTHING: Figures = { gross: ZERO, taxable: ZERO, collected: ZERO, expected: ZERO };

const combined = (left: Figures, right: Figures, join: (left: Money, right: Money) => Money): Figures => ({
  gross: join(left.gross, right.gross),
  taxable: join(left.taxable, right.taxable),
  collected: join(left.collected, right.collected),
  expected: join(left.expected, right.expected),
});

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

/** Adds up what carried records change, by the record that they correct, its state, and how they are filed. */
export const lateLines = (): {
  readonly add: (row: DetailRow, late: Pick<LateNote, 'source' | 'corrects' | 'isAmended'>) => void;
  readonly lines: () => readonly LateLine[];
} => {
  const lines = new Map<string, LateLine>();
  return {
    add: (row, { source, corrects, isAmended }) => {
      const choice = isAmended ? 'amended' : 'carried';
      const place = `${corrects} ${row.state} ${choice}`;
      const known = lines.get(place);
      const { isReversal } = entryOf(row, corrects);
      const line: LateLine = known ?? {
        key: corrects,
        id: nameOfKey(corrects).id,
        record: row.record,
        kind: isReversal ? 'withdrawn' : 'new',
        saleDate: row.businessDate,
        state: row.state,
        file: row.file,
        line: row.line,
        period: source,
        choice,
        ...NOTHING,
      };
      const kind = isReversal || corrects === row.key ? line.kind : 'changed';
      const figures = row.isPosted ? row : NOTHING;
      lines.set(place, { ...line, kind, ...combined(line, figures, add) });
    },
    lines: () =>
      [...lines.values()].sort((left, right) =>
        left.saleDate === right.saleDate
          ? compareText(left.key + left.state + left.choice, right.key + right.state + right.choice)
          : compareText(left.saleDate, right.saleDate),
      ),
  };
};

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
    decided.add(row, { source: period, corrects, isAmended: amendment !== '' });
  }
  return decided.lines();
};
