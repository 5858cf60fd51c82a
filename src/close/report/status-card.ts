import { periodName } from '../figures/day-words.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { formula } from '../workbook/cell.ts';
import { VERDICT } from '../workbook/checks-sheet.ts';
import type { Card, GridCell } from '../workbook/laid-out.ts';
import { quoted } from '../workbook/references.ts';

const readyText = (madeEarly: PeriodReport['madeEarly']): string =>
  madeEarly === undefined ? '✓  READY' : '○  PRELIMINARY';

/** Builds the first card of a book: whether the period can be filed, live from the book's sheet Checks. */
export const statusCard = (
  { period, readiness: { ready }, madeEarly }: PeriodReport,
  remark: GridCell,
): Card => ({
  column: 0,
  label: `${periodName(period.label)} is`,
  value: {
    format: 'status',
    value: formula(
      `IF(${VERDICT}="READY",${quoted(readyText(madeEarly))},"✕  NOT READY")`,
      ready ? readyText(madeEarly) : '✕  NOT READY',
    ),
  },
  remark,
  isAlarm: !ready,
});
