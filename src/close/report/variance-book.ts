import type { CertificateReport } from '../certificates/certificate-report.ts';
import { type PeriodReport, varianceOf } from '../figures/period-report.ts';
import type { PriorPeriodState } from '../figures/prior-period-states.ts';
import { checksSheet } from '../workbook/checks-sheet.ts';
import { type FilledSheet, filled } from '../workbook/sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import { aboutLines } from './about-lines.ts';
import {
  type BookSection,
  type BookSheet,
  entry,
  leftOutOf,
  numbered,
  propertiesOf,
  sheetsOf,
  stack,
} from './book.ts';
import { contentsSheet } from './contents-sheet.ts';
import { bridgeSheet } from './sheets/bridge.ts';
import { byReason } from './sheets/by-reason.ts';
import { byStateSheet } from './sheets/by-state.ts';
import { certificatesSheet } from './sheets/certificates.ts';
import { COMPLETENESS } from './sheets/completeness.ts';
import { CONTROL_TOTALS, controlRowsOf } from './sheets/control-totals.ts';
import { decideSheet } from './sheets/decide.ts';
import { EXCEPTIONS, exceptionRows } from './sheets/exceptions.ts';
import { IMPLIED_RATES } from './sheets/implied-rates.ts';
import { INPUTS } from './sheets/inputs.ts';
import { BY_JURISDICTION } from './sheets/jurisdictions.ts';
import { LATE_ITEMS } from './sheets/late-items.ts';
import { READ_BACK_DIFFERENCES } from './sheets/read-back-differences.ts';
import { readinessSheet, stillOpen } from './sheets/readiness.ts';
import { samplingSheet } from './sheets/sampling.ts';
import { shownTrend, TREND } from './sheets/trend.ts';
import { varianceChecks } from './variance-checks.ts';

/** Builds variance.xlsx: tax charged compared with tax due, and the reasons for the difference. */
export const varianceBook = (report: PeriodReport, tables: RowTables): WorkbookContent => {
  const sections = numbered('V', sectionsOf(report, tables));
  const contents = contentsSheet(report, {
    reference: 'V2',
    sections,
    leftOut: leftOutOf(sections, LEFT_OUT),
    method: methodOf(report),
  });
  return {
    properties: propertiesOf(report, `Sales tax variance ${report.period.label}: ${report.seller}`),
    sheets: sheetsOf(sections, contents),
  };
};

/** The tables with a row for each sale or refund, or the sums of one that is too long. */
type RowTables = { readonly detail: FilledSheet; readonly refunds: FilledSheet };

const sectionsOf = (report: PeriodReport, { detail, refunds }: RowTables): readonly BookSection[] => [
  {
    band: 'Answer',
    tab: 'answer',
    sheets: [
      {
        sheet: decideSheet(report),
        purpose: 'What to decide before the period is filed, and what was decided',
      },
      ...bridgeEntries(report),
      entry(byStateSheet(report), 'Sales and the three figures of tax, state by state', {
        title: 'Variance',
      }),
      stack(
        entry(
          filled(BY_JURISDICTION, report.jurisdictions),
          'What each state, county, city and district levies and was collected for it',
          { title: 'Variance' },
        ),
        report.impliedRates.length === 0
          ? []
          : [
              entry(
                filled(IMPLIED_RATES, report.impliedRates),
                'Rates on which sales agree and that the tax content does not have',
              ),
            ],
      ),
    ],
  },
  {
    band: 'Proof',
    tab: 'answer',
    sheets: [
      entry(filled(EXCEPTIONS, exceptionRows(report)), 'Every record to look at, with what was decided'),
      completenessEntry(report),
      stack(entry(filled(INPUTS, report.inputs), 'The files that were read, and what became of their rows'), [
        entry(
          filled(CONTROL_TOTALS, controlRowsOf(report.inputs)),
          'The sums of their columns of money, and what became of them',
        ),
      ]),
      stack(
        entry(
          checksSheet(varianceChecks(report), { open: stillOpen(report.readiness) }),
          'Two ways to each figure, side by side, and one cell: READY or NOT READY',
        ),
        [entry(readinessSheet(report), 'What keeps the period from being filed')],
      ),
      entry(detail, 'Every order and refund', {
        title: 'Variance',
        total: varianceOf(report),
      }),
    ],
  },
  {
    band: 'Support',
    tab: 'support',
    sheets: [
      entry(
        certificatesSheet(detail.rows ? withoutFirst(report.certificates) : report.certificates),
        'Certificates of the exempt sales, and the tax relieved',
        {
          title: 'Tax relieved',
        },
      ),
      entry(refunds, 'Each refund with the order it belongs to'),
      entry(
        samplingSheet(report.sampling.plan, report.sampling.draws),
        'Rows drawn by chance for testing, and how to draw them again',
      ),
      entry(filled(TREND, shownTrend(report).filter(hasSales)), 'This period beside the twelve before it', {
        title: 'Variance',
      }),
    ],
  },
];

const bridgeEntries = (report: PeriodReport): readonly BookSheet[] => [
  entry(filled(byReason(report.reasons), report.reasons), 'The variance by the reason that proves it', {
    title: 'Net',
    label: 'Variance',
  }),
  entry(bridgeSheet(report), 'State by state, from gross sales to the tax remitted', {
    title: 'Tax expected',
  }),
];

const completenessEntry = (report: PeriodReport): BookSheet =>
  stack(
    entry(filled(COMPLETENESS, report.days), 'Exported, posted and read back, day by day', {
      title: 'Tax recorded',
    }),
    [
      entry(
        filled(READ_BACK_DIFFERENCES, report.differences),
        'What the service returned differently from how it was sent',
      ),
      ...(report.late.length > 0
        ? [entry(filled(LATE_ITEMS, report.late), 'What came after its period was locked')]
        : []),
    ],
  );

/** Tables that only some periods need, with the reason when a period does without. */
const LEFT_OUT = [
  { sheet: 'Implied rates', why: 'No rates of the shop that Tieout lacks were found.' },
  { sheet: 'Late items', why: 'Nothing came after its period was locked.' },
] as const;

const methodOf = (report: PeriodReport): readonly (readonly [string, string])[] => [
  ...aboutLines(report),
  [
    'Three figures',
    'For every order and refund of the period: collected, what the shop charged; expected, what the tax service calculates as of the day of the sale; recorded, what the service holds.',
  ],
  [
    'Variance',
    'Collected less expected. Every cent of it stands under a reason that was proved by calculating the tax again with one thing changed, at most with another rounding.',
  ],
  [
    'Formulas',
    'Totals are live formulas over the table Detail, and every row of Detail names the file and the line of the export it came from. Refunds are negative. Rows that are not posted are shown and counted, and are in no tax total.',
  ],
  ['✓ ✕ ● ○', 'Agrees or decided; differs; open; holds by default'],
  [
    'Limits',
    'Local rates are as complete as the tax content of the service named above. Where a local rate is missing, the rates that are there are used, and the difference is shown as a rate missing in Tieout, not as an error of the seller. The period is not ready until the rate is imported or the gap accepted.',
  ],
  ['', 'Refunds that the export does not date or split are shown as exceptions and are not posted.'],
];

/** Removes the link to the first sale: if Detail has sums, its rows are not single sales. */
const withoutFirst = (certificates: CertificateReport): CertificateReport => ({
  ...certificates,
  usages: certificates.usages.map((usage) => ({ ...usage, first: undefined })),
});

/** Whether a state had sales; Trend also keeps states that only carry a balance. */
const hasSales = ({ orders, refunds }: PriorPeriodState): boolean => orders + refunds > 0;
