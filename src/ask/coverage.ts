import type { PeriodReport } from '../figures/period-report.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownNumber } from '../kernel/text.ts';
import type { ClosePorts } from '../periods/close-ports.ts';

/** The states of the registrations for which the tax content may lack local rates, known before anything is calculated. */
export type RateGaps = {
  /** Those whose local rates are not complete; empty if the service does not say. */
  readonly states: readonly string[];
  /** Those whose local rates are known for other days alone: `known until 2026-03-31`. */
  readonly outdated: readonly {
    readonly state: string;
    readonly span: string;
  }[];
};

/** Returns what the tax content may lack for a period. */
export const gapsOf = (
  { service: { coverage }, configuration }: ClosePorts,
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
    states.length > 0 && `local rates of ${states.join(', ')} are not complete`,
    texts.length > 0 && `local rates are known ${texts.join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ');
};

/** Returns where the rates of the registered states among these come from on the last day of the period. */
export const rateSourcesOf = (
  { service, configuration }: ClosePorts,
  { last }: FilingPeriod,
  states: PeriodReport['states'],
): PeriodReport['rateSources'] =>
  states
    .filter(({ state }) => configuration.registrations.some((each) => each.state === state))
    .flatMap(({ state }) => {
      const known = service.coverage?.sourcesOf(state, last);
      if (!known) return [];
      const [first = '', ...others] = known.titles;
      const more = others.length === 0 ? '' : ` and ${shownNumber(others.length, 'other source')}`;
      return [{ state, source: `${first}${more}`, until: known.until }];
    });

/**
 * Return registrations with the bodies whose rates, used in the period, rest on secondary sources, with what is in doubt of
 * the law, and whether the seller has a place of business in the state.
 */
export const withPlaces = (
  registrations: readonly FilingRegistration[],
  { jurisdictions, period }: Pick<PeriodReport, 'jurisdictions' | 'period'>,
  { service, configuration }: ClosePorts,
): readonly FilingRegistration[] => {
  const { shipFrom, channels, categories, buyerUse } = configuration;
  const codes = [...new Set(categories.map(({ code }) => code))].sort();
  const places = [shipFrom, ...channels.flatMap(({ locations }) => Object.values(locations))];
  return registrations.map((registration) => {
    const { state } = registration;
    const taxes = jurisdictions.filter((each) => each.state === state);
    const secondary = service.coverage?.secondaryAmong(state, period.last, taxes);
    const doubts = service.coverage?.doubtsOf(state, period, codes, buyerUse) ?? [];
    const isThere = places.some((place) => place.state === state);
    return {
      ...registration,
      ...(secondary && { secondary }),
      ...(doubts.length > 0 && { doubts }),
      ...(isThere && { isThere }),
    };
  });
};
