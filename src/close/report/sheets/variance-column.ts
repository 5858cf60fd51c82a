import { type Money, subtract } from '../../../kernel/money.ts';
import type { Column } from '../../workbook/sheet.ts';

/** Collected less expected tax, placed after the columns of both. */
export const varianceColumn: Column<{ readonly collected: Money; readonly expected: Money }> = {
  title: 'Variance',
  width: 13,
  format: 'money',
  value: (row) => subtract(row.collected, row.expected),
  formula: (at) => at.difference(at.cell('Collected'), at.cell('Expected')),
  total: 'sum',
  flagWhen: { attention: (cell) => `${cell}<>0` },
};
