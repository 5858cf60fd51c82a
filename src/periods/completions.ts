import type { Configuration } from '../close/configuration/schema.ts';
import type { Completion, FilingRegistration } from '../close/filing/registration.ts';
import type { DraftException } from '../close/reconcile/exceptions.ts';
import { add, sum, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';

type Registration = Configuration['registrations'][number];

/** The returns of a period that complete returns of shorter ones, by state. */
export type Completions = ReadonlyMap<string, Completion>;

/** Returns the registrations with what their returns complete; what was settled before is among the prepayments. */
export const withCompletions = (
  registrations: readonly FilingRegistration[],
  completions: Completions,
): readonly FilingRegistration[] =>
  registrations.map((registration) => {
    const completes = completions.get(registration.state);
    if (!completes) return registration;
    const own = registration.prepayments ?? { opening: ZERO, added: ZERO };
    const settled = sum(completes.returns.map((each) => each.settled));
    return { ...registration, completes, prepayments: { ...own, added: add(own.added, settled) } };
  });

/**
 * Returns an exception for each return that completes others of which it is not known what they settled, unless the
 * configuration states prepayments of the period.
 */
export const unknownReturns = (
  completions: Completions,
  registrations: readonly Registration[],
  { label }: FilingPeriod,
): readonly DraftException[] =>
  [...completions]
    .filter(([, { notKnown }]) => notKnown.length > 0)
    .filter(
      ([state]) =>
        !registrations.some(
          (row) => row.state === state && row.prepayments.some(({ period }) => period === label),
        ),
    )
    .map(([state, { form, notKnown }]) => ({
      severity: 'error',
      code: 'paid-before-unknown',
      origin: { file: '', line: 0, record: `US-${state}` },
      message: `${form} takes off what was paid for ${notKnown.join(', ')}, which ${notKnown.length === 1 ? 'was not closed here or is' : 'were not closed here or are'} NOT READY, so that its amount is not known`,
      state,
      effect: ZERO,
    }));
