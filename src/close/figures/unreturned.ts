import { calendarDate } from '../../kernel/calendar.ts';
import { type Money, subtract, sum, ZERO } from '../../kernel/money.ts';
import { usRegionName } from '../../kernel/us-regions.ts';
import { VERDICTS } from '../decisions/decision.ts';
import { isAccepted } from '../reconcile/exceptions.ts';
import { reasonsOf } from '../reconcile/readiness.ts';
import { fullDay } from './day-words.ts';
import { blockerTexts } from './pay-todo.ts';
import type { ClosedReport, PeriodReport } from './period-report.ts';

/** Tax collected in a state without a return; negative where refunds gave it back. */
export type UnreturnedRow = {
  readonly state: string;
  readonly amount: Money;
  /** Whether the decision was to remit it. */
  readonly isRemitted: boolean;
  readonly status: 'OPEN' | 'DECIDED' | 'NO RETURN';
  readonly todo: string;
};

/** Anything that belongs to a state. */
type OfState = { readonly state: string };

/** Returns the states without a return in the period. */
export const unreturned = (
  { states }: Pick<ClosedReport, 'states'>,
  returns: readonly OfState[],
): ClosedReport['states'] => states.filter(({ state }) => !returns.some((each) => each.state === state));

/** Returns those of them with collected tax. */
export const collectedUnreturned = (
  report: ClosedReport,
  returns: readonly OfState[],
): ClosedReport['states'] => unreturned(report, returns).filter(({ collected }) => collected !== 0);

/**
 * Lists tax collected in states without a return, state by state. What was given back for earlier sales has a row of its
 * own, because it takes nothing from what customers of this period are owed.
 */
export const unreturnedRows = (report: PeriodReport): readonly UnreturnedRow[] =>
  unreturned(report, report.remittances).flatMap((totals) => partsOf(report, totals));

const partsOf = (
  report: PeriodReport,
  { state, collected }: ClosedReport['states'][number],
): readonly UnreturnedRow[] => {
  const earlier = report.earlierTax?.find((each) => each.state === state)?.amount ?? ZERO;
  const charged = subtract(collected, earlier);
  if (charged > ZERO && earlier < ZERO)
    return [
      rowOf(report, { state, amount: charged }),
      rowOf(report, { state, amount: earlier, isApart: true }),
    ];
  return collected === ZERO ? [] : [rowOf(report, { state, amount: collected })];
};

type Part = Pick<UnreturnedRow, 'state' | 'amount'> & {
  /** Whether it was given back for earlier sales, and stands beside what was charged: decisions are about the charges. */
  readonly isApart?: boolean;
};

const rowOf = (report: PeriodReport, { state, amount, isApart = false }: Part): UnreturnedRow => {
  const blocker = reasonsOf(report.readiness, state).find((reason) => reason.state === state);
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
      todo: `${blocker.code === 'R10' ? missing : ''}${blockerTexts([blocker])[0] ?? ''}`,
    };
  if (decision) {
    const then = row.isRemitted ? ` Pay it over to ${nameOf(state)}; no amount above has it.` : '';
    return {
      ...row,
      status: 'DECIDED',
      todo: `${VERDICTS[decision.verdict]}: ${decision.why.replace(/\.$/, '')}.${then}`,
    };
  }
  if (amount < ZERO) return { ...row, status: 'NO RETURN', todo: givenBackTodo(state) };
  const todo = `${missing}Refund the customers, as Decide has it by default, or register and pay it over.`;
  return { ...row, status: 'NO RETURN', todo };
};

const givenBackTodo = (state: string): string =>
  `Given back to customers, or reversed by a correction. If a return paid this tax to ${nameOf(state)}, claim it from the state: amend that return, or ask for a refund. If none did, nothing is left to do.`;

const nameOf = (state: string): string => usRegionName(state) ?? state;

/** Sums the tax that decisions require the seller to remit without a return. */
export const remittedOf = (rows: readonly UnreturnedRow[]): Money =>
  sum(rows.filter(({ isRemitted }) => isRemitted).map(({ amount }) => amount));
