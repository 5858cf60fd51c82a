import { useTaxNote } from '../filing/return-notes.ts';
import {
  amountOf,
  amountToPay,
  filedBefore,
  isUnchanged,
  type LongerReturn,
  lateOf,
  linesToCheck,
  type TaxReturn,
} from '../filing/tax-return.ts';
import type { UploadFile } from '../filing/upload-files.ts';
import { signedWhy, VERDICTS } from '../judge/decision.ts';
import { isAccepted } from '../judge/finding.ts';
import { type ReadinessReason, reasonsOf } from '../judge/readiness.ts';
import { calendarDate } from '../kernel/calendar.ts';
import { type Money, negate, subtract, ZERO } from '../kernel/money.ts';
import { isAmendmentLabel } from '../kernel/period.ts';
import { shownMoney, shownNumber, textsIn } from '../kernel/text.ts';
import { usRegionName } from '../kernel/us-regions.ts';
import { fullDay, longDay, periodName, verifiedWords } from './day-words.ts';
import type { StateReturn } from './period-filing.ts';
import type { PeriodReport } from './period-report.ts';

type Around = {
  readonly blockers: readonly ReadinessReason[];
  /** Numbers of the open lines of Decide. */
  readonly waitsFor: readonly string[];
  readonly upload: UploadFile | undefined;
};

/**
 * Lists what to do before a return is filed, or why there is nothing to do: first what keeps the amount open, then work
 * on the file, then what to check on the form.
 */
export const stepsOf = (report: PeriodReport, given: StateReturn, around: Around): readonly string[] => {
  if (given.coverage === 'several') return [otherPeriodText(given)];
  if (given.coverage === 'part') return [laterText(report, given)];
  const { form, lines, instead } = given.filed;
  return instead && form.required
    ? [`Not required. ${insteadText(instead, amountOf(lines, 'tax'))}. ${closeText(instead, given.filed)}`]
    : openSteps(report, given, around);
};

/** Names the close from which a return of another period is filed; around an amended version that may be locked. */
const closeText = ({ dueDate }: Pick<LongerReturn, 'dueDate'>, { figures }: TaxReturn): string =>
  `\`tieout close ${dueDate.period.label}\` makes it${isAmendmentLabel(figures.period.label) ? ' (--amend if locked)' : ''}.`;

/** Names the return that includes the tax: `Its tax of 113.32 goes on ST-50 of 2026-Q4, due Jan 20, 2027`. */
const insteadText = ({ form, dueDate }: LongerReturn, tax: Money): string =>
  `Its tax of ${shownMoney(tax)} goes on ${form} of ${dueDate.period.label}, due ${fullDay(dueDate.due)}${verifiedWords(dueDate)}`;

const laterText = ({ period }: PeriodReport, { filed, dueDate }: StateReturn): string =>
  `Of ${dueDate.period.label}, so far ${periodName(period.label)} alone. ${closeText({ dueDate }, filed)}`;

const otherPeriodText = ({ dueDate, filed }: StateReturn): string =>
  `This return is of ${dueDate.period.label}. ${closeText({ dueDate }, filed)} Close each later period, too.`;

const openSteps = (
  report: PeriodReport,
  { filed }: StateReturn,
  { blockers, waitsFor, upload }: Around,
): readonly string[] => {
  const before = filedBefore(filed);
  if (isUnchanged(filed) && blockers.length === 0)
    return [`Nothing to file: no line differs from the return of ${before?.version}.`];
  const blocked = blockerText(blockers, waitsFor);
  if (report.madeEarly !== undefined)
    return textsIn([`Close it again after ${longDay(report.period.last)}.`, blocked]);
  const { ownTax } = filed.form;
  const { toComplete = [] } = upload ?? {};
  const amount = amountToPay(filed);
  const kept = subtract(filed.discount.claimed, before?.discount ?? ZERO);
  const late = lateOf(filed.values);
  const unchecked = linesToCheck(filed).length;
  return textsIn([
    before &&
      `It amends the return of ${before.version} (${shownMoney(before.due)} due); the difference alone is paid. File it as the state wants amended returns.`,
    blocked,
    // A credit, or the difference to the return before it, reaches a later return.
    amount < ZERO &&
      `It ends in a credit of ${shownMoney(negate(amount))}: claim it as the state says, and state what a later return may use as \`added\` under \`credits\` of that period.`,
    ...useTaxNote(filed),
    ownTax !== undefined && `${ownTax} is not computed here: add it.`,
    toComplete.length > 0 && `Complete the file: ${toComplete.join('; ')}.`,
    kept > ZERO && `Discount if on time: ${shownMoney(kept)}.`,
    kept <= ZERO && late > ZERO && `With penalty and interest of ${shownMoney(late)}.`,
    unchecked > 0 && `Check ${shownNumber(unchecked, 'line')} against the form.`,
  ]);
};

