import { countsDescription } from '../../pictures/count-bars.ts';
import { COLOURS } from '../../pictures/look.ts';
import type { Cluster } from '../../reconcile/clusters.ts';
import { type Exception, isOpen } from '../../reconcile/exceptions.ts';
import { aboutFinding } from '../../reconcile/finding.ts';
import { VARIANCE_PARTS } from '../../reconcile/variance-part.ts';
import { quoted } from '../../workbook/references.ts';
import { defineSheet, type FilledSheet, filled } from '../../workbook/sheet.ts';
import { type ExceptionCount, exceptionCounts } from '../exception-counts.ts';
import { linesToDecide, type PeriodReport } from '../period-report.ts';

/** Open: an error that no one accepted. Accepted: it stands, with the reason. Seen: it needs no decision. */
export const decisionOf = (exception: Exception): 'open' | 'accepted' | 'seen' => {
  if (isOpen(exception)) return 'open';
  return exception.accepted === '' ? 'seen' : 'accepted';
};

/** An exception with the number of its line in Decide; empty where there is nothing to decide. */
type ExceptionRow = Exception & { readonly no: string };

export const exceptionRows = (report: PeriodReport): readonly ExceptionRow[] => {
  const numbers = new Map(
    linesToDecide(report).flatMap(({ no, exceptions }) => exceptions.map((exception) => [exception, no])),
  );
  return report.exceptions.map((exception) => ({ ...exception, no: numbers.get(exception) ?? '' }));
};

/** Everything that a person should see, most serious first. */
export const EXCEPTIONS = defineSheet<ExceptionRow>({
  name: 'Exceptions',
  table: 'Exceptions',
  title: 'Exceptions',
  note: 'An error kept something out of the month or stands unexplained; a warning was handled; a notice is for information.',
  freeze: { columns: 2 },
  columns: [
    { title: 'Code', width: 22, format: 'status', value: ({ code }) => code },
    { title: 'Record', width: 14, format: 'id', value: ({ record }) => record },
    {
      title: 'Severity',
      width: 11,
      format: 'status',
      value: ({ severity }) => severity,
      flag: (exception) => (isOpen(exception) ? 'attention' : undefined),
    },
    { title: 'State', width: 7, format: 'status', value: ({ state }) => state },
    {
      title: 'Line in Decide',
      width: 9,
      format: 'status',
      value: ({ no }) => no,
      note: 'Where the cause is decided.',
    },
    { title: 'Tax at stake', width: 13, format: 'money', value: ({ effect }) => effect },
    { title: 'What', width: 64, format: 'text', value: ({ message }) => message, wrap: true },
    {
      title: 'What to do',
      width: 44,
      format: 'text',
      value: ({ code }) => aboutFinding(code).todo,
      wrap: true,
    },
    { title: 'Decision', width: 11, format: 'status', value: decisionOf },
    { title: 'Why accepted', width: 36, format: 'text', value: ({ accepted }) => accepted, wrap: true },
    { title: 'File', width: 34, format: 'text', value: ({ origin }) => origin.file },
    {
      title: 'Line',
      width: 8,
      format: 'count',
      value: ({ origin }) => (origin.line === 0 ? undefined : origin.line),
    },
  ],
});

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

/** The exceptions by cause and place: one line each, whatever the number of their records. */
export const CAUSES = defineSheet<Cluster>({
  name: 'Causes',
  table: 'Causes',
  title: 'Causes: one line for the exceptions of one cause and place',
  note: 'The records of each cause stand together in Exceptions, in the same order.',
  freeze: { columns: 1 },
  columns: [
    { title: 'Code', width: 22, format: 'status', value: ({ code }) => code },
    { title: 'State', width: 7, format: 'status', value: ({ state }) => state },
    { title: 'Place', width: 22, format: 'text', value: ({ where }) => where },
    {
      title: 'Whose',
      width: 18,
      format: 'text',
      value: ({ part }) => (part === null ? '' : VARIANCE_PARTS[part]),
    },
    { title: 'Shop’s rate', width: 12, format: 'rate', value: ({ shop }) => shop ?? undefined },
    { title: 'Tieout’s rate', width: 12, format: 'rate', value: ({ own }) => own ?? undefined },
    { title: 'Records', width: 10, format: 'count', value: ({ records }) => records, total: 'sum' },
    {
      title: 'Open',
      width: 9,
      format: 'count',
      value: ({ open }) => open,
      flag: ({ open }) => (open > 0 ? 'attention' : undefined),
      total: 'sum',
    },
    { title: 'Tax at stake', width: 14, format: 'money', value: ({ effect }) => effect },
    { title: 'What', width: 80, format: 'text', value: ({ message }) => message, wrap: true },
  ],
});
