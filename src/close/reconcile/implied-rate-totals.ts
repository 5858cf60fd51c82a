import type { CalendarDate } from '../../kernel/calendar.ts';
import { joined } from '../../kernel/join-sums.ts';
import { add, type Money, ZERO } from '../../kernel/money.ts';
import type { Rate } from '../../kernel/rate.ts';
import type { DetailRow } from './detail-row.ts';

/** Totals of the sales that agree on one rate. */
export type ImpliedRateTotals = {
  readonly state: string;
  readonly where: string;
  readonly rate: Rate;
  /** A gap of the tax content, or a rate of the seller that contradicts the content. */
  readonly verdict: 'gap' | 'seller’s rate';
  readonly sales: number;
  readonly places: number;
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  /** Variance due to the rate: the amounts of its reason. */
  readonly amount: Money;
  /** Number of sales expected to agree by chance, in hundredths. */
  readonly chance: number;
};

/** The totals of some rows as plain data, with the cities of the sales. */
export type KeptImpliedRates = readonly (readonly [string, ImpliedRateTotals, readonly string[]])[];

/** Collect the rates on which sales agree, row by row. */
export const impliedRateTotals = () => {
  const found = new Map<string, ImpliedRateTotals & { readonly cities: Set<string> }>();
  return {
    add: (row: DetailRow): void => {
      const { shared, state, businessDate: day } = row;
      if (shared?.by !== 'agreement' || shared.shop === null) return;
      const isGap = row.reasons.some(({ code }) => code === 'R27');
      const verdict = isGap ? 'gap' : 'seller’s rate';
      const { where, shop: rate, chance } = shared;
      const key = JSON.stringify([state, where.toUpperCase(), rate, verdict]);
      const before = found.get(key);
      const cities = (before?.cities ?? new Set()).add(row.city.toUpperCase() || row.zip.slice(0, 5));
      const amounts = row.reasons.filter(({ code }) => code === (isGap ? 'R27' : 'R02'));
      found.set(key, {
        state,
        where: before?.where ?? where,
        rate,
        verdict,
        sales: (before?.sales ?? 0) + 1,
        places: cities.size,
        first: before && before.first < day ? before.first : day,
        last: before && before.last > day ? before.last : day,
        amount: amounts.reduce((total, { amount }) => add(total, amount), before?.amount ?? ZERO),
        chance: Math.max(before?.chance ?? 0, chance),
        cities,
      });
    },
    kept: (): KeptImpliedRates =>
      [...found].map(([key, { cities, ...totals }]) => [key, totals, [...cities]]),
    join: (others: KeptImpliedRates): void => {
      for (const [key, totals, names] of others) {
        const known = found.get(key);
        const cities = new Set([...(known?.cities ?? []), ...names]);
        const both = known ? joined<ImpliedRateTotals>(known, totals, ['sales', 'amount']) : totals;
        found.set(key, {
          ...both,
          first: known && known.first < totals.first ? known.first : totals.first,
          last: known && known.last > totals.last ? known.last : totals.last,
          chance: Math.max(known?.chance ?? 0, totals.chance),
          places: cities.size,
          cities,
        });
      }
    },
    all: (): readonly ImpliedRateTotals[] =>
      [...found]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([, { cities, ...totals }]) => totals),
  };
};
