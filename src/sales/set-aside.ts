import type { Origin } from '../kernel/finding.ts';
import { shownNumber } from '../kernel/text.ts';
import type { SalesProfile } from './profile.ts';
import type { CellProblem, RowReader, TextOf } from './row-reader.ts';
import type { Sale, SaleFinding, SetAside } from './sale.ts';
import type { RecordRule } from './sale-map.ts';
import { isMangled, isRounded, serviceId } from './sale-name.ts';
import type { RowGroup, StrayReason, TableRow } from './table-row.ts';

/** Why a record is not a sale, with the cell that says so. */
export type Reason = Pick<SetAside, 'outcome' | 'reason' | 'value'>;

const rejected = (reason: SaleFinding, value: string): Reason => ({ outcome: 'rejected', reason, value });

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
  'orphan-row': 'the row does not begin an order, and no order stands before it that it continues',
  'cell-count': 'the row has more or fewer cells than the header',
  'order-cells-differ': 'the rows of the record differ in what they say of the whole order',
  'too-many-rows': 'more rows than any sale has carry this key',
};

/** Why rows do not make up a record. */
export const strayReason = ({ reason, rows, width }: RowGroup & { readonly kind: 'stray' }): SaleFinding => {
  const row = rows.find(({ cells }) => cells.length !== width);
  return reason === 'cell-count' && row
    ? miscounted(row, width)
    : { code: reason, message: STRAY_MESSAGES[reason] };
};

export const unmapped = (column: string, value: string): Reason => {
  const message = `no rule of the profile says what a record with "${value}" in ${column} is`;
  return rejected({ code: 'unmapped-status', message, column }, value);
};

export const ruledOut = ({ treat, reason, message }: RecordRule): Reason => ({
  outcome: treat === 'ignore' ? 'ignored' : 'rejected',
  reason: { code: reason ?? 'by-rule', message: message ?? 'by a rule of the profile' },
});

/** The reason of a rule that asks for a review. */
export const ruledReview = ({ treat, reason, message }: RecordRule): readonly SaleFinding[] =>
  treat === 'review'
    ? [{ code: reason ?? 'review', message: message ?? 'the profile asks for a review' }]
    : [];

export const badCell = ({ problem, column, value }: CellProblem): Reason =>
  rejected({ code: 'bad-cell', message: `"${value}" in ${column} ${problem}`, column }, value);

export const GIFT_CARD_SALE: Reason = {
  outcome: 'ignored',
  reason: {
    code: 'gift-card-sale',
    message: 'only gift cards were sold; the sale comes when they are spent',
  },
};

/** Read the ids that the profile maps, of records in a file. */
type IdReaders = {
  readonly idOf: TextOf | undefined;
  readonly refundIdOf: TextOf | undefined;
  readonly referenceOf: TextOf | undefined;
  readonly context: IdContext;
};

type IdContext = { readonly areIdsRounded?: boolean };

/** The ids of a record, or the reason why it has none. */
export const identityOf = (
  group: RowGroup,
  first: TableRow,
  kind: Sale['kind'],
  { idOf, refundIdOf, referenceOf, context }: IdReaders,
): { readonly id: string; readonly reference: string | null } | Reason => {
  const name = idOf ? idOf(first) : group.name;
  const own = (kind === 'refund' && refundIdOf?.(first)) || '';
  const referenced = referenceOf ? referenceOf(first) : own === '' ? name : '';
  for (const text of [name, own, referenced]) {
    const reason = damagedId(text, context);
    if (reason) return rejected(reason, text);
  }
  const order = serviceId(kind === 'refund' ? referenced : name);
  // A refund that names no order still gets an id, so that a person can decide about it.
  const id = kind === 'order' ? order : own === '' ? refundOf(order || serviceId(name)) : serviceId(own);
  if (id === '') {
    const message = `"${name}" is not an id, so the record cannot be told from others`;
    return { outcome: 'rejected', reason: { code: 'no-id', message } };
  }
  return { id, reference: kind === 'refund' && order !== '' ? order : null };
};

/** What a spreadsheet has done to an id, if it has damaged it. */
export const damagedId = (text: string, { areIdsRounded }: IdContext): SaleFinding | undefined => {
  const what = isMangled(text)
    ? 'is what a spreadsheet left of an id'
    : areIdsRounded && isRounded(text)
      ? 'is an id that a spreadsheet has rounded: like all ids of the file, it has zeros behind its 15th digit'
      : undefined;
  return what === undefined ? undefined : { code: 'mangled-id', message: `"${text}" ${what}` };
};

const refundOf = (id: string): string => (id === '' ? '' : `${id}-refund`);

/** A rule of a profile with the tests of its conditions. */
export type TestedRule = {
  readonly rule: RecordRule;
  readonly tests: readonly ReturnType<RowReader['holds']>[];
};

export const testedRules = ({ rules }: SalesProfile, cells: RowReader): readonly TestedRule[] =>
  rules.map((rule) => ({ rule, tests: rule.when.map(cells.holds) }));

/** Returns the first rule of which a record meets all conditions. */
export const ruleFor = (
  first: TableRow,
  amounts: readonly TableRow[],
  rules: readonly TestedRule[],
): RecordRule | undefined => rules.find(({ tests }) => tests.every((test) => test(first, amounts)))?.rule;

/** The kind of a record by its rule, and the sign of its amounts; without a rule it counts as an order. */
export const kindOf = (rule: RecordRule | undefined): { kind: Sale['kind']; sign: 1 | -1 } => {
  const isRefund = rule?.treat === 'refund' || (rule?.treat === 'review' && rule.as === 'refund');
  return {
    kind: isRefund ? 'refund' : 'order',
    sign: isRefund && rule.amounts !== 'positive' ? -1 : 1,
  };
};

/** The column tested by the last rule, which is taken for the status column of messages. */
export const statusColumn = ({ rules, shape }: SalesProfile): string => {
  const conditions = rules.flatMap(({ when }) => when);
  const named = conditions.filter((condition) => 'column' in condition);
  return named.at(-1)?.column ?? shape.key[0] ?? '';
};
