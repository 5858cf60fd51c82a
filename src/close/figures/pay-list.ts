import { type CalendarDate, calendarDate } from '../../kernel/calendar.ts';
import { add, type Money, sum, ZERO } from '../../kernel/money.ts';
import { shownChange, shownMoney, shownNumber } from '../../kernel/shown-figures.ts';
import { usRegionName } from '../../kernel/us-regions.ts';
import { VERDICTS } from '../decisions/verdict.ts';
import type { DueDate } from '../filing/calendar/due-date-of.ts';
import type { LongerReturn } from '../filing/return/return-of.ts';
import { amountDue, type TaxReturn } from '../filing/return/tax-return.ts';
import { returnKey } from '../filing/state-figures.ts';
import { type DecideLine, linesOfReason } from '../reconcile/decide-lines.ts';
import { type ReadinessReason, reasonsOf } from '../reconcile/readiness.ts';
import { fullDay, hourWords, weekDay } from './day-words.ts';
import { changeOf, dueWithout, isChangeOpen, unprovedIn } from './pay-change.ts';
import { blockerTexts, todoOf } from './pay-todo.ts';
import type { Coverage, PeriodFiling, StateReturn } from './period-filing.ts';
import { linesToDecide, type PeriodReport } from './period-report.ts';

/**
 * READY: nothing waits for a decision, though the defaults of Decide may be changed. NOT READY: something that waits for one could change the amount. NOT DUE: the period of the
 * return is not over. NOT REQUIRED: the state wants no return of this month, or of so little tax.
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
  /** To whom it is paid, where the law data have it. */
  readonly payee: string;
  readonly filed: TaxReturn;
  readonly status: PayStatus;
  readonly amount: Money;
  /** What decisions, and certificates that do not come, could add to the amount; less what was charged too much. */
  readonly change: Money;
  /** Whether something could change it of which the tax is not known. */
  readonly isChangeOpen: boolean;
  /** Of one that is not required: when the return that takes its tax is due. */
  readonly payBy: PayBy;
  readonly due: CalendarDate;
  /** Where the state wants no such return: the one that takes its tax. */
  readonly instead: LongerReturn | undefined;
  /** The file for the portal, where there is one, and whether a person must complete it. */
  readonly file: { readonly name: string; readonly isDraft: boolean } | undefined;
  readonly blockers: readonly ReadinessReason[];
  /** Exemptions of the return that a decision lets stand without a certificate. */
  readonly unproved: readonly DecideLine[];
  /** What the return would ask for on top if no certificate comes. */
  readonly unprovedDue: Money;
  /** Numbers of the lines of Decide that stand in the way. */
  readonly waitsFor: readonly string[];
  /** What to do before the return is filed, a few sentences at most. */
  readonly todo: string;
};

/** Tax that was collected where no return is filed. */
export type UnreturnedRow = {
  readonly state: string;
  readonly amount: Money;
  /** Whether it was decided to pay it over. */
  readonly isRemitted: boolean;
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
  /** Exemptions that a decision lets stand without a certificate. */
  readonly unproved: readonly DecideLine[];
  /** What the returns would ask for on top if no certificate comes. */
  readonly unprovedDue: Money;
  /** Lines of Decide that hold as they are unless somebody decides otherwise. */
  readonly defaults: number;
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
  const rows = filing.returns.map((each) => payRow(report, filing, each, lines)).sort(byMoment);
  const decided = lines.filter(({ band }) => band === 'decided');
  const now = rows.filter(isPayable);
  return {
    now,
    later: rows.filter((row) => !isPayable(row)),
    unreturned: unreturnedRows(report),
    leftOut: decided.filter(({ exceptions }) => exceptions.some(({ held }) => held !== undefined)),
    unproved: unprovedIn(report, lines),
    unprovedDue: sum(rows.map((row) => row.unprovedDue)),
    defaults: lines.filter(({ byDefault }) => byDefault !== undefined).length,
    total: sum(now.map(({ amount }) => amount).filter((amount) => amount > 0)),
  };
};

/** What decisions keep off the returns: tax without certificate, tax to remit without a return, and records left out. */
const keptOff = ({ unprovedDue, unreturned: rows, leftOut }: PayList): readonly string[] => [
  ...(unprovedDue === ZERO ? [] : [`$${shownMoney(unprovedDue)} of tax without certificate`]),
  ...(remittedOf(rows) === ZERO ? [] : [`$${shownMoney(remittedOf(rows))} to remit on no return`]),
  ...(leftOut.length === 0
    ? []
    : [`${shownNumber(recordsOf(leftOut), 'record')} left out by decision: ${leftOutTax(leftOut)}`]),
];

/** Whether decisions keep something off the returns. */
export const isQualified = (pay: PayList): boolean => keptOff(pay).length > 0;

/** Whether a decision that is still open could change one of the amounts. */
const isWaiting = ({ now }: PayList): boolean => now.some(({ status }) => status === 'NOT READY');

/** What can be said of the amounts, with what decisions keep off the returns. */
export const finalText = (pay: PayList): string => {
  const but = keptOff(pay);
  if (but.length === 0) return 'Every amount is final';
  return `${isWaiting(pay) ? 'Besides what waits:' : 'Final, but for'} ${but.join(', and ')}`;
};

