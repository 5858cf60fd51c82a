import { parseDate } from '../../../kernel/calendar.ts';
import { parseRate } from '../../../kernel/money.ts';
import { ContentRefusedError } from '../content-error.ts';
import { LOCAL_TAXES, RATE_SCOPES } from '../load-states.ts';
import { placesNamed } from '../place-lookup.ts';
import { placeKey } from '../place-name.ts';
import type { TaxContent } from '../tax-content.ts';
import { COLUMNS, LOCAL_RATES, type TextRow } from './table-rows.ts';

/** All columns of a neutral file that are read. */
export const ALL_COLUMNS: readonly string[] = COLUMNS[LOCAL_RATES] ?? [];

const LEVELS: ReadonlySet<string> = new Set(['state', 'county', 'city', 'special']);
const SCOPES: ReadonlySet<string> = new Set(RATE_SCOPES);
const TAXES: ReadonlySet<string> = new Set(LOCAL_TAXES);
/** The words of confidence, as tables have them; `official` alone is for a page or a list of the authority. */
const CONFIDENCE: ReadonlyMap<string, string> = new Map([
  ['official', 'official-cited'],
  ...['official-file', 'official-cited', 'secondary', 'secondary-2', 'from-memory', 'weak', 'shop'].map(
    (word) => [word, word] as const,
  ),
]);
const RATE_MAX = 1_500_000;

/** Characters that a cell of a table cannot have: tabs, line ends and other control characters. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Return the refusal of a neutral file: the person who wrote it can mend it. */
export const neutralRefusal = (place: string, problem: string): ContentRefusedError =>
  new ContentRefusedError(
    place,
    problem,
    undefined,
    'Nothing was changed. Correct the file, and import it again; docs/content.md describes its columns.',
  );

/** Check a row of a neutral file, and write its cells as tables have them. @throws {ContentRefusedError} */
export const checkedRow = (row: TextRow, place: string, content: TaxContent): TextRow => {
  const refuse = (problem: string): never => {
    throw neutralRefusal(place, problem);
  };
  const cell = (name: string) => row[name] ?? '';
  const broken = ALL_COLUMNS.find((name) => CONTROL.test(cell(name)));
  if (broken !== undefined) refuse(`the cell ${broken} has a tab, a line end or another control character`);
  if (cell('rate') === '') refuse('the row has no rate');
  const value = parseRate(cell('rate'));
  if (value === undefined || value < 0 || value > RATE_MAX) refuse(`${cell('rate')} is not a rate`);
  if (!content.states.has(cell('state'))) refuse(`${cell('state')} is not a state of the content`);
  if (!LEVELS.has(cell('level'))) refuse(`${cell('level')} is not a level`);
  const confidence = CONFIDENCE.get(cell('confidence'));
  if (confidence === undefined) return refuse(`${cell('confidence')} is not a word of confidence`);
  if (cell('source') === '') refuse('the row names no source');
  for (const name of ['from', 'to', 'seen']) {
    if (cell(name) !== '' && parseDate(cell(name)) === undefined) refuse(`${cell(name)} is not a day`);
  }
  if (cell('to') !== '' && cell('to') < cell('from')) refuse('the row ends before it begins');
  const tax = cell('tax') || 'general';
  if (!TAXES.has(tax)) refuse(`${tax} is not a tax: it is ${LOCAL_TAXES.join(', ')}`);
  if (cell('level') === 'state') return { ...row, tax, confidence };
  const code = cell('code') || ownCode(cell('name'));
  return { ...row, code, tax, confidence, ...areaCells(cell, content, refuse) };
};

/**
 * A code for a row without one, which no official file has: the row adds to what the content has there, and replaces no
 * more than an earlier row of its own name.
 */
const ownCode = (name: string): string => `own-${placeKey(name).replace(/[^\p{L}\p{N}]+/gu, '-')}`;

/** Check where a row of a local rate holds. */
const areaCells = (
  cell: (name: string) => string,
  content: TaxContent,
  refuse: (problem: string) => never,
): TextRow => {
  const scope = cell('scope') || (cell('places') === '' ? 'county' : 'place');
  if (!SCOPES.has(scope)) refuse(`${scope} is not a scope`);
  const counties = cell('counties')
    .split(/[;\s]+/)
    .filter((code) => code !== '');
  const fips = content.stateFips.get(cell('state')) ?? '';
  const missing = counties.find((code) => !content.counties.has(`${fips}${code}`));
  if (missing !== undefined) refuse(`${missing} is not a county of ${cell('state')} (three-digit code)`);
  if (scope !== 'unmapped' && counties.length === 0) refuse('the row names no county');
  const named = (column: string): readonly string[] =>
    cell(column)
      .split(';')
      .filter((name) => name.trim() !== '')
      .map((name) => {
        const known = placesNamed(content, cell('state'), name);
        if (known.length === 0)
          return refuse(`${name.trim()} is not a place of ${cell('state')} (several are divided by ;)`);
        const here = known.find((each) => each.counties.some((county) => counties.includes(county)));
        return (
          here?.name ?? refuse(`${name.trim()} is not in the counties of the row, ${counties.join(' ')}`)
        );
      });
  const places = named('places');
  if (scope === 'place' && places.length === 0) refuse('the row names no place');
  return {
    scope,
    counties: counties.join(' '),
    places: places.join(';'),
    except_places: named('except_places').join(';'),
  };
};
