import { type Money, money } from '../kernel/money.ts';
import { type Cell, formula, isFormula, shownValue } from './cell.ts';
import { defineSheet, type FilledSheet, filled } from './sheet.ts';

type Comparison<Unit extends 'money' | 'count', Value> = {
  readonly format: Unit;
  readonly left: Value;
  readonly right: Value;
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
} & (Comparison<'money', Cell<'money'>> | Comparison<'count', Cell<'count'>>);

const TABLE = 'Checks';

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
      { title: 'Left', width: 13, format: 'money', value: (check) => sideOf(check, check.left) },
      { title: 'Right', width: 13, format: 'money', value: (check) => sideOf(check, check.right) },
      {
        title: 'Difference',
        width: 12,
        format: 'money',
        value: (check) => inCents(check, differenceOf(check)),
        formula: (at) => at.difference(at.cell('Left'), at.cell('Right')),
      },
      {
        title: 'Tolerance',
        width: 12,
        format: 'money',
        value: (check) => (check.tolerance ? inCents(check, check.tolerance) : undefined),
      },
      {
        title: 'Result',
        width: 11,
        format: 'status',
        value: (check) => (passes(check) ? 'PASS' : 'FAIL'),
        formula: (at) => `IF(ABS(${at.cell('Difference')})<=${at.cell('Tolerance')},"PASS","FAIL")`,
        flag: (check) => (passes(check) ? 'good' : 'attention'),
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

/** A side as its column has it: a count is shown like an amount, as one column has one format. */
const sideOf = (check: Check, side: Check['left']): Cell<'money'> => {
  const value = inCents(check, figure(side));
  return isFormula(side) ? formula(side.formula, value) : value;
};

const CENTS = 100;

const inCents = ({ format }: Check, size: number): Money => money(format === 'count' ? size * CENTS : size);
