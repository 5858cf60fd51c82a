import { countsDescription } from '../../pictures/count-bars.ts';
import { COLOURS } from '../../pictures/look.ts';
import { quoted } from '../../workbook/references.ts';
import { defineSheet, type FilledSheet, filled } from '../../workbook/sheet.ts';
import { type ExceptionCount, exceptionCounts } from '../exception-counts.ts';
import type { PeriodReport } from '../period-report.ts';

/** How many exceptions each code has, as a table and beside it as a chart. Nothing where they have one code. */
export const exceptionsByCodeSheet = (report: PeriodReport): readonly FilledSheet[] => {
  const rows = exceptionCounts(report);
  if (rows.length < 2) return [];
  const sheet = defineSheet<ExceptionCount>({
    name: 'Exceptions by code',
    table: 'Exceptions_by_code',
    title: 'Exceptions by code',
    note: 'Counts of the rows of Exceptions. Open ones wait for a decision; the others are accepted or for information.',
    freeze: { columns: 1 },
    columns: [
      { title: 'Code', width: 22, format: 'status', value: ({ code }) => code },
      { title: 'Exception', width: 40, format: 'text', value: ({ label }) => label },
      {
        title: 'Open',
        width: 12,
        format: 'count',
        value: ({ open }) => open,
        formula: (at) => at.countIfs('Exceptions', { Code: at.cell('Code'), Decision: quoted('open') }),
        total: 'sum',
      },
      {
        title: 'Settled',
        width: 12,
        format: 'count',
        value: ({ settled }) => settled,
        formula: (at) => `${at.countIfs('Exceptions', { Code: at.cell('Code') })}-${at.cell('Open')}`,
        total: 'sum',
      },
    ],
    chart: {
      title: 'Exceptions by code',
      description: countsDescription(rows.length),
      direction: 'bars',
      isStacked: true,
      axisTitle: 'Exceptions',
      categories: 'Exception',
      series: [
        { column: 'Open', colour: COLOURS.over, labels: COLOURS.paper },
        { column: 'Settled', colour: COLOURS.settled, labels: COLOURS.ink },
      ],
    },
  });
  return [filled(sheet, rows)];
};
