import { add, formatMoney, type Money, negate, ZERO } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { StageResult } from '../../runtime/pipeline.ts';
import { placeKeyOf, placeNameOf } from '../reconcile/open-variance.ts';
import { postedSalesOf } from '../workspace/sales-of.ts';
import type { Advanced, ClosePorts } from './close-ports.ts';
import { gapAt } from './content-gap.ts';
import { nothingDue } from './recompute/calculations.ts';

/** A place of which the tax content may lack a local rate, with what was sold there. */
export type PlaceGap = {
  readonly state: string;
  readonly place: string;
  readonly sales: number;
  /** Goods and shipping, less what was refunded. */
  readonly amount: Money;
};

/** What is missing in the tax content before anything is calculated. */
export type RateGaps = {
  /** States of the registrations whose local rates are not complete. */
  readonly states: readonly string[];
  /** Places of the period's sales, the largest amount first. */
  readonly places: readonly PlaceGap[];
};

const PLACES_SHOWN_MAX = 5;

/** The states of the registrations whose local rates are not complete; none where the service does not say. */
export const incompleteStates = ({ service, configuration }: ClosePorts): readonly string[] =>
  configuration.registrations
    .map(({ state }) => state)
    .filter((state) => service.coverage?.isIncomplete(state) === true)
    .sort();

/** Name the places of a period of which the tax content may lack a local rate. Nothing is asked. */
export const rateGaps = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<StageResult<RateGaps>> => {
  const states = incompleteStates(ports);
  const incomplete = new Set(states);
  const places = new Map<string, PlaceGap>();
  let done = 0;
  for await (const page of postedSalesOf(ports.workspace, period)) {
    for (const { sale } of page) {
      if (!incomplete.has(sale.shipTo.state) || nothingDue(ports, sale) !== undefined || !gapAt(ports, sale))
        continue;
      const key = placeKeyOf(sale);
      const found = places.get(key);
      places.set(key, {
        state: sale.shipTo.state,
        place: found?.place ?? placeNameOf(sale),
        sales: (found?.sales ?? 0) + 1,
        amount: add(found?.amount ?? ZERO, sale.kind === 'refund' ? negate(sale.amount) : sale.amount),
      });
    }
    done += page.length;
    advanced(done);
  }
  const sorted = [...places].sort(
    ([left, { amount: one }], [right, { amount: other }]) => other - one || (left < right ? -1 : 1),
  );
  const gaps = { states, places: sorted.map(([, place]) => place) };
  return { value: gaps, summary: summaryOf(gaps) };
};

const summaryOf = ({ states, places }: RateGaps): string => {
  const head = `local rates of ${states.join(', ')} are not complete`;
  if (places.length === 0) return `${head}; no sale of the period goes to a place that may lack one`;
  const shown = places
    .slice(0, PLACES_SHOWN_MAX)
    .map(
      ({ place, state, sales, amount }) =>
        `${place} ${state} (${sales} ${sales === 1 ? 'sale' : 'sales'}, ${formatMoney(amount)})`,
    );
  const more = places.length - shown.length;
  return `${head}; one may be missing in ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** The same for scripts. */
export const gapFigures = ({ states, places }: RateGaps): object => ({
  states,
  places: places.map(({ amount, ...place }) => ({ ...place, amount: formatMoney(amount) })),
});
