import { ZERO } from '../../kernel/money.ts';
import { formula } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import { quoted } from '../workbook/references.ts';
import type { PeriodReport } from './period-report.ts';
import { bridgeRows, residualOf } from './sheets/bridge.ts';

/** That the bridge reaches the other bank in every state, and not only on the whole. */
export const bridgeChecks = (report: PeriodReport): readonly Check[] => [
  {
    id: 'B01',
    test: 'In every state, tax collected less the reasons is the tax expected.',
    format: 'count',
    left: formula(
      (at) => at.countIfs('Bridge', { Residual: quoted('<>0') }),
      bridgeRows(report).filter((row) => residualOf(row) !== ZERO).length,
    ),
    right: 0,
    link: { sheet: 'Bridge' },
  },
];
