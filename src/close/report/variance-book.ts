import { startOfUtcDay } from '../../kernel/calendar.ts';
import { type Money, subtract, ZERO } from '../../kernel/money.ts';
import { clustersOf } from '../reconcile/clusters.ts';
import type { DetailRow } from '../reconcile/detail-row.ts';
import { isMaterial } from '../reconcile/materiality.ts';
import { cellOf } from '../workbook/cell.ts';
import { checksSheet } from '../workbook/checks-sheet.ts';
import {
  type FilledSheet,
  filled,
  type RowPages,
  streamed,
  type TextSheet,
  textSheet,
} from '../workbook/sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import { aboutLines } from './about-lines.ts';
import { bookIndex } from './book-index.ts';
import type { KeptState } from './kept-states.ts';
import { partsOfState } from './parts-of-state.ts';
import type { PeriodReport } from './period-report.ts';
import { conclusionLine, readinessBlocks } from './readiness-lines.ts';
import { bridgeSheet } from './sheets/bridge.ts';
import { bridgeStepsSheet } from './sheets/bridge-steps.ts';
import { BY_REASON } from './sheets/by-reason.ts';
import { BY_STATE, MATERIAL_AMOUNT, MATERIAL_SHARE, type StateRow } from './sheets/by-state.ts';
import { certificatesSheet } from './sheets/certificates.ts';
import { COMPLETENESS } from './sheets/completeness.ts';
import { CONTROL_TOTALS, controlRowsOf } from './sheets/control-totals.ts';
import { decideSheet } from './sheets/decide.ts';
import { DETAIL } from './sheets/detail.ts';
import { CAUSES, EXCEPTIONS, exceptionRows, exceptionsByCodeSheet } from './sheets/exceptions.ts';
import { IMPLIED_RATES } from './sheets/implied-rates.ts';
import { INPUTS } from './sheets/inputs.ts';
import { BY_JURISDICTION } from './sheets/jurisdictions.ts';
import { LATE_ITEMS } from './sheets/late-items.ts';
import { PULL_BACK_DIFFERENCES } from './sheets/pull-back-differences.ts';
import { readinessSheet, stillOpen } from './sheets/readiness.ts';
import { REFUND_LINKS } from './sheets/refund-links.ts';
import { samplingSheet } from './sheets/sampling.ts';
import { TREND, trendByPeriodSheet } from './sheets/trend.ts';
import { varianceChecks } from './variance-checks.ts';
import { streamedControls, VARIANCE_SHEETS } from './variance-sheets.ts';

/** variance.xlsx: what was charged against what should have been, and why they differ. */
export const varianceBook = (report: PeriodReport, detail: RowPages<DetailRow>): WorkbookContent => {
  const decide = decideSheet(report);
  const sheets = [
    checksSheet(varianceChecks(report), { open: stillOpen(report.readiness) }),
    readinessSheet(report.readiness),
    bridgeSheet(report),
    ...bridgeStepsSheet(report),
    filled(BY_STATE, stateRows(report)),
    filled(BY_JURISDICTION, report.jurisdictions),
    filled(BY_REASON, report.reasons),
    ...(report.impliedRates.length > 0 ? [filled(IMPLIED_RATES, report.impliedRates)] : []),
    filled(CAUSES, clustersOf(report.exceptions)),
    filled(EXCEPTIONS, exceptionRows(report)),
    ...exceptionsByCodeSheet(report),
    filled(COMPLETENESS, report.days),
    ...(report.late.length > 0 ? [filled(LATE_ITEMS, report.late)] : []),
    filled(INPUTS, report.inputs),
    filled(CONTROL_TOTALS, controlRowsOf(report.inputs)),
    filled(PULL_BACK_DIFFERENCES, report.differences),
    certificatesSheet(report.certificates),
    filled(REFUND_LINKS, report.refundLinks),
    samplingSheet(report.sampling.plan, report.sampling.draws),
    filled(TREND, report.trend.filter(hasSales)),
    ...trendByPeriodSheet(report),
    streamed(DETAIL, { count: report.detailRows, pages: detail }),
  ];
  return {
    properties: {
      title: `Sales tax variance ${report.period.label}: ${report.seller}`,
      creator: report.program,
      company: report.seller,
      created: startOfUtcDay(report.period.last),
    },
    sheets: [
      decide,
      varianceReadme(report, sheets),
      bookIndex([decide, ...sheets], VARIANCE_SHEETS, streamedControls(report)),
      ...sheets,
    ],
  };
};

/** A state is kept for what it left over, too. */
const hasSales = ({ orders, refunds }: KeptState): boolean => orders + refunds > 0;

const stateRows = (report: PeriodReport): readonly StateRow[] =>
  report.states.map((state) => {
    const exceptions = report.exceptions.filter((exception) => exception.state === state.state);
    return {
      ...state,
      parts: partsOfState(report, state.state),
      since: report.registrations.find((registration) => registration.state === state.state)?.since ?? '',
      topReason: topReasonOf(
        exceptions.filter(
          // A late arrival is not a variance, whatever tax it carries.
          ({ code, effect }) => /^R\d\d$/.test(code) && code !== 'R17' && effect !== ZERO,
        ),
      ),
      exceptions,
      isMaterial: isMaterial(subtract(state.collected, state.expected), state.expected, report.materiality),
    };
  });

/** The code that moves the most tax, whatever its sign. */
const topReasonOf = (exceptions: readonly { readonly code: string; readonly effect: Money }[]): string => {
  const weights = new Map<string, number>();
  for (const { code, effect } of exceptions) weights.set(code, (weights.get(code) ?? 0) + Math.abs(effect));
  const ranked = [...weights].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  return ranked[0]?.[0] ?? '';
};

/** The first sheet of variance.xlsx: what it is about, how to read it, and its conclusion. */
const varianceReadme = (report: PeriodReport, sheets: readonly FilledSheet[]): TextSheet =>
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
