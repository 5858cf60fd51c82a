import type { CalendarDate } from '../../kernel/calendar.ts';
import { formatMoney, type Money, subtract, sum } from '../../kernel/money.ts';
import { usRegionName } from '../../kernel/us-regions.ts';
import type { DueDate } from '../filing/calendar/due-date-of.ts';
import { amountDue, type TaxReturn } from '../filing/return/tax-return.ts';
import { returnKey } from '../filing/state-figures.ts';
import type { UploadFile } from '../filing/upload/upload-file.ts';
import { type DecideLine, linesOfReason } from '../reconcile/decide-lines.ts';
import { isOpen } from '../reconcile/exceptions.ts';
import { type ReadinessReason, reasonsOf } from '../reconcile/readiness.ts';
import { hourWords, longDay, periodName, weekDay } from './day-words.ts';
import type { Coverage, PeriodFiling, StateReturn } from './period-filing.ts';
import { linesToDecide, type PeriodReport } from './period-report.ts';

/**
 * READY: the amount is final. NOT READY: something that waits for a decision could change it. NOT DUE: the period of the
 * return is not over. NOT REQUIRED: the state wants no return of so little tax.
 */
export type PayStatus = 'READY' | 'NOT READY' | 'NOT DUE' | 'NOT REQUIRED';

/** Until when a payment must be made; with an hour where the state has one. */
export type PayBy = {
  readonly date: CalendarDate;
  readonly hour: { readonly time: string; readonly zone: string } | undefined;
};

/** What is to be paid with one return. */
export type PayRow = {
  readonly state: string;
  /** As the workbook names the return: the state, with the place or form where it has several. */
  readonly key: string;
  readonly name: string;
  /** What the return is called within the state: `DR 0100`, `Denver Local return`. */
  readonly form: string;
  readonly filed: TaxReturn;
  readonly status: PayStatus;
  readonly amount: Money;
  /** What the decisions could add to the amount: tax that was charged too little so far, less what was charged too much. */
  readonly change: Money;
  readonly payBy: PayBy;
  readonly due: CalendarDate;
  /** The file for the portal, where there is one. */
  readonly file: string | undefined;
  readonly blockers: readonly ReadinessReason[];
  /** Numbers of the lines of Decide that stand in the way. */
  readonly waitsFor: readonly string[];
  /** What to do before the return is filed, two sentences at most. */
  readonly todo: string;
};

/** Tax that was collected where no return is filed. */
export type UnreturnedRow = {
  readonly state: string;
  readonly amount: Money;
  readonly status: 'OPEN' | 'DECIDED' | 'NO RETURN';
  readonly todo: string;
};

/** What to pay for a period, by when, and what stands in the way. */
export type PayList = {
  /** Returns of which the period is over, the earliest payment first. */
  readonly now: readonly PayRow[];
  /** Returns that are not due yet, or not required. */
  readonly later: readonly PayRow[];
  readonly unreturned: readonly UnreturnedRow[];
  /** Sales and rows that a decision keeps out of the period. */
  readonly leftOut: readonly DecideLine[];
  /** Of the returns due now, without those that end in a credit. */
  readonly total: Money;
};

/** Each status as it is shown: with a sign, so that colour is not needed. */
export const STATUS_TEXTS: Readonly<Record<PayStatus | UnreturnedRow['status'], string>> = {
  READY: '✓ READY',
  'NOT READY': '✕ NOT READY',
  'NOT DUE': '○ NOT DUE',
  'NOT REQUIRED': '○ NOT REQUIRED',
  OPEN: '● OPEN',
  DECIDED: '✓ DECIDED',
  'NO RETURN': '○ NO RETURN',
};

export const payListOf = (report: PeriodReport, filing: PeriodFiling): PayList => {
  const lines = linesToDecide(report);
  const rows = filing.returns.map((each) => payRow(report, filing, each, lines));
  const isNow = ({ status }: PayRow): boolean => status === 'READY' || status === 'NOT READY';
  const now = rows.filter(isNow).sort(byMoment);
  return {
    now,
    later: rows.filter((row) => !isNow(row)).sort(byMoment),
    unreturned: unreturnedRows(report),
    leftOut: lines.filter(
      ({ band, exceptions }) => band === 'decided' && exceptions.some(({ held }) => held !== undefined),
    ),
    total: sum(now.map(({ amount }) => amount).filter((amount) => amount > 0)),
  };
};

/** The moment by which to pay, in words: `Thu, Nov 19, 2026, 5:00 PM ET`. */
export const payByText = ({ date, hour }: PayBy): string =>
  hour === undefined ? weekDay(date) : `${weekDay(date)}, ${hourWords(hour)}`;

/** The last moment at which a payment is in time: the state's hour where it has one, else the due date. */
export const payMoment = ({ cutoff, due }: DueDate): PayBy => ({
  date: cutoff?.date ?? due,
  hour: cutoff && { time: cutoff.time, zone: cutoff.zone },
});

type ToPay = {
  readonly coverage: Coverage;
  readonly isRequired: boolean;
};

export const payStatus = (
  { coverage, isRequired }: ToPay,
  blockers: readonly ReadinessReason[],
): PayStatus => {
  if (coverage === 'part') return 'NOT DUE';
  if (!isRequired) return 'NOT REQUIRED';
  return blockers.length === 0 && coverage === 'whole' ? 'READY' : 'NOT READY';
};