/** The tax of records that were left out: `+51.43 and 1 unknown`. */
export const leftOutTax = (lines: PayList['leftOut']): string => {
  const unknown = recordsOf(lines.filter(({ isEffectKnown }) => !isEffectKnown));
  const known = shownChange(sum(lines.map(({ effect }) => effect)));
  return unknown === 0 ? known : `${known} and ${unknown} unknown`;
};

const recordsOf = (lines: PayList['leftOut']): number =>
  lines.reduce((count, { records }) => count + records.length, 0);

/** A file that a person must complete does not pass for one that can be sent. */
export const fileText = ({ name, isDraft }: NonNullable<PayRow['file']>): string =>
  isDraft ? `Draft: ${name}` : name;

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
  { returns, uploads }: PeriodFiling,
  given: StateReturn,
  lines: readonly DecideLine[],
): PayRow => {
  const { filed, dueDate, coverage } = given;
  const { state, kind, name } = filed.figures;
  const blockers = reasonsOf(report.readiness, state);
  const key = returnKey(filed.figures);
  const upload = uploads.find((file) => file.state === key);
  const status = payStatus({ coverage, isRequired: filed.instead === undefined }, blockers);
  const instead = status === 'NOT REQUIRED' ? filed.instead : undefined;
  const unproved = kind === 'state' ? unprovedIn(report, lines).filter(({ place }) => place === state) : [];
  const waiting = changeOf(report, state, blockers);
  const unprovedDue = dueWithout(unproved, filed, waiting);
  const toWatch = instead?.dueDate ?? dueDate;
  return {
    ...{ state, key, filed, status, instead },
    name: usRegionName(state) ?? state,
    payee: filed.form.authority ?? (kind === 'place' ? name : ''),
    form: `${kind === 'place' ? name : ''} ${filed.form.form}`.trimStart(),
    amount: amountDue(filed),
    change: add(waiting, unprovedDue),
    isChangeOpen: isChangeOpen(report, state, blockers),
    payBy: payMoment(toWatch),
    due: toWatch.due,
    file: upload && { name: upload.name, isDraft: upload.toComplete.length > 0 },
    ...{ blockers, unproved, unprovedDue },
    waitsFor: [...new Set(blockers.flatMap((reason) => linesOfReason(lines, reason).map(({ no }) => no)))],
    todo: todoOf(report, given, { returns, blockers, upload }),
  };
};

type TimedReturn = Pick<PayRow, 'payBy' | 'status' | 'key'>;

/** Whether the period of a return is over, and it is to be paid as soon as nothing stands in its way. */
export const isPayable = ({ status }: { readonly status: string }): boolean =>
  status === 'READY' || status === 'NOT READY';

/** What is payable before all else, by day, on one day what is not ready first, then by the hour: one order, wherever returns are listed. */
export const byMoment = (left: TimedReturn, right: TimedReturn): number => {
  const keys = [left, right].map(({ payBy, status, key }) =>
    [
      isPayable({ status }) ? 0 : 1,
      payBy.date,
      status === 'NOT READY' ? 0 : 1,
      payBy.hour?.time ?? '24:00',
      key,
    ].join(' '),
  );
  return (keys[0] ?? '') < (keys[1] ?? '') ? -1 : 1;
};

/** Whatever is of a state. */
type OfState = { readonly state: string };

/** States of which the period has no return. */
export const unreturned = (
  { states }: Pick<PeriodReport, 'states'>,
  returns: readonly OfState[],
): PeriodReport['states'] => states.filter(({ state }) => !returns.some((each) => each.state === state));

/** Those among them where tax was collected. */
export const collectedUnreturned = (
  report: PeriodReport,
  returns: readonly OfState[],
): PeriodReport['states'] => unreturned(report, returns).filter(({ collected }) => collected !== 0);

/** Tax that was collected where the period has no return, state by state. */
export const unreturnedRows = (report: PeriodReport): readonly UnreturnedRow[] =>
  collectedUnreturned(report, report.remittances).map(({ state, collected }) => {
    const blocker = reasonsOf(report.readiness, state).find((reason) => reason.state === state);
    const own = report.exceptions.filter((exception) => exception.state === state);
    const decision = own.find(({ accepted }) => accepted !== '')?.decision;
    const name = usRegionName(state) ?? state;
    const later = report.registrations.find((registration) => registration.state === state);
    const row = { state, amount: collected, isRemitted: !blocker && decision?.verdict === 'remit' };
    if (blocker) return { ...row, status: 'OPEN', todo: blockerTexts([blocker])[0] ?? '' };
    if (decision) {
      const then = row.isRemitted ? ` Pay it over to ${name}; no amount above has it.` : '';
      return {
        ...row,
        status: 'DECIDED',
        todo: `${VERDICTS[decision.verdict]}: ${decision.why.replace(/\.$/, '')}.${then}`,
      };
    }
    const since = later ? ` before ${fullDay(calendarDate(later.since))}` : '';
    const todo = `No registration in ${name}${since}. Refund the customers, as Decide has it by default, or register and pay it over.`;
    return { ...row, status: 'NO RETURN', todo };
  });

/** What a decision has the seller pay over without a return. */
export const remittedOf = (rows: readonly UnreturnedRow[]): Money =>
  sum(rows.filter(({ isRemitted }) => isRemitted).map(({ amount }) => amount));
