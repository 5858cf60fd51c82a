import type { Chart } from '../../../src/close/workbook/chart.ts';
import { defineSheet } from '../../../src/close/workbook/sheet.ts';

/** A chart of the sheet below: what only holds up the others, a count and another figure. */
export const chart = (title: string, direction: Chart['direction'] = 'columns'): Chart => ({
  title,
  description: `The <figures> of ${title}`,
  direction,
  isStacked: true,
  axisTitle: 'How many & how much',
  categories: 'Name',
  series: [
    { column: 'Base' },
    { column: 'Count', colour: '#b45309', labels: '#ffffff' },
    { column: 'Other', colour: '#1d5fa8' },
  ],
});

type Row = { readonly name: string; readonly count: number };
/** A table of names and counts; a column of it is computed by formulas. */
export const sheet = (name: string, own?: Chart) =>
  defineSheet<Row>({
    name,
    ...(own && { chart: own }),
    columns: [
      { title: 'Name', width: 10, format: 'text', value: (row) => row.name },
      { title: 'Base', width: 10, format: 'count', value: () => 1 },
      {
        title: 'Count',
        width: 10,
        format: 'count',
        value: ({ count }) => count,
        formula: (cells) => `${cells.cell('Other')}+${cells.cell('Base')}`,
        total: 'sum',
        note: 'How many.',
      },
      { title: 'Other', width: 10, format: 'count', value: ({ count }) => count - 1 },
    ],
  });
export const rows = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ name: `row <${index}>`, count: index }));