const payRow = (
  report: PeriodReport,
  { uploads }: PeriodFiling,
  given: StateReturn,
  lines: readonly DecideLine[],
): PayRow => {
  const { filed, dueDate, coverage } = given;
  const { state, kind, name } = filed.figures;
  const blockers = reasonsOf(report.readiness, state);
  const key = returnKey(filed.figures);
  const upload = uploads.find((file) => file.state === key);
  return {
    ...{ state, key },
    name: usRegionName(state) ?? state,
    form: `${kind === 'place' ? name : ''} ${filed.form.form}`.trimStart(),
    filed,
    status: payStatus({ coverage, isRequired: filed.isRequired }, blockers),
    amount: amountDue(filed),
    change: changeOf(report, state, blockers),
    payBy: payMoment(dueDate),
    due: dueDate.due,
    file: upload?.name,
    blockers,
    waitsFor: [...new Set(blockers.flatMap((reason) => linesOfReason(lines, reason).map(({ no }) => no)))],
    todo:
      coverage === 'part'
        ? laterText(report, given)
        : filed.isRequired
          ? todoText(given, blockers, upload)
          : notRequiredText(filed),
  };
};

/** A sale that is kept out would add its tax; tax that was charged too much could go back, and too little come in. */
const changeOf = (
  { exceptions }: PeriodReport,
  state: string,
  blockers: readonly ReadinessReason[],
): Money => {
  const all = sum(blockers.map(({ effect }) => effect));
  const kept = sum(
    exceptions
      .filter((exception) => exception.state === state && exception.held === 'sale' && isOpen(exception))
      .map(({ effect }) => effect),
  );
  return subtract(kept, subtract(all, kept));
};

/** By day, on one day what is not ready first, then by the hour. */
const byMoment = (left: PayRow, right: PayRow): number => {
  const keys = [left, right].map(({ payBy, status, key }) =>
    [payBy.date, status === 'NOT READY' ? 0 : 1, payBy.hour?.time ?? '24:00', key].join(' '),
  );
  return (keys[0] ?? '') < (keys[1] ?? '') ? -1 : 1;
};

const notRequiredText = ({ form: { form, required } }: TaxReturn): string =>
  required
    ? `No ${form} this month: its tax is not above $${formatMoney(required.above)}. ${required.otherwise}`
    : '';

const laterText = ({ period }: PeriodReport, { dueDate }: StateReturn): string =>
  `Nothing now: ${dueDate.period.label} runs to ${longDay(dueDate.period.last)}. This is what ${periodName(period.label)} adds so far.`;

/** What is said at most: what keeps the amount open, then work on the file, then what to look at on the form. */
const SENTENCES_MAX = 2;

const todoText = (
  { filed, coverage, dueDate }: StateReturn,
  blockers: readonly ReadinessReason[],
  upload: UploadFile | undefined,
): string => {
  const sentences = [
    ...(coverage === 'several'
      ? [`This return is for ${dueDate.period.label} alone: close that period.`]
      : []),
    ...blockerTexts(blockers),
    ...(upload?.isDraft && upload.notes[0] !== undefined ? [firstSentence(upload.notes[0])] : []),
    ...discountText(filed),
    ...linesText(filed),
  ];
  return sentences.slice(0, SENTENCES_MAX).join(' ');
};

/** The weightiest reason, and how many more there are. */
const blockerTexts = ([first, ...others]: readonly ReadinessReason[]): readonly string[] =>
  first === undefined
    ? []
    : [
        `${BLOCKER_WORDS[first.kind]}: ${firstSentence(first.what)}`,
        ...(others.length === 0 ? [] : [`${others.length} more in the sheet Checks.`]),
      ];

const BLOCKER_WORDS: Readonly<Record<ReadinessReason['kind'], string>> = {
  open: 'Decide',
  gap: 'Missing in Tieout, not your error',
  unexplained: 'Explain',
  check: 'A check differs',
};

/** A message may go on with its proof, which stands where the reason does. */
const firstSentence = (text: string): string => {
  const [sentence = ''] = text.split(/(?<=[.!?]) (?=[A-Z])|; /);
  return `${sentence.replace(/[.:;]$/, '')}.`;
};

const discountText = (filed: TaxReturn): readonly string[] => {
  const kept = filed.discount.claimed;
  return kept > 0 ? [`Pay on time to keep the discount of ${formatMoney(kept)}.`] : [];
};

const linesText = ({ form }: TaxReturn): readonly string[] => {
  const unseen = form.lines.filter(
    (line) => !line.working && (form.verified === false || line.verified === false),
  );
  if (unseen.length === 0) return [];
  return [`Check ${unseen.length} ${unseen.length === 1 ? 'line' : 'lines'} against the form.`];
};

const unreturnedRows = (report: PeriodReport): readonly UnreturnedRow[] =>
  report.states
    .filter(
      ({ state, collected }) =>
        collected !== 0 && !report.registrations.some((registration) => registration.state === state),
    )
    .map(({ state, collected }) => {
      const [blocker] = report.readiness.reasons.filter((reason) => reason.state === state);
      const own = report.exceptions.filter((exception) => exception.state === state);
      const accepted = own.find((exception) => exception.accepted !== '');
      const name = usRegionName(state) ?? state;
      return {
        state,
        amount: collected,
        status: blocker ? 'OPEN' : accepted ? 'DECIDED' : 'NO RETURN',
        todo: blocker
          ? (blockerTexts([blocker])[0] ?? '')
          : accepted
            ? `Decided: ${accepted.accepted}`
            : `No registration in ${name}. Refund the customers, as Decide has it by default, or register and pay it over.`,
      };
    });
