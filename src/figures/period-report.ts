import type { CertificateReport } from '../certificates/certificate-report.ts';
import type { Configuration } from '../configuration/schema.ts';
import type { LaterCharge } from '../filing/journal.ts';
import type { FiledBefore, Frequency, LateCharges, SettledReturn } from '../filing/registration.ts';
import type { ReturnKind } from '../filing/state-figures.ts';
import { type DecideLine, decideLines, linesOfReason } from '../judge/decide-lines.ts';
import type { Decision } from '../judge/decision.ts';
import type { ComparedTotal } from '../judge/expected-totals.ts';
import { countOf, type Finding, isAccepted, isOpen } from '../judge/finding.ts';
import type { ReadInput, RecordOutcome } from '../judge/input-findings.ts';
import {
  type DayTotals,
  type FileTotals,
  type JurisdictionTotals,
  type Materiality,
  type ReasonTotals,
  type Span,
  type StateReason,
  type StateTotals,
  type UnpostedTotals,
  withoutSigns,
} from '../judge/period-totals.ts';
import type { Readiness } from '../judge/readiness.ts';
import type { EarlierTax } from '../judge/refund-link.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { type Money, subtract, sum, ZERO } from '../kernel/money.ts';
import { amendedPeriod, type FilingPeriod, versionBefore } from '../kernel/period.ts';
import { shownChange, shownNumber } from '../kernel/text.ts';
import type { LateLine } from './late-line.ts';
import type { PeriodLedger } from './roll-forward.ts';

/** An input file and the outcome of its rows. */
export type InputFile = ReadInput & {
  readonly channel: string;
  readonly profile: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Number of its records by outcome. */
  readonly records: Readonly<Record<RecordOutcome, number>>;
  /** Tax of its orders as they were read, by business day; only of a file of sales that was read. */
  readonly orderTax?: Readonly<Record<string, Money>>;
  /** Its column with the tax of a sale, where it is one alone. */
  readonly taxColumn?: string;
};

type Companion = Pick<InputFile, 'path' | 'sha256' | 'bytes' | 'used' | 'ignored' | 'rejected'>;

/** Returns a file that is not an export of sales as it stands among the inputs: each of its rows is a record. */
export const companionInput = (file: Companion, channel: string): InputFile => {
  const { path, sha256, bytes, used, ignored, rejected } = file;
  return {
    path,
    sha256,
    bytes,
    used,
    ignored,
    rejected,
    rows: used + ignored + rejected,
    channel,
    profile: channel,
    columns: [],
    notices: [],
    records: { accepted: used, warning: 0, review: 0, ignored, rejected },
  };
};

/** Where the rates of a state come from, and until when its local rates are known, if the service says so. */
export type RateSource = {
  readonly state: string;
  readonly source: string;
  readonly until: string;
};

