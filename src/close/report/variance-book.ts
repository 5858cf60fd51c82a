import { startOfUtcDay } from '../../kernel/calendar.ts';
import { type Money, subtract, ZERO } from '../../kernel/money.ts';
import { clustersOf } from '../reconcile/clusters.ts';
import type { DetailRow } from '../reconcile/detail-row.ts';
import { isMaterial } from '../reconcile/materiality.ts';
import { checksSheet } from '../workbook/checks-sheet.ts';
import { filled, type RowPages, streamed } from '../workbook/sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import { bookIndex } from './book-index.ts';
import type { KeptState } from './kept-state.ts';
import { partsOfState } from './parts-of-state.ts';
import type { PeriodReport } from './period-report.ts';
import { bridgeSheet } from './sheets/bridge.ts';
import { bridgeStepsSheet } from './sheets/bridge-steps.ts';
import { BY_JURISDICTION } from './sheets/by-jurisdiction.ts';
import { BY_REASON } from './sheets/by-reason.ts';
import { BY_STATE, type StateRow } from './sheets/by-state.ts';
import { CAUSES } from './sheets/causes.ts';
import { certificatesSheet } from './sheets/certificates.ts';
import { COMPLETENESS } from './sheets/completeness.ts';
import { CONTROL_TOTALS, controlRowsOf } from './sheets/control-totals.ts';
import { DETAIL } from './sheets/detail.ts';
import { EXCEPTIONS } from './sheets/exceptions.ts';
import { exceptionsByCodeSheet } from './sheets/exceptions-by-code.ts';
import { IMPLIED_RATES } from './sheets/implied-rates.ts';
import { INPUTS } from './sheets/inputs.ts';
import { LATE_ITEMS } from './sheets/late-items.ts';
import { PULL_BACK_DIFFERENCES } from './sheets/pull-back-differences.ts';
import { readinessSheet, stillOpen } from './sheets/readiness.ts';
import { REFUND_LINKS } from './sheets/refund-links.ts';
import { samplingSheet } from './sheets/sampling.ts';
import { TREND } from './sheets/trend.ts';
import { trendByPeriodSheet } from './sheets/trend-by-period.ts';
import { varianceChecks } from './variance-checks.ts';
import { varianceReadme } from './variance-readme.ts';
import { streamedControls, VARIANCE_SHEETS } from './variance-sheets.ts';

/** variance.xlsx: what was charged against what should have been, and why they differ. */
export const varianceBook = (report: PeriodReport, detail: RowPages<DetailRow>): WorkbookContent => {
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
    filled(EXCEPTIONS, report.exceptions),
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
      varianceReadme(report, sheets),
      bookIndex(sheets, VARIANCE_SHEETS, streamedControls(report)),
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
          // A late arrival is no variance, whatever tax it carries.
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