/** Describes the most important reason, with its line of Decide, and gives the number of further ones. */
const blockerText = (
  [first, ...others]: readonly ReadinessReason[],
  [line = '']: readonly string[] = [],
): string | undefined =>
  first &&
  `${line === '' ? 'Settle' : `Decide ${line}`}: ${firstSentence(first.what)}${others.length === 0 ? '' : ` ${others.length} more in Decide or Checks.`}`;

/** Returns the first sentence of a text, without what follows a semicolon. */
export const firstSentence = (text: string): string => {
  const [sentence = ''] = text.split(/(?<=[.!?]) (?=[A-Z])|; /);
  return `${sentence.replace(/[.:;]$/, '')}.`;
};

/** Tax collected in a state without a return; negative where refunds gave it back. */
export type UnreturnedRow = {
  readonly state: string;
  readonly amount: Money;
  /** Whether the decision was to remit it. */
  readonly isRemitted: boolean;
  readonly status: 'OPEN' | 'DECIDED' | 'NO RETURN';
  readonly todo: string;
};

/**
 * Lists tax collected in states without a return, state by state. What was given back for earlier sales has a row of its
 * own, because it takes nothing from what customers of this period are owed.
 */
export const unreturnedRows = (report: PeriodReport): readonly UnreturnedRow[] =>
  report.states
    .filter(({ state }) => !report.remittances.some((each) => each.state === state))
    .flatMap(({ state, collected }) => {
      const earlier = report.earlierTax?.find((each) => each.state === state)?.tax ?? ZERO;
      const charged = subtract(collected, earlier);
      if (charged > ZERO && earlier < ZERO)
        return [rowOf(report, state, charged), rowOf(report, state, earlier, true)];
      return collected === ZERO ? [] : [rowOf(report, state, collected)];
    });

/** @param isApart whether it stands beside what was charged, which decisions are about */
const rowOf = (report: PeriodReport, state: string, amount: Money, isApart = false): UnreturnedRow => {
  const blocker = isApart
    ? undefined
    : reasonsOf(report.readiness, state).find((reason) => reason.state === state);
  const decided = isApart ? [] : report.exceptions.filter((each) => each.state === state && isAccepted(each));
  const { decision } = decided.find(({ effect }) => effect > ZERO === amount > ZERO) ?? decided[0] ?? {};
  const later = report.registrations.find((registration) => registration.state === state);
  const row = { state, amount, isRemitted: !blocker && decision?.verdict === 'remit' };
  const since = later ? ` before ${fullDay(calendarDate(later.since))}` : '';
  const missing = `No registration in ${nameOf(state)}${since}. `;
  if (blocker)
    return {
      ...row,
      status: 'OPEN',
      todo: `${blocker.code === 'R10' ? missing : ''}${blockerText([blocker])}`,
    };
  if (decision) {
    const then = row.isRemitted ? ` Pay it over to ${nameOf(state)}; no amount above has it.` : '';
    return {
      ...row,
      status: 'DECIDED',
      todo: `${VERDICTS[decision.verdict]}: ${signedWhy(decision).replace(/\.$/, '')}.${then}`,
    };
  }
  if (amount < ZERO) return { ...row, status: 'NO RETURN', todo: givenBackTodo(state) };
  const todo = `${missing}Refund the customers, or register and pay it over.`;
  return { ...row, status: 'NO RETURN', todo };
};

const givenBackTodo = (state: string): string =>
  `Given back to customers, or reversed by a correction. If a return paid this tax to ${nameOf(state)}, claim it from the state: amend that return, or ask for a refund. If none did, nothing is left to do.`;

const nameOf = (state: string): string => usRegionName(state) ?? state;
