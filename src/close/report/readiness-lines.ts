import { formatMoney } from '../../kernel/money.ts';
import { type Readiness, reasonsOf } from '../reconcile/readiness.ts';

/** Notes for the upload file of a return that is not ready, or that is ready only because gaps were accepted. */
export const uploadNotes = (readiness: Readiness, state: string): readonly string[] => {
  const reasons = reasonsOf(readiness, state);
  if (reasons.length > 0) {
    const whats = reasons.map(({ what }) => what.replace(/\.$/, ''));
    return [`NOT READY: ${whats.join('; ')}. Do not send this file yet.`];
  }
  const own = readiness.accepted.filter((gap) => gap.state === state);
  return own.map(({ what, effect, why }) => `Accepted (${formatMoney(effect)}): ${what} ${why}`);
};
