import { type CalendarDate, daysFrom, parseDate } from '../kernel/calendar.ts';
import { formatRate } from '../kernel/money.ts';
import { knownUntil } from './local-rates.ts';
import { inForce, isInForce, type StateContent, type TaxContent } from './tax-content.ts';

export type ContentStatus = ReturnType<typeof contentStatus>;

/** Report what a content covers on a day, state by state; by default on the day of the content itself. */
export const contentStatus = (content: TaxContent, on: CalendarDate = content.date) => ({
  name: content.name,
  version: content.version,
  date: content.date,
  /** The sources whose licence asks to be named. */
  credits: [...content.sources.values()].filter((title) => title.includes('CC-BY')),
  states: [...content.states.values()].map((state) => stateStatus(state, on)),
});

const stateStatus = (state: StateContent, on: CalendarDate) => {
  const own = inForce(state.rates, on);
  const local = state.localRates.filter((row) => isInForce(row, on));
  const confidence: Record<string, number> = {};
  for (const row of own ? [own, ...local] : local) {
    confidence[row.confidence] = (confidence[row.confidence] ?? 0) + 1;
  }
  const ratesUntil = knownUntil(state, local);
  const coveredUntil = ratesUntil === state.coveredUntil ? ratesUntil : '';
  const seenOn = parseDate(ratesUntil);
  const isPast = coveredUntil === '' ? daysFrom(seenOn ?? on, on) > QUARTER_DAYS : on > coveredUntil;
  return {
    state: state.code,
    /** `complete`, `none`, or a word for the covered part. */
    coverage: state.coverage,
    /** The rate of the state on the day. */
    stateRate: own ? formatRate(own.rate) : '',
    /** Local rates in force on the day. */
    localRates: local.length,
    /** Numbers of rates in force, by word of confidence. */
    confidence,
    /** The first and the last day that the sources of the local rates cover; empty when they do not state it. */
    coveredSince: state.coveredSince,
    coveredUntil,
    /** The last day for which the local rates are known to be right; empty if the state has none. */
    ratesUntil,
    /** Whether the day is later than that, so that rates may have changed since. */
    isStale: isPast,
  };
};

/** Rates change once a quarter at most: one that was seen within a quarter counts as current. */
const QUARTER_DAYS = 92;