/** The content of a period's workbooks, except the rows of Detail, which are streamed. */
export type PeriodReport = {
  readonly seller: string;
  readonly entity: string;
  readonly period: FilingPeriod;
  readonly timeZone: string;
  /** The locked periods whose entries the books have as they were filed. */
  readonly lockedDays: readonly Span[];
  /** The service and the tax content of the calculations, as in `ClosePorts.serviceId`. */
  readonly service: string;
  readonly program: string;
  /** Set if the period was not over when the books were made. */
  readonly madeEarly?: true;
  /** Set if a sample of Detail for an auditor's tests is written as well. */
  readonly workingPapers?: true;
  /** The registrations that count for the period; of a close before all of it was kept without their settings. */
  readonly registrations: Configuration['registrations'];
  readonly unexplainedTolerance: Money;
  readonly materiality: Materiality;
  readonly detailRows: number;
  /** Above this number of rows, Detail is written to files; only set if the policy limits it. */
  readonly detailRowsMax?: number;
  /** The registered states with sales, and where their rates come from; none where the service does not say. */
  readonly rateSources: readonly RateSource[];
  /** Number of posted sales calculated with the rates of the day of the request instead of the sale's day. */
  readonly todaysRates: number;
  readonly states: readonly StateTotals[];
  readonly jurisdictions: readonly JurisdictionTotals[];
  readonly reasons: readonly ReasonTotals[];
  /** The reasons split by state, where they have an amount. */
  readonly stateReasons: readonly StateReason[];
  /** Tax that was given back for sales before the period, by state. */
  readonly earlierTax?: readonly EarlierTax[];
  readonly days: readonly DayTotals[];
  readonly unposted: readonly UnpostedTotals[];
  /** The files that Detail and Not posted have rows of. */
  readonly files: readonly FileTotals[];
  /** The exceptions, with those of one cause and place grouped. */
  readonly exceptions: readonly Finding[];
  /** The decisions for the period from the decision files. */
  readonly decided: readonly Decision[];
  /** Late items of locked periods that are filed here or open. */
  readonly late: readonly LateLine[];
  readonly inputs: readonly InputFile[];
  /** The totals that the shops report for the period, with those of Detail. */
  readonly comparedTotals: readonly ComparedTotal[];
  readonly signOff: SignOff;
  /** Whether the period can be filed, and the reasons if it cannot. */
  readonly readiness: Readiness;
  /** The steps from the expected tax to the tax to remit, one entry per return. */
  readonly remittances: readonly Remittance[];
  /** This period and those before it that were closed here, oldest first. */
  readonly trend: readonly PriorPeriodState[];
  /** Of a period of several months the months up to its end that were closed here, by which thresholds are measured. */
  readonly months?: readonly PriorPeriodState[];
  readonly certificates: CertificateReport;
  /** The seller's accounts of sales tax payable; only if the configuration names their balances. */
  readonly ledger?: PeriodLedger;
  /** What `filings.csv` states of lateness for locked returns, and no locked book has yet. */
  readonly laterCharges?: readonly LaterCharge[];
};

/** What is known of a published period without its sales: totals by state, and its returns. */
export type ClosedReport = Pick<
  PeriodReport,
  'period' | 'madeEarly' | 'inputs' | 'states' | 'remittances' | 'readiness' | 'signOff'
>;

/** The content to sign. It exists only after the evidence is written. */
export type SignOff = { readonly contentDigest: string };

/** Lists the states whose local rates are known until a day before the last of the period, the oldest first. */
export const oldRatesIn = ({
  rateSources,
  period,
}: Pick<PeriodReport, 'rateSources' | 'period'>): readonly RateSource[] =>
  rateSources
    .filter(({ until }) => until !== '' && until < period.last)
    .toSorted((one, other) => (one.until < other.until ? -1 : 1));

export const openExceptions = (report: PeriodReport): readonly Finding[] => report.exceptions.filter(isOpen);

export const acceptedExceptions = (report: PeriodReport): readonly Finding[] =>
  report.exceptions.filter(isAccepted);

/** Counts the exceptions that need no decision. */
export const seenExceptions = (report: PeriodReport): number =>
  countOf(report.exceptions) - openExceptions(report).length - acceptedExceptions(report).length;

/** Sums one figure over all states. */
export const totalOf = (
  report: Pick<PeriodReport, 'states'>,
  figure: 'gross' | 'shipping' | 'taxable' | 'collected' | 'expected' | 'recorded',
): Money => sum(report.states.map((state) => state[figure]));

/** Returns collected less expected tax over all states. */
export const varianceOf = (report: Pick<PeriodReport, 'states'>): Money =>
  subtract(totalOf(report, 'collected'), totalOf(report, 'expected'));

/** Returns the unexplained amounts, added up without their signs, so that none makes up for another. */
export const unexplainedOf = (report: PeriodReport): Money => {
  const unexplained = report.reasons.find(({ code }) => code === 'R99');
  return unexplained ? withoutSigns(unexplained) : ZERO;
};

/** Returns the states of the period directly before this one in its last version, if it was closed here. */
export const statesBefore = ({
  trend,
  period,
}: Pick<PeriodReport, 'trend' | 'period'>): readonly PriorPeriodState[] => {
  const before = versionBefore(period);
  return trend.filter((row) => amendedPeriod(row.period) === before?.label);
};

/** Returns the lines to decide for the period, including those already decided. */
export const linesToDecide = ({ exceptions, period, reasons }: PeriodReport): readonly DecideLine[] =>
  decideLines({ exceptions, period, reasons });

