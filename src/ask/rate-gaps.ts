import { placeNameOf } from '../judge/rate-claim.ts';
import { add, formatMoney, type Money, negate, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { Sale } from '../sales/sale.ts';
import { gapAt, nothingDue } from './calculate.ts';

/** A place for which the tax content may lack a local rate, with the sales there. */
export type PlaceGap = {
  readonly state: string;
  readonly place: string;
  readonly sales: number;
  /** Goods and shipping, less what was refunded. */
  readonly amount: Money;
};

/** The gaps in the tax content, found before anything is calculated. */
export type RateGaps = {
  /** States of the registrations whose local rates are not complete. */
  readonly states: readonly string[];
  /** States of the registrations whose local rates are known for other days alone: `known until 2026-03-31`. */
  readonly outdated: readonly { readonly state: string; readonly span: string }[];
  /** Places of the period's sales, the largest amount first. */
  readonly places: readonly PlaceGap[];
};

/** The service with the tax content, and the registrations of the seller. */
type GapPorts = Pick<ClosePorts, 'configuration' | 'service'>;

const PLACES_SHOWN_MAX = 5;

/** Returns the states of the registrations whose local rates are not complete; empty if the service does not say. */
export const incompleteStates = ({ service, configuration }: GapPorts): readonly string[] =>
  configuration.registrations
    .map(({ state }) => state)
    .filter((state) => service.coverage?.isIncomplete(state) === true)
    .sort();

/** Returns the states of the registrations whose local rates are not known for a day of the period, by state. */
const outdatedStates = (
  { service, configuration }: GapPorts,
  { first, last }: FilingPeriod,
): RateGaps['outdated'] =>
  configuration.registrations
    .flatMap(({ state }) => {
      const span = service.coverage?.spanOf(state, first) ?? service.coverage?.spanOf(state, last);
      return span === undefined ? [] : [{ state, span }];
    })
    .sort((one, other) => (one.state < other.state ? -1 : 1));

export const gapsText = (gaps: RateGaps): string =>
  [...incompleteText(gaps), ...outdatedText(gaps)].join('; ');

const incompleteText = ({ states, places }: RateGaps): readonly string[] => {
  if (states.length === 0) return [];
  const head = `local rates of ${states.join(', ')} are not complete`;
  return places.length === 0
    ? [head, 'no sale of the period is affected']
    : [head, `one may be missing in ${placesText(places)}`];
};

const outdatedText = ({ outdated }: RateGaps): readonly string[] => {
  const spans = [...Map.groupBy(outdated, ({ span }) => span)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const texts = spans.map(
    ([span, states]) => `${span.replace(/^known /, '')} in ${states.map(({ state }) => state).join(', ')}`,
  );
  return texts.length === 0 ? [] : [`local rates are known ${texts.join(', ')}`];
};

/** Returns what the tax content may lack for a period, with the places that were counted. */
export const gapsOf = (
  ports: GapPorts,
  period: FilingPeriod,
  counted: Pick<ReturnType<typeof gapCounter>, 'places'>,
): RateGaps => ({
  states: incompleteStates(ports),
  outdated: outdatedStates(ports, period),
  places: counted.places(),
});

/** Counts sales by place, for places where the tax content may lack a local rate. */
export const gapCounter = (ports: GapPorts) => {
  const incomplete = new Set(incompleteStates(ports));
  const places = new Map<string, PlaceGap>();
  return {
    add: (sale: Sale): void => {
      const { state } = sale.shipTo;
      if (!incomplete.has(state) || nothingDue(ports, sale) !== undefined) return;
      // Rates of another day are a matter of the whole state.
      const gap = gapAt(ports, sale);
      if (!gap || gap.span !== undefined) return;
      const amount = sale.kind === 'refund' ? negate(sale.amount) : sale.amount;
      const name = placeNameOf(sale);
      const key = `${state} ${name.toUpperCase()}`;
      const { place, sales, amount: before } = places.get(key) ?? { place: name, sales: 0, amount: ZERO };
      places.set(key, { state, place, sales: sales + 1, amount: add(before, amount) });
    },
    /** Returns the places, largest amount first. */
    places: (): readonly PlaceGap[] =>
      [...places]
        .sort(([left, { amount: one }], [right, { amount: other }]) => other - one || (left < right ? -1 : 1))
        .map(([, place]) => place),
  };
};

/** Returns the first places with their sales, in one line. */
export const placesText = (places: readonly PlaceGap[]): string => {
  const shown = places
    .slice(0, PLACES_SHOWN_MAX)
    .map(
      ({ place, state, sales, amount }) =>
        `${place} ${state} (${sales} ${sales === 1 ? 'sale' : 'sales'}, ${formatMoney(amount)})`,
    );
  const more = places.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** Returns the same for scripts. */
export const gapFigures = ({ states, outdated, places }: RateGaps): object => ({
  states,
  outdated,
  places: places.map(({ amount, ...place }) => ({ ...place, amount: formatMoney(amount) })),
});
