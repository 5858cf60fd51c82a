import { money as cents, type Money, ZERO } from '../kernel/money.ts';
import { type Cell, type FormulaText, formula, shownValue } from '../workbook/cell.ts';
import { defineSheet, type FilledSheet, filled } from '../workbook/sheet.ts';
import { id, money, word, words } from './parts.ts';

/** Two figures that must agree: one amount computed in two ways. A count is shown like an amount. */
export type Check = {
  readonly id: string;
  /** The sheet on which to investigate a difference. */
  readonly see: string;
  /** The statement under test, as a sentence. */
  readonly test: string;
  readonly left: Cell<'money'>;
  readonly right: Cell<'money'>;
  /** Largest difference that still passes. */
  readonly tolerance?: Money;
};

/** A check that nothing of a kind is left. */
export const noneLeft = (id: string, see: string, test: string, count: number, text?: FormulaText): Check => {
  const left = cents(100 * count);
  return { id, see, test, left: text === undefined ? left : formula(text, left), right: ZERO };
};

/**
 * Builds the sheet of checks: one row per check with live formulas.
 *
 * @param about lines of text above the table
 */
export const checksSheet = (checks: readonly Check[], about: readonly string[]): FilledSheet =>
  filled(
    defineSheet<Check>({
      name: 'Checks',
      note: about.join('\n'),
      freeze: { columns: 1 },
      columns: [
        id('Check', 10, (check) => check.id),
        words('Test', 50, ({ test }) => test, { wrap: true }),
        money('Left', 13, ({ left }) => left),
        money('Right', 13, ({ right }) => right),
        money('Difference', 12, differenceOf, {
          formula: (at) => at.difference(at.cell('Left'), at.cell('Right')),
        }),
        money('Tolerance', 12, ({ tolerance }) => tolerance || undefined),
        word('Result', 11, (check) => (passes(check) ? 'PASS' : 'FAIL'), {
          formula: (at) => `IF(ABS(${at.cell('Difference')})<=${at.cell('Tolerance')},"PASS","FAIL")`,
          flag: (check) => (passes(check) ? 'good' : 'attention'),
        }),
        words('See', 14, ({ see }) => see),
      ],
    }),
    checks,
  );

/** Whether the two figures agree, as of when the sheet is written. */
export const passes = (check: Check): boolean => Math.abs(differenceOf(check)) <= (check.tolerance ?? 0);

const differenceOf = ({ left, right }: Check): Money => cents(figure(left) - figure(right));

const figure = (cell: Cell<'money'>): number => Number(shownValue(cell) ?? 0);
