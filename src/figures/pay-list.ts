import type { DueDate } from '../filing/dates.ts';
import { returnKey } from '../filing/state-figures.ts';
import { amountToPay, isUnchanged } from '../filing/tax-return.ts';
import { type DecideLine, linesOfReason } from '../judge/decide-lines.ts';
import { type ReadinessReason, reasonsOf } from '../judge/readiness.ts';
import { type Money, sum, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { compareText } from '../kernel/text.ts';
import { usRegionName } from '../kernel/us-regions.ts';
import { hourWords, verifiedWords, weekDay } from './day-words.ts';
import { stepsOf, type UnreturnedRow, unreturnedRows } from './pay-todo.ts';
import type { PeriodFiling, StateReturn } from './period-filing.ts';
import { type Coverage, earlyNote, linesToDecide, type PayBy, type PeriodReport } from './period-report.ts';

/**
 * PRELIMINARY: the period was not over when its books were made. READY: no decision is open, although defaults of
 * Decide may still be changed. NOT READY: an open decision could change the amount. NOT DUE: the return is
 * of a longer period. NOT REQUIRED: the state does not require a return for this month, or for so little tax. OTHER PERIOD: the return is of another period within the closed one, so that
 * its amount follows from a close of that period. UNCHANGED: the return amends one with the same lines, so that there
 * is nothing to file.
 */
export type PayStatus =
  | 'PRELIMINARY'
  | 'READY'
  | 'NOT READY'
  | 'NOT DUE'
  | 'NOT REQUIRED'
  | 'OTHER PERIOD'
  | 'UNCHANGED';

/** The payment with one return. */
export type PayRow = ReturnType<typeof payRow>;

/** The payments for a period, their dates, and what is still open. */
export type PayList = ReturnType<typeof payListOf>;

/** The text of each status, with a sign, so that it does not depend on colour. */
export const STATUS_TEXTS: Readonly<Record<PayStatus | UnreturnedRow['status'], string>> = {
  PRELIMINARY: '○ NOT DUE',
  READY: '✓ TO FILE',
  'NOT READY': '✕ BLOCKED',
  'NOT DUE': '○ NOT DUE',
  'NOT REQUIRED': '○ NOTHING TO FILE',
  'OTHER PERIOD': '○ NOTHING TO FILE',
  UNCHANGED: '○ NOTHING TO FILE',
  OPEN: '● OPEN',
  DECIDED: '✓ DECIDED',
  'NO RETURN': '○ NO RETURN',
};

export const payListOf = (report: PeriodReport, filing: PeriodFiling) => {
  const lines = linesToDecide(report);
  const rows = filing.returns.map((each) => payRow(report, filing, each, lines)).sort(byMoment);
  const now = rows.filter(isPayable);
  return {
    /** Returns of exactly the closed period, earliest payment first. */
    now,
    /** Returns that are not due yet, not required, or of a shorter period than the closed one. */
    later: rows.filter((row) => !isPayable(row)),
    unreturned: unreturnedRows(report),
    /** Says when the books were made, if the period was not over then. */
    preliminary: earlyNote(report),
    /** Total of the returns due now, without those that end in a credit. */
    total: sum(paymentsIn(now).map(({ amount }) => amount)),
  };
};

/** Returns the returns with an amount to pay; the others end in nothing or in a credit. */
export const paymentsIn = <Row extends { readonly amount: Money }>(rows: readonly Row[]): readonly Row[] =>
  rows.filter(({ amount }) => amount > ZERO);

/** Returns the returns, also those that are not due yet or not required, whose amount an open decision could change. */
export const waitingIn = ({ now, later }: Pick<PayList, 'now' | 'later'>): readonly PayRow[] =>
  [...now, ...later].filter((row) => isAmountKnown(row) && row.blockers.length > 0);

/** Says how a return reaches the state: by a file, marked as a draft if a person must complete it first, or by hand. */
export const portalFile = (
  row: PayRow,
): {
  readonly text: string;
  readonly href?: string;
} => {
  const { file, instead, status } = row;
  if (instead) return { text: `With ${instead.form}` };
  if (!isUnderToPay(row) || status === 'UNCHANGED') return { text: '' };
  if (!file) return { text: 'Enter on the portal' };
  return { text: file.isDraft ? `Draft: ${file.name}` : file.name, href: `upload/${file.name}` };
};

/** Formats the payment deadline: `Thu, Nov 19, 2026, 5:00 PM ET`, `Fri, Nov 20, 2026, not verified`. */
export const payByText = (payBy: PayBy): string => {
  const { date, hour } = payBy;
  const moment = hour === undefined ? weekDay(date) : `${weekDay(date)}, ${hourWords(hour)}`;
  return `${moment}${verifiedWords(payBy)}`;
};

/** Formats the same beside a period, whose year is left out: `Thu, Nov 19, 5:00 PM ET`. */
export const shortPayByText = (payBy: PayBy, { last }: Pick<FilingPeriod, 'last'>): string =>
  payByText(payBy).replace(`, ${last.slice(0, 4)}`, '');

/** Returns the payment deadline: the state's cut-off if it has one, otherwise the due date. */
export const payMoment = ({ cutoff, due, isVerified }: DueDate): PayBy => ({
  date: cutoff?.date ?? due,
  hour: cutoff && { time: cutoff.time, zone: cutoff.zone },
  isVerified,
});

type ToPay = {
  readonly madeEarly: PeriodReport['madeEarly'] | undefined;
  readonly coverage: Coverage;
  readonly isRequired: boolean;
  readonly isUnchanged?: boolean;
};

export const payStatus = (
  { coverage, isRequired, isUnchanged, madeEarly }: ToPay,
  blockers: readonly ReadinessReason[],
): PayStatus => {
  if (coverage === 'several') return 'OTHER PERIOD';
  if (coverage === 'part') return 'NOT DUE';
  if (!isRequired) return 'NOT REQUIRED';
  if (blockers.length > 0) return 'NOT READY';
  if (isUnchanged) return 'UNCHANGED';
  return madeEarly === undefined ? 'READY' : 'PRELIMINARY';
};

const payRow = (
  report: PeriodReport,
  { uploads }: PeriodFiling,
  given: StateReturn,
  lines: readonly DecideLine[],
) => {
  const { filed, dueDate, coverage } = given;
  const { state, kind, name } = filed.figures;
  const blockers = reasonsOf(report.readiness, state);
  const key = returnKey(filed.figures);
  const upload = uploads.find((file) => file.state === key);
  const { madeEarly } = report;
  const isRequired = filed.instead === undefined;
  const status = payStatus({ coverage, isRequired, isUnchanged: isUnchanged(filed), madeEarly }, blockers);
  const instead = status === 'NOT REQUIRED' ? filed.instead : undefined;
  const toWatch = instead?.dueDate ?? dueDate;
  const waitsFor = [
    ...new Set(blockers.flatMap((reason) => linesOfReason(lines, reason).map(({ no }) => no))),
  ];
  return {
    state,
    /** The key of the return in the workbooks: the state, with the place or form if it has several returns. */
    key,
    filed,
    status,
    /** The return that includes the tax if the state does not require this one. */
    instead,
    name: usRegionName(state) ?? state,
    /** The payee, if the law data name it. */
    payee: filed.form.authority ?? (kind === 'place' ? name : ''),
    /** The name of the return within the state: `DR 0100`, `Denver Local return`. */
    form: `${kind === 'place' ? name : ''} ${filed.form.form}`.trimStart(),
    amount: amountToPay(filed),
    /** For a return that is not required, the date of the return that includes its tax. */
    payBy: payMoment(toWatch),
    due: toWatch.due,
    /** The file for the portal, if there is one, and whether a person must complete it or the period was not over. */
    file: upload && { ...upload, isDraft: upload.toComplete.length > 0 || madeEarly !== undefined },
    blockers,
    /** Numbers of the open lines of Decide. */
    waitsFor,
    /** Steps before the return can be filed. */
    steps: stepsOf(report, given, { blockers, waitsFor, upload }),
  };
};

type TimedReturn = Pick<PayRow, 'payBy' | 'status' | 'key'>;

/** Whether the closed period is that of a return, so that it is payable as soon as the period is over and nothing is open. */
export const isPayable = ({ status }: { readonly status: string }): boolean =>
  status === 'READY' || status === 'NOT READY' || status === 'PRELIMINARY';

/** Whether the amount of a return follows from the closed period. */
export const isAmountKnown = ({ status }: { readonly status: string }): boolean => status !== 'OTHER PERIOD';

/** Whether the amount of a return stands under To pay: that of one that is not required is paid with another return. */
export const isUnderToPay = ({ status }: Pick<PayRow, 'status'>): boolean =>
  isAmountKnown({ status }) && status !== 'NOT REQUIRED';

/** Orders returns the same everywhere: payable ones first, by day; within a day unready ones first, then by hour. */
export const byMoment = (left: TimedReturn, right: TimedReturn): number =>
  compareText(momentOf(left), momentOf(right));

const momentOf = ({ payBy, status, key }: TimedReturn): string =>
  [
    isPayable({ status }) ? 0 : 1,
    payBy.date,
    status === 'NOT READY' ? 0 : 1,
    payBy.hour?.time ?? '24:00',
    key,
  ].join(' ');