/** Describes the lines that keep the period from being filed: `3 lines, +20.11`. */
export const waitingText = (report: PeriodReport): string => {
  const waiting = linesToDecide(report).filter((line) =>
    report.readiness.reasons.some((reason) => linesOfReason([line], reason).length > 0),
  );
  const effect = sum(waiting.map((line) => line.effect));
  return waiting.length === 0 ? 'Nothing' : `${shownNumber(waiting.length, 'line')}, ${shownChange(effect)}`;
};

/** Says of books that were made before their period was over; `undefined` of all others. */
export const earlyNote = ({
  madeEarly,
  period,
}: Pick<PeriodReport, 'madeEarly' | 'period'>): string | undefined =>
  madeEarly === undefined
    ? undefined
    : `Preliminary: made before the period was over. Close it again after its last day, ${period.last}.`;

/** The result of one period in one state, as of its last close. */
export type PriorPeriodState = {
  readonly period: string;
  readonly state: string;
  readonly orders: number;
  readonly gross: Money;
  readonly collected: Money;
  readonly expected: Money;
  /** `undefined` for a period that was closed before this was recorded. */
  readonly filed: PriorFiling | undefined;
};

/** The parts of gross sales that not every threshold counts. */
export type CountedSales = {
  /** Sales to exempt buyers, including resale. */
  readonly exempt: Money;
  readonly resale: Money;
  readonly marketplace: Money;
  /** Orders of which each counts once, however often it was corrected, and those of them on marketplaces. */
  readonly transactions: number;
  readonly marketplaceOrders: number;
};

/** The balances that a return carries forward, and the sales that nexus thresholds count. */
export type PriorFiling = CountedSales & {
  readonly prepaymentsLeft: Money;
  readonly creditsLeft: Money;
};

/** How the closed period relates to the period of the state's return. */
export type Coverage = 'whole' | 'part' | 'several';

/** The steps from a return's expected tax to its amount due; deductions are negative. */
export type Remittance = {
  readonly state: string;
  readonly kind: ReturnKind;
  /** The county, the city or the form of a separate return. */
  readonly name: string;
  /** The key of the return in the workbooks: the state, with the place or form if it has several returns. */
  readonly key: string;
  /** How often such returns are filed; of one that completes others, how often those are. */
  readonly frequency: Frequency;
  readonly collected: Money;
  /** Tax collected under rates that the tax content lacks. */
  readonly gaps: Money;
  /** The amount that the remittance basis adds to the expected tax, or subtracts from it. */
  readonly adjustment: Money;
  readonly useTax: Money;
  /** Fees on delivered sales, in addition to the tax, and the part of them that was charged. */
  readonly fees: Money;
  readonly feesCharged: Money;
  /** The penalty and interest in the amount due; absent if there is none. */
  readonly late?: LateCharges;
  /** Total rounding by the form, including that of payments. */
  readonly rounding: Money;
  readonly discount: Money;
  readonly prepayments: Money;
  readonly credits: Money;
  /** The amount due on the form. */
  readonly due: Money;
  /** What counts of the return before, if this one amends it: only the difference is paid. */
  readonly filedBefore?: Pick<FiledBefore, 'due' | 'discount' | 'late'>;
  /** What the returns of shorter periods had settled, if it completes such returns. */
  readonly shorter?: readonly SettledReturn[];
  /** Digest of its lines and schedules; `undefined` in a close before this was recorded. */
  readonly lines?: string;
  /** Whether it amends a return with the same lines. */
  readonly isUnchanged?: boolean;
  /** Whether the state requires a return for so little tax. */
  readonly isRequired: boolean;
  /** How its period relates to the closed one, and its label. */
  readonly coverage: Coverage;
  readonly filingPeriod: string;
  /** The return that includes the tax if the state does not require this one. */
  readonly insteadOn?: string;
  /** The due date, and by when to pay: of the return that includes the tax if this one is not required. */
  readonly dueOn: CalendarDate;
  readonly payBy: PayBy;
};

/** The last day for a payment, with an hour if the state sets one. */
export type PayBy = {
  readonly date: CalendarDate;
  readonly hour:
    | {
        readonly time: string;
        readonly zone: string;
      }
    | undefined;
  /** Whether the date was seen in a source. */
  readonly isVerified: boolean;
};
