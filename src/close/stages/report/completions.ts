import { add, sum, ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { Configuration } from '../../configuration/schema.ts';
import { settledBy } from '../../figures/remittance.ts';
import type { Completion, FilingRegistration, SettledReturn } from '../../filing/registration.ts';
import { completingIn, lastReturnOf } from '../../periods/shorter-returns.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import type { Workspace } from '../../workspace/workspace.ts';

type Registration = Configuration['registrations'][number];

/** The returns of a period that complete returns of shorter ones, by state. */
export type Completions = ReadonlyMap<string, Completion>;

/** Returns what the returns of a period complete: what each shorter return settled, in its last version. */
export const completionsOf = async (
  workspace: Workspace,
  period: FilingPeriod,
  registrations: readonly Registration[],
): Promise<Completions> => {
  const completions = new Map<string, Completion>();
  for (const registration of registrations) {
    const { state } = registration;
    const completing = completingIn(registration, period);
    if (!completing) continue;
    const returns: SettledReturn[] = [];
    const notKnown: string[] = [];
    for (const shorter of completing.shorter) {
      const filed = await lastReturnOf(workspace, shorter.label, state);
      if (filed === undefined) notKnown.push(shorter.label);
      else if (filed.isRequired) returns.push({ period: shorter.label, ...settledBy(filed) });
    }
    const { form, frequency } = completing.longer;
    completions.set(state, { form, frequency, shorter: registration.frequency, returns, notKnown });
  }
  return completions;
};

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
