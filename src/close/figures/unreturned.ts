import { calendarDate } from '../../kernel/calendar.ts';
import { type Money, sum, ZERO } from '../../kernel/money.ts';
import { usRegionName } from '../../kernel/us-regions.ts';
import { VERDICTS } from '../decisions/verdict.ts';
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

/** Lists tax collected in states without a return, state by state. */
export const unreturnedRows = (report: PeriodReport): readonly UnreturnedRow[] =>
  collectedUnreturned(report, report.remittances).map(({ state, collected }) => {
    const blocker = reasonsOf(report.readiness, state).find((reason) => reason.state === state);
    const own = report.exceptions.filter((exception) => exception.state === state);
    const decision = own.find(isAccepted)?.decision;
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
    if (collected < ZERO)
      return {
        ...row,
        status: 'NO RETURN',
        todo: `Given back to customers. If a return paid this tax to ${name}, claim it from the state: amend that return, or ask for a refund. If none did, nothing is left to do.`,
      };
    const since = later ? ` before ${fullDay(calendarDate(later.since))}` : '';
    const todo = `No registration in ${name}${since}. Refund the customers, as Decide has it by default, or register and pay it over.`;
    return { ...row, status: 'NO RETURN', todo };
  });

/** Sums the tax that decisions require the seller to remit without a return. */
export const remittedOf = (rows: readonly UnreturnedRow[]): Money =>
  sum(rows.filter(({ isRemitted }) => isRemitted).map(({ amount }) => amount));
