import { add, formatMoney, type Money, negate, ZERO } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { StageResult } from '../../runtime/pipeline.ts';
import { placeNameOf } from '../reconcile/open-variance.ts';
import type { Sale } from '../sales/sale.ts';
import { postedSalesOf } from '../workspace/sales-of.ts';
import { countedOnce } from '../workspace/stage-pages.ts';
import { sweepPages } from '../workspace/sweep-pages.ts';
import type { Advanced, ClosePorts } from './close-ports.ts';
import { gapAt } from './content-gap.ts';
import { unlessDone } from './done-before.ts';
import { pageInput } from './page-input.ts';
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

/** Whose tax content it is, and where the seller is registered. */
type GapPorts = Pick<ClosePorts, 'configuration' | 'service'>;

const PLACES_SHOWN_MAX = 5;

/** The states of the registrations whose local rates are not complete; none where the service does not say. */
export const incompleteStates = ({ service, configuration }: GapPorts): readonly string[] =>
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
  const pass = { name: 'coverage', period, stages: [], again: (gaps: RateGaps) => gaps } as const;
  const gaps = await unlessDone(ports, pass, async () => {
    const { workspace } = ports;
    const all = gapCounter(ports);
    for await (const page of postedSalesOf(workspace, period)) {
      const input = page.content && pageInput(ports, 'recompute', page.content);
      const found = await countedOnce(workspace, 'gaps', { slot: page.slot, input }, () => {
        const counter = gapCounter(ports);
        for (const { sale } of page.sales) counter.add(sale);
        return counter.places();
      });
      for (const gap of found) all.put(gap);
      advanced(0);
    }
    await sweepPages(workspace, 'gaps', period);
    return { states: incompleteStates(ports), places: all.places() };
  });
  const head = `local rates of ${gaps.states.join(', ')} are not complete`;
  const summary =
    gaps.places.length === 0
      ? `${head}; no sale of the period goes to a place that may lack one`
      : `${head}; one may be missing in ${placesText(gaps.places)}`;
  return { value: gaps, summary };
};

/** Sums up sales by the places of which the tax content may lack a local rate. */
export const gapCounter = (ports: GapPorts) => {
  const incomplete = new Set(incompleteStates(ports));
  const places = new Map<string, PlaceGap>();
  const put = ({ state, place, sales, amount }: PlaceGap): void => {
    const key = `${state} ${place.toUpperCase()}`;
    const found = places.get(key);
    places.set(key, {
      state,
      place: found?.place ?? place,
      sales: (found?.sales ?? 0) + sales,
      amount: add(found?.amount ?? ZERO, amount),
    });
  };
  return {
    add: (sale: Sale): void => {
      const { state } = sale.shipTo;
      if (!incomplete.has(state) || nothingDue(ports, sale) !== undefined || !gapAt(ports, sale)) return;
      const amount = sale.kind === 'refund' ? negate(sale.amount) : sale.amount;
      put({ state, place: placeNameOf(sale), sales: 1, amount });
    },
    /** What was summed up of other sales. */
    put,
    /** The largest amount first. */
    places: (): readonly PlaceGap[] =>
      [...places]
        .sort(([left, { amount: one }], [right, { amount: other }]) => other - one || (left < right ? -1 : 1))
        .map(([, place]) => place),
  };
};

/** The first places with what was sold there, in one line. */
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

/** The same for scripts. */
export const gapFigures = ({ states, places }: RateGaps): object => ({
  states,
  places: places.map(({ amount, ...place }) => ({ ...place, amount: formatMoney(amount) })),
});
