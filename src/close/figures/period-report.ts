import { versionBefore } from '../../kernel/amended-version.ts';
import { type Money, subtract, sum } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { shownChange, shownNumber } from '../../kernel/shown-figures.ts';
import type { CertificateReport } from '../certificates/certificate-report.ts';
import type { Decided } from '../decisions/decision.ts';
import type { GeneralLedger } from '../general-ledger/general-ledger.ts';
import type { LedgerRollForward } from '../general-ledger/roll-forward.ts';
import type { RecordOutcome } from '../reconcile/control-totals.ts';
import { type DecideLine, decideLines, linesOfReason } from '../reconcile/decide-lines.ts';
import { countOf, type Exception, isOpen } from '../reconcile/exceptions.ts';
import type { ComparedTotal } from '../reconcile/expected-totals.ts';
import type { ImpliedRateTotals } from '../reconcile/implied-rate-totals.ts';
import type { ReadInput } from '../reconcile/input-exceptions.ts';
import type { Materiality } from '../reconcile/materiality.ts';
import type {
  DayTotals,
  JurisdictionTotals,
  ReasonTotals,
  StateReason,
  StateTotals,
} from '../reconcile/period-totals.ts';
import type { Readiness } from '../reconcile/readiness.ts';
import type { RecordDifference } from '../reconcile/record-differences.ts';
import type { RefundLink } from '../reconcile/refund-link.ts';
import type { Draw, SamplingPlan } from '../reconcile/sampling.ts';
import type { LateLine } from './late-line.ts';
import type { PriorPeriodState } from './prior-period-states.ts';
import type { Remittance } from './remittance.ts';

/** An input file and what became of its rows. */
export type InputFile = ReadInput & {
  readonly channel: string;
  readonly profile: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Its records by what became of them. */
  readonly records: Readonly<Record<RecordOutcome, number>>;
};

/** Everything that the workbooks of one period say, except the rows of Detail, which are streamed. */
export type PeriodReport = {
  readonly seller: string;
  readonly entity: string;
  readonly period: FilingPeriod;
  readonly timeZone: string;
  /** The service and the tax content that answered, as `ClosePorts.serviceId` has it. */
  readonly service: string;
  readonly program: string;
  readonly registrations: readonly {
    readonly state: string;
    readonly since: string;
    readonly account: string;
  }[];
  readonly unexplainedTolerance: Money;
  readonly materiality: Materiality;
  readonly detailRows: number;
  /** With more rows Detail is in files; only where the policy says how many. */
  readonly detailRowsMax?: number;
  /** Posted sales that the service calculated with the rates of the day it was asked, not those of the sale's day. */
  readonly todaysRates: number;
  readonly states: readonly StateTotals[];
  readonly jurisdictions: readonly JurisdictionTotals[];
  readonly reasons: readonly ReasonTotals[];
  /** The same split by state, where a reason moves anything. */
  readonly stateReasons: readonly StateReason[];
  readonly days: readonly DayTotals[];
  /** Those of one cause and place together. */
  readonly exceptions: readonly Exception[];
  /** What the files of decisions say of the period. */
  readonly decided: Decided;
  readonly impliedRates: readonly ImpliedRateTotals[];
  /** What came late for a locked period: filed here, or open. */
  readonly late: readonly LateLine[];
  readonly inputs: readonly InputFile[];
  /** The figures that the shops give for the period, beside those of Detail. */
  readonly comparedTotals: readonly ComparedTotal[];
  readonly signOff: SignOff;
  /** Whether the period can be filed, and what keeps it from that. */
  readonly readiness: Readiness;
  /** What the returns make of the tax expected, one per registration. */
  readonly remittances: readonly Remittance[];
  readonly differences: readonly RecordDifference[];
  readonly sampling: { readonly plan: SamplingPlan; readonly draws: readonly Draw[] };
  /** This period and those before it, oldest first, as far as they were closed here. */
  readonly trend: readonly PriorPeriodState[];
  readonly certificates: CertificateReport;
  /** The seller's own ledger, and the sales tax payable beside it; only where the configuration names one. */
  readonly generalLedger?: GeneralLedger;
  readonly rollForward?: LedgerRollForward;
};

/** What the books are drawn from: the report, and the order of each refund, which is not kept with the close. */
export type BookReport = PeriodReport & { readonly refundLinks: readonly RefundLink[] };

/** What is signed. Before the evidence is written there is nothing to sign. */
export type SignOff = { readonly contentDigest: string };

export const openExceptions = (report: PeriodReport): readonly Exception[] =>
  report.exceptions.filter(isOpen);

export const acceptedExceptions = (report: PeriodReport): readonly Exception[] =>
  report.exceptions.filter(({ accepted }) => accepted !== '');

/** How many need no decision. */
export const seenExceptions = (report: PeriodReport): number =>
  countOf(report.exceptions) - openExceptions(report).length - acceptedExceptions(report).length;

/** The total of one figure over all states. */
export const totalOf = (
  report: PeriodReport,
  figure: 'gross' | 'shipping' | 'taxable' | 'collected' | 'expected' | 'recorded',
): Money => sum(report.states.map((state) => state[figure]));

/** Collected minus expected, over all states. */
export const varianceOf = (report: PeriodReport): Money =>
  subtract(totalOf(report, 'collected'), totalOf(report, 'expected'));

/** What no rule explains, over and under added up without their signs. */
export const unexplainedOf = (report: PeriodReport): Money => {
  const unexplained = report.reasons.find(({ code }) => code === 'R99');
  return unexplained ? sum([unexplained.over, -unexplained.under as Money]) : sum([]);
};

/** The states of the period right before this one, if it was closed here. */
export const statesBefore = ({ trend, period }: PeriodReport): readonly PriorPeriodState[] => {
  const before = versionBefore(period);
  return trend.filter((row) => row.period === before?.label);
};

/** What there is to decide of the period, and what was decided. */
export const linesToDecide = ({
  exceptions,
  period,
  reasons,
  decided,
}: PeriodReport): readonly DecideLine[] =>
  decideLines({ exceptions, period, reasons, numbers: decided.numbers });

/** Those of them that keep the period from being filed, in words: `3 lines, +20.11`. */
export const waitingText = (report: PeriodReport): string => {
  const waiting = linesToDecide(report).filter((line) =>
    report.readiness.reasons.some((reason) => linesOfReason([line], reason).length > 0),
  );
  const effect = sum(waiting.map((line) => line.effect));
  return waiting.length === 0 ? 'Nothing' : `${shownNumber(waiting.length, 'line')}, ${shownChange(effect)}`;
};
