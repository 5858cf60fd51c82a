import type { TableRow } from './files/table-row.ts';
import type { RecordRule } from './profile/sale-map.ts';
import type { SalesProfile } from './profile.ts';
import type { RowReader } from './row-reader.ts';
import type { Sale } from './sale.ts';

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
