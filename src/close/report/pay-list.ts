import type { CalendarDate } from '../../kernel/calendar.ts';
import { formatMoney, type Money, negate, sum } from '../../kernel/money.ts';
import { usRegionName } from '../../kernel/us-regions.ts';
import type { DueDate } from '../filing/calendar/due-date-of.ts';
import { amountDue, discountTaken, type TaxReturn } from '../filing/return/tax-return.ts';
import type { UploadFile } from '../filing/upload/upload-file.ts';
import { type ReadinessReason, reasonsOf } from '../reconcile/readiness.ts';
import { hourWords, longDay, periodName, weekDay } from './day-words.ts';
import type { Coverage, PeriodFiling, StateReturn } from './period-filing.ts';
import type { PeriodReport } from './period-report.ts';

/** READY: the amount is final. NOT READY: something that waits for a decision could change it. */
export type PayStatus = 'READY' | 'NOT READY' | 'NOT DUE';

/** Until when a payment must be made; with an hour where the state has one. */
export type PayBy = {
  readonly date: CalendarDate;
  readonly hour: { readonly time: string; readonly zone: string } | undefined;
};

/** What is to be paid with one return. */
export type PayRow = {
  readonly state: string;
  readonly name: string;
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
  readonly later: readonly PayRow[];
  readonly unreturned: readonly UnreturnedRow[];
  /** Of the returns due now, without those that end in a credit. */
  readonly total: Money;
};

/** Each status as it is shown: with a sign, so that colour is not needed. */
export const STATUS_TEXTS: Readonly<Record<PayStatus | UnreturnedRow['status'], string>> = {
  READY: '✓ READY',
  'NOT READY': '✕ NOT READY',
  'NOT DUE': '○ NOT DUE',
  OPEN: '● OPEN',
  DECIDED: '✓ DECIDED',
  'NO RETURN': '○ NO RETURN',
};

export const payListOf = (report: PeriodReport, filing: PeriodFiling): PayList => {
  const rows = filing.returns.map((each) => payRow(report, filing, each));
  const now = rows.filter(({ status }) => status !== 'NOT DUE').sort(byMoment);
  return {
    now,
    later: rows.filter(({ status }) => status === 'NOT DUE').sort(byMoment),
    unreturned: unreturnedRows(report),
    total: sum(now.map(({ amount }) => amount).filter((amount) => amount > 0)),
  };
};

/** The moment by which to pay, in words: `Thu, Nov 19, 5:00 PM ET`. */
export const payByText = ({ date, hour }: PayBy): string =>
  hour === undefined ? weekDay(date) : `${weekDay(date)}, ${hourWords(hour)}`;

/** The last moment at which a payment is in time: the state's hour where it has one, else the due date. */
export const payMoment = ({ cutoff, due }: DueDate): PayBy => ({
  date: cutoff?.date ?? due,
  hour: cutoff && { time: cutoff.time, zone: cutoff.zone },
});

export const payStatus = (coverage: Coverage, blockers: readonly ReadinessReason[]): PayStatus => {
  if (coverage === 'part') return 'NOT DUE';
  return blockers.length === 0 && coverage === 'whole' ? 'READY' : 'NOT READY';
};

const payRow = (report: PeriodReport, { uploads }: PeriodFiling, given: StateReturn): PayRow => {
  const { filed, dueDate, coverage } = given;
  const { state } = filed.figures;
  const blockers = reasonsOf(report.readiness, state);
  const upload = uploads.find((file) => file.state === state);
  return {
    state,
    name: usRegionName(state) ?? state,
    filed,
    status: payStatus(coverage, blockers),
    amount: amountDue(filed),
    change: negate(sum(blockers.map(({ effect }) => effect))),
    payBy: payMoment(dueDate),
    due: dueDate.due,
    file: upload?.name,
    blockers,
    todo: coverage === 'part' ? laterText(report, given) : todoText(given, blockers, upload),
  };
};

/** By day, on one day what is not ready first, then by the hour. */
const byMoment = (left: PayRow, right: PayRow): number => {
  const keys = [left, right].map(({ payBy, status, state }) =>
    [payBy.date, status === 'NOT READY' ? 0 : 1, payBy.hour?.time ?? '24:00', state].join(' '),
  );
  return (keys[0] ?? '') < (keys[1] ?? '') ? -1 : 1;
};

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
        ...(others.length === 0 ? [] : [`${others.length} more in the sheet Readiness.`]),
      ];

const BLOCKER_WORDS: Readonly<Record<ReadinessReason['kind'], string>> = {
  open: 'Decide',
  gap: 'Missing in Tieout, not your error',
  unexplained: 'Explain',
  check: 'A check differs',
};

const TEXT_LENGTH_MAX = 140;

/** A message may go on with its proof, which stands where the reason does. */
const firstSentence = (text: string): string => {
  const [sentence = ''] = text.split(/(?<=[.!?]) (?=[A-Z])|; /);
  const bare = sentence.replace(/[.:;]$/, '');
  return bare.length > TEXT_LENGTH_MAX ? `${bare.slice(0, TEXT_LENGTH_MAX - 1)}…` : `${bare}.`;
};

const discountText = (filed: TaxReturn): readonly string[] => {
  const kept = discountTaken(filed);
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
            : `No registration in ${name}. Register and pay it over, or refund the customers.`,
      };
    });
