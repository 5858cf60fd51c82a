import { LOCAL_LEVELS, type LocalLevel } from '../../contract/tax-service.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { fileSource, isInForce } from '../content/dated.ts';
import type { TaxPlace } from '../content/place-lookup.ts';
import type { LocalRate, StateContent } from '../content/tax-content.ts';

type CoveredState = Pick<StateContent, 'code' | 'coverage' | 'coverageSeen' | 'unmappedRates'>;

/** The parts of a place that decide what its rates may lack. */
type CoveredPlace = Pick<TaxPlace, 'boundary'> & { readonly state: CoveredState };

type Row = Pick<LocalRate, 'level' | 'seen' | 'source'>;

/**
 * List the local levels at which a place may have a rate that the content lacks. `county+city-partial` has all counties
 * and some cities, and a level that is not named may be missing as well. The rates of a city are all that is levied in
 * it, except at a level that is missing in the whole state, as in `city-partial+special-missing`: that is so until an
 * imported file of the state, or another newer table, has the rates of the place. A newer rate whose area is not known
 * may be that of any place that no boundary file locates.
 *
 * @param rows the general local rates of the place
 */
export const missingLevels = (
  { state, boundary }: CoveredPlace,
  rows: readonly Row[],
  date: CalendarDate,
): readonly LocalLevel[] => {
  const { coverage } = state;
  const isCovered = !isPartial(state);
  const words: ReadonlySet<string> = new Set(coverage.split('+'));
  const known = new Set(rows.map(({ level }) => level));
  const unmapped = boundary ? new Set() : unmappedLevels(state, date);
  const isNewer = rows.every((row) => isNewerThanCoverage(state, row));
  return LOCAL_LEVELS.filter((level) => {
    if (known.has(level)) return false;
    if (unmapped.has(level)) return true;
    if (isCovered || words.has(level)) return false;
    return !known.has('city') || (words.has(`${level}-missing`) && !isNewer);
  });
};

/** Whether the local rates of a state are known in part only. */
const isPartial = ({ coverage }: Pick<StateContent, 'coverage'>): boolean =>
  coverage !== 'complete' && coverage !== 'none';

/** Whether a state has local rates that some of its places may lack. */
export const isIncomplete = (state: CoveredState, hasBoundaries: boolean): boolean =>
  isPartial(state) || (!hasBoundaries && newerUnmapped(state).length > 0);

/** Return what may be missing in a state, in words. */
export const coverageInWords = (state: Pick<StateContent, 'coverage' | 'coverageNote'>): string =>
  isPartial(state)
    ? `${state.coverage}: ${state.coverageNote}`
    : 'where some imported rates hold is not known, and no boundary file has the address';

const unmappedLevels = (state: CoveredState, date: CalendarDate): ReadonlySet<LocalLevel> =>
  new Set(
    newerUnmapped(state)
      .filter((row) => isInForce(row, date))
      .map(({ level }) => level),
  );

/** List the rates that are newer than what is said of the coverage, and whose area is not known. */
const newerUnmapped = (state: CoveredState): readonly LocalRate[] =>
  state.unmappedRates.filter((row) => row.rate > 0 && isNewerThanCoverage(state, row));

/** Whether a row was seen after the coverage of its state was described. */
const isNewerThanCoverage = (
  { code, coverageSeen }: CoveredState,
  { seen, source }: Pick<Row, 'seen' | 'source'>,
): boolean => source === fileSource(code) || seen > coverageSeen;
