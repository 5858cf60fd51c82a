import { formatMoney } from '../../kernel/money.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { reasonsOf } from '../reconcile/readiness.ts';

/**
 * Notes for the upload file of a return that is not ready, of a period that is not over, or that is ready only because
 * gaps were accepted.
 */
export const uploadNotes = (
  { readiness, madeEarly }: Pick<PeriodReport, 'readiness' | 'madeEarly'>,
  state: string,
): readonly string[] => {
  const reasons = reasonsOf(readiness, state);
  if (reasons.length > 0) {
    const whats = reasons.map(({ what }) => what.replace(/\.$/, ''));
    return [`NOT READY: ${whats.join('; ')}. Do not send this file yet.`];
  }
  const own = readiness.accepted.filter((gap) => gap.state === state);
  return [
    ...(madeEarly === undefined ? [] : ['PRELIMINARY: the period is not over. Do not send this file.']),
    ...own.map(({ what, effect, why }) => `Accepted (${formatMoney(effect)}): ${what} ${why}`),
  ];
};
