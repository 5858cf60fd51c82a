import type { DraftException } from '../close/reconcile/exceptions.ts';
import { ZERO } from '../kernel/money.ts';
import { type FilingPeriod, parsePeriod, versionBefore } from '../kernel/period.ts';

/** How many periods of each length are asked for what they left. */
const PERIODS_BEFORE = 12;

/** Returns these periods and those before them of the same lengths, the latest first. */
export const earlierThan = (from: readonly string[]): readonly string[] => {
  const periods = from.flatMap((label) => {
    const own: FilingPeriod[] = [];
    for (let at = parsePeriod(label); at && own.length < PERIODS_BEFORE; at = versionBefore(at)) own.push(at);
    return own;
  });
  return periods
    .toSorted((one, other) => (one.first === other.first ? 0 : one.first > other.first ? -1 : 1))
    .map(({ label }) => label);
};

export const balanceUnknown = (state: string, before: string, known: string): DraftException => ({
  severity: 'error',
  code: 'balance-unknown',
  origin: { file: '', line: 0, record: `US-${state}` },
  message: `the prepayments and credits of ${state} open with nothing, because ${before} was not closed, and ${known} has some of which the rest is not known`,
  state,
  effect: ZERO,
});
