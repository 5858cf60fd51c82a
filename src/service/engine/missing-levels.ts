import { LOCAL_LEVELS, type LocalLevel } from '../../contract/content-coverage.ts';
import { fileSource } from '../content/dated.ts';
import type { LocalRate, StateContent } from '../content/tax-content.ts';

/**
 * List the local levels at which a place may have a rate that the content lacks. `county+city-partial` has all counties
 * and some cities, and a level that is not named may be missing as well. The rates of a city are all that is levied in
 * it, except at a level that is missing in the whole state, as in `city-partial+special-missing`: that is so until an
 * imported file of the state, or another newer table, has the rates of the place.
 *
 * @param rows the general local rates of the place
 */
export const missingLevels = (
  { code, coverage, coverageSeen }: Pick<StateContent, 'code' | 'coverage' | 'coverageSeen'>,
  rows: readonly Pick<LocalRate, 'level' | 'seen' | 'source'>[],
): readonly LocalLevel[] => {
  if (coverage === 'complete' || coverage === 'none') return [];
  const words: ReadonlySet<string> = new Set(coverage.split('+'));
  const known = new Set(rows.map(({ level }) => level));
  const isNewer = rows.every(({ seen, source }) => source === fileSource(code) || seen > coverageSeen);
  return LOCAL_LEVELS.filter((level) => {
    if (known.has(level) || words.has(level)) return false;
    return !known.has('city') || (words.has(`${level}-missing`) && !isNewer);
  });
};
