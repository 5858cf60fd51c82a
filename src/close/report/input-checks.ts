import { lostOf } from '../reconcile/control-totals.ts';
import { formula } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import { quoted } from '../workbook/references.ts';
import type { PeriodReport } from './period-report.ts';
import { controlRowsOf } from './sheets/control-totals.ts';
import { leftOver } from './sheets/inputs.ts';

/** That nothing of any file was lost or counted twice, neither a row nor a cent. */
export const inputChecks = ({ inputs }: PeriodReport): readonly Check[] => [
  {
    id: 'I01',
    test: 'No file has rows that are neither used, ignored nor rejected.',
    format: 'count',
    left: formula(
      (at) => at.countIfs('Inputs', { 'Left over': quoted('<>0') }),
      inputs.filter((input) => leftOver(input) !== 0).length,
    ),
    right: 0,
    link: { sheet: 'Inputs' },
  },
  {
    id: 'I02',
    test: 'Every column of money comes to the same in the file and in its records.',
    format: 'count',
    left: formula(
      (at) => at.countIfs('Control_totals', { Difference: quoted('<>0') }),
      controlRowsOf(inputs).filter((column) => lostOf(column) !== 0).length,
    ),
    right: 0,
    link: { sheet: 'Control totals' },
  },
];
