import type { Origin } from '../../kernel/finding.ts';
import { shownNumber } from '../../kernel/text.ts';
import type { TableRow } from './files/table-row.ts';
import type { RowGroup, StrayReason } from './group-rows.ts';
import type { RecordRule } from './profile/sale-map.ts';
import type { CellProblem } from './read-amount.ts';
import type { SaleFinding, SetAside } from './sale.ts';

/** A set-aside record without its date, state and tax. */
export type Undated = Omit<SetAside, 'businessDate' | 'state' | 'tax'>;

export const setAside = (
  group: RowGroup,
  outcome: SetAside['outcome'],
  reason: SaleFinding,
  file: string,
): Undated => ({ outcome, origin: originOf(group, file), rows: group.rows, reason });

export const originOf = (group: RowGroup, file: string): Origin => ({
  file,
  line: group.rows[0]?.line ?? 0,
  record: group.name,
  ...(group.store && { store: group.store }),
});

/** The reason to reject a row with more or fewer cells than the header. */
export const miscounted = ({ line, cells }: TableRow, width: number): SaleFinding => ({
  code: 'cell-count',
  message: `the row on line ${line} has ${shownNumber(cells.length, 'cell')}, and the header has ${width}`,
});

const STRAY_MESSAGES: Readonly<Record<StrayReason, string>> = {
  'orphan-row': 'the row continues an order, but no order stands before it',
  'cell-count': 'the row has more or fewer cells than the header',
  'order-cells-differ': 'the rows of the record differ in what they say of the whole order',
  'too-many-rows': 'more rows than any sale has carry this key',
};

export const strayRows = (group: RowGroup, file: string, reason = strayReason(group)): Undated =>
  setAside(group, 'rejected', reason, file);

const strayReason = (group: RowGroup): SaleFinding => {
  if (group.kind === 'record') return { code: 'orphan-row', message: STRAY_MESSAGES['orphan-row'] };
  const { reason, rows, width } = group;
  const row = rows.find(({ cells }) => cells.length !== width);
  if (reason === 'cell-count' && row) return miscounted(row, width);
  return { code: reason, message: STRAY_MESSAGES[reason] };
};

export const unmapped = (group: RowGroup, column: string, value: string, file: string): Undated => ({
  ...setAside(group, 'rejected', unmappedReason(column, value), file),
  value,
});

const unmappedReason = (column: string, value: string): SaleFinding => ({
  code: 'unmapped-status',
  message: `no rule of the profile says what a record with "${value}" in ${column} is`,
  column,
});

export const ruledOut = (group: RowGroup, rule: RecordRule, file: string): Undated =>
  setAside(
    group,
    rule.treat === 'ignore' ? 'ignored' : 'rejected',
    { code: rule.reason ?? 'by-rule', message: rule.message ?? 'by a rule of the profile' },
    file,
  );

/** The reason of a rule that asks for a review. */
export const ruledReview = ({ treat, reason, message }: RecordRule): readonly SaleFinding[] =>
  treat === 'review'
    ? [{ code: reason ?? 'review', message: message ?? 'the profile asks for a review' }]
    : [];

export const badCell = (group: RowGroup, { problem, column, value }: CellProblem, file: string): Undated => ({
  ...setAside(
    group,
    'rejected',
    { code: 'bad-cell', message: `"${value}" in ${column} ${problem}`, column },
    file,
  ),
  value,
});

export const GIFT_CARD_SALE: SaleFinding = {
  code: 'gift-card-sale',
  message: 'only gift cards were sold; the sale comes when they are spent',
};
