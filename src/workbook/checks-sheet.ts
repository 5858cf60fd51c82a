import { money } from '../kernel/money.ts';
import { type AnyCell, type Cell, cellOf, quoted, type References, shownValue } from './cell.ts';
import type { Format } from './format.ts';
import { defineSheet, type FilledSheet, filled } from './sheet.ts';

type Comparison<F extends Format> = {
  readonly format: F;
  readonly left: Cell<F>;
  readonly right: Cell<F>;
  /** Largest difference that still passes, in the unit of the two sides; zero if omitted. */
  readonly tolerance?: number;
};

/** Two figures that must agree: one amount computed in two ways, or two counts of the same items. */
export type Check = {
  readonly id: string;
  /** The statement under test, as a sentence. */
  readonly test: string;
  /** The sheet on which to investigate a difference. */
  readonly see?: string;
} & (Comparison<'money'> | Comparison<'count'>);

const TABLE = 'Checks';

/** Formula of whether every check passes. */
export const allPass = (at: References): string =>
  `${at.countIfs(TABLE, { Result: quoted('PASS') })}=${at.rows(TABLE)}`;

/**
 * Builds the sheet of checks: one row per check with live formulas.
 *
 * @param about lines of text above the table
 */
export const checksSheet = (checks: readonly Check[], about: readonly string[] = []): FilledSheet => {
  const sheet = defineSheet<Check>({
    name: 'Checks',
    ...(about.length > 0 && { note: about.join('\n') }),
    table: TABLE,
    freeze: { columns: 1 },
    columns: [
      { title: 'Check', width: 10, format: 'id', value: ({ id }) => id },
      { title: 'Test', width: 50, wrap: true, format: 'text', value: ({ test }) => test },
      { title: 'Left', width: 13, format: 'mixed', value: leftCell },
      { title: 'Right', width: 13, format: 'mixed', value: rightCell },
      {
        title: 'Difference',
        width: 12,
        format: 'mixed',
        value: (check) => sized(check, differenceOf(check)),
        formula: (at) => at.difference(at.cell('Left'), at.cell('Right')),
      },
      {
        title: 'Tolerance',
        width: 12,
        format: 'mixed',
        value: (check) => (check.tolerance ? sized(check, check.tolerance) : undefined),
      },
      {
        title: 'Result',
        width: 11,
        format: 'status',
        value: (check) => (passes(check) ? 'PASS' : 'FAIL'),
        formula: (at) => `IF(ABS(${at.cell('Difference')})<=${at.cell('Tolerance')},"PASS","FAIL")`,
        flagWhen: { attention: (cell) => `${cell}="FAIL"`, good: (cell) => `${cell}="PASS"` },
      },
      { title: 'See', width: 14, format: 'text', value: ({ see }) => see },
    ],
  });
  return filled(sheet, checks);
};

/** Whether the two figures agree, as of when the sheet is written. */
export const passes = (check: Check): boolean => Math.abs(differenceOf(check)) <= (check.tolerance ?? 0);

const differenceOf = ({ left, right }: Check): number => figure(left) - figure(right);

const figure = (cell: Check['left']): number => Number(shownValue(cell) ?? 0);

const leftCell = (check: Check): AnyCell =>
  check.format === 'money' ? cellOf('money', check.left) : cellOf('count', check.left);

const rightCell = (check: Check): AnyCell =>
  check.format === 'money' ? cellOf('money', check.right) : cellOf('count', check.right);

const sized = ({ format }: Check, size: number): AnyCell =>
  format === 'money' ? cellOf('money', money(size)) : cellOf('count', size);
