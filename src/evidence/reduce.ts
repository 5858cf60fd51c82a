import { findingsOfFees } from '../figures/fee-figures.ts';
import { findingsOfLateLines } from '../figures/late-line.ts';
import { statesRemitting } from '../figures/period-filing.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { differencesOf } from '../figures/roll-forward.ts';
import type { DetailLine } from '../judge/detail-row.ts';
import { findingsOfCompared, findingsOfSilence } from '../judge/expected-totals.ts';
import type { Finding } from '../judge/finding.ts';
import { findingsOfInputs } from '../judge/input-findings.ts';
import { decidedFindings, ratesOfToday } from '../judge/period-findings.ts';
import { inKeyOrder } from '../judge/period-totals.ts';
import { UNDECIDED } from '../judge/readiness.ts';
import { findingsOfRefund } from '../judge/refund-link.ts';
import { partitions } from '../runtime/partitions.ts';
import type { Frame } from './frame.ts';
import type { PeriodSums } from './period-sums.ts';

/**
 * Returns the report of a period from the sums of its logs: a close and `verify` draw the books from it alike. It takes
 * the findings of the sums, and can be called once.
 */
export const reportOf = (frame: Frame, sums: PeriodSums): PeriodReport => {
  const { certificates: _, late: __, ...rest } = frame;
  const { earlier, decisions, undecided, shopTotals, findings, orders, ...stated } = rest;
  const { period, unexplainedTolerance, materiality, ledger } = stated;
  const { totals } = sums;
  for (const links of sums.refunds.links(orders).pages)
    for (const link of links) {
      findingsOfRefund(link).forEach(sums.findings.add);
      sums.refunds.earlier.see(link);
    }
  const states = inKeyOrder(totals.states);
  const days = inKeyOrder(totals.days);
  const certificates = sums.certificates();
  const earlierTax = sums.refunds.earlier.all();
  const late = [...undecided, ...sums.lateLines()];
  const comparedTotals = sums.channels.compared(shopTotals);
  const drafts: readonly Finding[] = [
    ...findingsOfInputs(frame.inputs),
    ...findingsOfLateLines(late),
    ...findingsOfCompared(comparedTotals, period),
    ...differencesOf({ ...(ledger && { ledger }), states, period }, materiality),
    ...sums.findingsOfExempt(),
    ...(sums.todaysRates() > 0 ? [ratesOfToday(period, sums.todaysRates())] : []),
    ...findingsOfFees(sums.filing.unknownFees(), period),
    ...findingsOfSilence(days, period),
    ...sums.denied.exceptions(),
    ...findings,
  ];
  drafts.forEach(sums.findings.add);
  const decided = decisions.filter((each) => each.period === period.label && each.isTakenOver !== true);
  return {
    ...stated,
    detailRows: totals.rows,
    todaysRates: sums.todaysRates(),
    signOff: { contentDigest: '' },
    readiness: UNDECIDED,
    remittances: [],
    states,
    jurisdictions: inKeyOrder(totals.jurisdictions),
    reasons: inKeyOrder(totals.reasons),
    stateReasons: inKeyOrder(totals.stateReasons),
    unposted: inKeyOrder(totals.unposted),
    files: inKeyOrder(totals.files),
    earlierTax,
    trend: [
      ...earlier,
      ...states.map(({ state, orders, gross, collected, expected }) => ({
        period: period.label,
        state,
        orders,
        gross,
        collected,
        expected,
        filed: undefined,
      })),
    ],
    exceptions: decidedFindings(sums.findings.drafts(), {
      period,
      decisions: sums.decisions,
      decided,
      totals,
      unexplainedTolerance,
      materiality,
      remitting: statesRemitting(frame.registrations, period),
      earlierTax,
    }),
    days,
    decided,
    late,
    comparedTotals,
    certificates,
  };
};

/** Keeps the rows of Detail, which come in any order, until all are known. `folder` is for what memory does not hold. */
export const detailRows = (folder: string) => {
  const { add, pages } = partitions<DetailLine>(folder);
  return { add: (row: DetailLine): void => add(row.businessDate, row), pages };
};
