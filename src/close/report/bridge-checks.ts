import { sum, ZERO } from '../../kernel/money.ts';
import { formula } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import { quoted } from '../workbook/references.ts';
import type { PeriodReport } from './period-report.ts';
import { bridgeRows, residualOf, toRemit } from './sheets/bridge.ts';

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
  {
    id: 'B02',
    test: 'What the bridge leads to is what the returns of filing-summary.xlsx come to.',
    format: 'money',
    left: formula((at) => at.sum('Bridge', 'To remit'), sum(bridgeRows(report).map(toRemit))),
    right: sum(report.remittances.map(({ due }) => due)),
    link: { sheet: 'Bridge' },
  },
];
