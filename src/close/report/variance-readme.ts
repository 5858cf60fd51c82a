import { cellOf, formula } from '../workbook/cell.ts';
import { type TextSheet, textSheet } from '../workbook/text-sheet.ts';
import { aboutLines } from './about-lines.ts';
import type { PeriodReport } from './period-report.ts';
import { MATERIAL_AMOUNT, MATERIAL_SHARE } from './sheets/by-state.ts';

/** The first sheet of variance.xlsx: what it is about, how to read it, and its conclusion. */
export const varianceReadme = (report: PeriodReport, isAllOk: boolean): TextSheet =>
  textSheet({
    name: 'README',
    title: `Sales tax variance: ${report.seller}, ${report.period.label}`,
    blocks: [
      {
        lines: [
          ...aboutLines(report),
          {
            label: 'Tolerance',
            value: cellOf('money', report.unexplainedTolerance),
            note: 'Unexplained variance up to this does not fail the close.',
          },
          {
            label: 'Material amount',
            value: cellOf('money', report.materiality.amount),
            name: MATERIAL_AMOUNT,
            note: 'A state’s variance above this amount …',
          },
          {
            label: 'Material share',
            value: cellOf('percent', report.materiality.share),
            name: MATERIAL_SHARE,
            note: '… and above this share of its expected tax is material.',
          },
          {
            label: 'Conclusion',
            value: cellOf(
              'status',
              formula((at) => at.name('ALL_OK'), isAllOk ? 'ALL OK' : 'NOT OK'),
            ),
            note: 'From the sheet Checks.',
            flagWhen: { attention: (cell) => `${cell}<>"ALL OK"`, good: (cell) => `${cell}="ALL OK"` },
          },
        ],
      },
      { heading: 'What this workbook shows' },
      {
        paragraph:
          'For every order and refund of the period three figures: collected, what the shop charged; expected, what the tax service calculates as of the day of the sale; recorded, what the service holds. Variance is collected minus expected, and every cent of it stands under a reason that was proved by computing the tax again with one or two things changed.',
      },
      {
        paragraph:
          'Totals are live formulas over the table Detail. Every row of Detail names the file and the line of the export it came from. Refunds are negative. Rows that are not posted are shown and counted, and are in no tax total.',
      },
      { heading: 'Sheets' },
      {
        lines: [
          {
            label: 'Checks',
            value: cellOf('text', 'Two ways to each figure, side by side, and one cell that sums them up.'),
          },
          {
            label: 'Bridge',
            value: cellOf(
              'text',
              'From gross sales to the tax expected, each cent between under its reason.',
            ),
          },
          { label: 'By state', value: cellOf('text', 'Sales and the three figures, state by state.') },
          {
            label: 'By jurisdiction',
            value: cellOf(
              'text',
              'What each state, county, city and district levies and was collected for it.',
            ),
          },
          { label: 'By reason', value: cellOf('text', 'The variance by the reason that proves it.') },
          {
            label: 'Exceptions',
            value: cellOf('text', 'Everything a person should see, with what was decided.'),
          },
          { label: 'Completeness', value: cellOf('text', 'Exported, posted and read back, day by day.') },
          ...(report.late.length > 0
            ? [{ label: 'Late items', value: cellOf('text', 'What came after its period was locked.') }]
            : []),
          {
            label: 'Inputs',
            value: cellOf('text', 'The files that were read, and what became of their rows.'),
          },
          {
            label: 'Control totals',
            value: cellOf('text', 'The sums of their columns, and what became of them.'),
          },
          {
            label: 'Pull-back differences',
            value: cellOf('text', 'What the service gave back otherwise than it was sent.'),
          },
          {
            label: 'Certificates',
            value: cellOf('text', 'What the exempt sales lean on, and the tax it relieves.'),
          },
          { label: 'Refund links', value: cellOf('text', 'Each refund with the order it belongs to.') },
          {
            label: 'Sampling',
            value: cellOf('text', 'Rows drawn by chance for testing, and how to draw them again.'),
          },
          { label: 'Trend', value: cellOf('text', 'This period beside the twelve before it.') },
          { label: 'Sign-off', value: cellOf('text', 'Who vouches for these figures.') },
          { label: 'Detail', value: cellOf('text', 'Every order and refund.') },
        ],
      },
      { heading: 'Limits' },
      {
        paragraph:
          'Local rates are as complete as the tax content of the service named above: where it does not know a place, the rates it knows are used and the difference shows as variance. Refunds that the export does not date or split are shown as exceptions and are not posted.',
      },
    ],
  });
