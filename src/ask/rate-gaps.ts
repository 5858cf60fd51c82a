import type { FilingPeriod } from '../kernel/period.ts';
import type { ClosePorts } from '../periods/close-ports.ts';

/** The states of the registrations for which the tax content may lack local rates, known before anything is calculated. */
export type RateGaps = {
  /** Those whose local rates are not complete; empty if the service does not say. */
  readonly states: readonly string[];
  /** Those whose local rates are known for other days alone: `known until 2026-03-31`. */
  readonly outdated: readonly { readonly state: string; readonly span: string }[];
};

/** Returns what the tax content may lack for a period. */
export const gapsOf = (
  { service: { coverage }, configuration }: Pick<ClosePorts, 'configuration' | 'service'>,
  { first, last }: FilingPeriod,
): RateGaps => {
  const states = configuration.registrations.map(({ state }) => state).sort();
  return {
    states: states.filter((state) => coverage?.isIncomplete(state) === true),
    outdated: states.flatMap((state) => {
      const span = coverage?.spanOf(state, first) ?? coverage?.spanOf(state, last);
      return span === undefined ? [] : [{ state, span }];
    }),
  };
};

export const gapsText = ({ states, outdated }: RateGaps): string => {
  const spans = [...Map.groupBy(outdated, ({ span }) => span.replace(/^known /, ''))].sort(
    ([one], [other]) => (one < other ? -1 : 1),
  );
  const texts = spans.map(([span, own]) => `${span} in ${own.map(({ state }) => state).join(', ')}`);
  return [
    ...(states.length === 0 ? [] : [`local rates of ${states.join(', ')} are not complete`]),
    ...(texts.length === 0 ? [] : [`local rates are known ${texts.join(', ')}`]),
  ].join('; ');
};
