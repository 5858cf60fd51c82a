import { cellOf } from '../workbook/cell.ts';
import type { FilledSheet } from '../workbook/sheet.ts';
import { type TextSheet, textSheet } from '../workbook/sheet.ts';
import { aboutLines } from './about-lines.ts';
import type { PeriodReport } from './period-report.ts';
import { conclusionLine, readinessBlocks } from './readiness-lines.ts';
import { MATERIAL_AMOUNT, MATERIAL_SHARE } from './sheets/by-state.ts';
import { VARIANCE_SHEETS } from './variance-sheets.ts';

/** The first sheet of variance.xlsx: what it is about, how to read it, and its conclusion. */
export const varianceReadme = (report: PeriodReport, sheets: readonly FilledSheet[]): TextSheet =>
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
          conclusionLine(report.readiness),
        ],
      },
      ...readinessBlocks(report.readiness),
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
      { paragraph: 'The sheet Index leads to each of them.' },
      {
        lines: VARIANCE_SHEETS.filter(({ sheet }) => sheets.some((each) => each.sheet.name === sheet)).map(
          ({ sheet, purpose }) => ({ label: sheet, value: cellOf('text', purpose) }),
        ),
      },
      { heading: 'Limits' },
      {
        paragraph:
          'Local rates are as complete as the tax content of the service named above: where a local rate is missing, the rates that are there are used, the difference is shown as a gap of Tieout and not as an error of the seller, and the period is not ready until the rate is imported or the gap accepted. Refunds that the export does not date or split are shown as exceptions and are not posted.',
      },
    ],
  });
