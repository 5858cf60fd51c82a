import { parseDate } from '../../../kernel/calendar.ts';
import { parseRate } from '../../../kernel/money.ts';
import { ContentRefusedError } from '../content-folder.ts';
import { LOCAL_TAXES, RATE_SCOPES } from '../load-states.ts';
import { placeKey, placesNamed } from '../place-lookup.ts';
import { isOfficial, OPEN_END, type TaxContent } from '../tax-content.ts';
import { dayBefore, type OfficialFile } from './official-file.ts';
import {
  beginOf,
  COLUMNS,
  codeKey,
  endOf,
  isOfState,
  LOCAL_RATES,
  leftOf,
  type ParsedFile,
  sharesArea,
  type TextRow,
} from './parsed-file.ts';

/** Columns that a neutral file must have; the other columns of the table of local rates are optional. */
const NEEDED = ['state', 'level', 'name', 'rate', 'from', 'source', 'confidence'] as const;

export const isNeutral = (rows: readonly (readonly string[])[]): boolean => {
  const header = new Set(rows[0]);
  return NEEDED.every((column) => header.has(column));
};

/**
 * Read the neutral layout: a CSV with the columns of the table of local rates. A row replaces the same tax on its days and
 * in its area, and ends before a later row of the content where it has no end of its own.
 */
export const parseNeutral = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
  existing: readonly TextRow[],
): ParsedFile => {
  const given = rowsOf(file, rows, content);
  checkOverlaps(file, given);
  const known = Map.groupBy(existing, taxKey);
  const warnings: string[] = [];
  const ended = given.map((row) => endedBeforeNext(row, known.get(taxKey(row)) ?? [], warnings));
  checkNames(file, ended, existing);
  const values = ended.flatMap((row) => besideOfficial(row, known.get(taxKey(row)) ?? [], warnings));
  const byTax = Map.groupBy(values, taxKey);
  return {
    kind: 'neutral',
    state: [...new Set(values.map((row) => row['state'] ?? ''))].sort().join(' '),
    period: undefined,
    rows: values.length,
    stateRates: values.filter(isOfState),
    localRates: values.filter((row) => !isOfState(row)),
    replaces: (row) =>
      (byTax.get(taxKey(row)) ?? []).map((by) => ({
        from: beginOf(by),
        to: endOf(by),
        ...(!isOfState(by) && { by }),
      })),
    warnings,
  };
};

const rowsOf = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
): readonly TextRow[] => {
  const header = rows[0] ?? [];
  const unknown = header.find((column) => !ALL_COLUMNS.includes(column));
  if (unknown !== undefined) throw neutralRefusal(file.name, `the column ${unknown} is not known`);
  return rows.slice(1).map((fields, index) => {
    const place = `${file.name}: row ${index + 2}`;
    if (fields.length !== header.length) {
      throw neutralRefusal(place, `the line has ${fields.length} cells, the header ${header.length}`);
    }
    const cells = ALL_COLUMNS.map((name) => [name, fields[header.indexOf(name)] ?? '']);
    return checkedRow(Object.fromEntries(cells), place, content);
  });
};

/** What rows of one tax share. */
const taxKey = (row: TextRow): string => (isOfState(row) ? codeKey(row) : `${codeKey(row)} ${row['name']}`);

const isInSameArea = (row: TextRow, other: TextRow): boolean => isOfState(row) || sharesArea(row, other);

const isOnSameDays = (row: TextRow, other: TextRow): boolean =>
  beginOf(row) <= endOf(other) && beginOf(other) <= endOf(row);

/**
 * End a row without a last day before the content's next rate of its tax, which is newer. A row without any day speaks
 * for all days.
 */
const endedBeforeNext = (row: TextRow, known: readonly TextRow[], warnings: string[]): TextRow => {
  if (endOf(row) !== OPEN_END || beginOf(row) === '') return row;
  const [next] = known
    .filter((other) => isInSameArea(other, row) && beginOf(other) > beginOf(row))
    .map(beginOf)
    .sort();
  if (next === undefined) return row;
  const to = dayBefore(next);
  warnings.push(
    `${row['name']}: the content has a rate from ${next}, so the row from ${row['from']} was taken for the days up to ${to}.`,
  );
  return { ...row, to };
};

/**
 * Take from a row the days and places for which the content has an official rate of its tax, unless the row is official,
 * too. A difference is told.
 */
const besideOfficial = (row: TextRow, known: readonly TextRow[], warnings: string[]): readonly TextRow[] => {
  if (isOfficial(row)) return [row];
  const official = known.filter(
    (other) => isOfficial(other) && isOnSameDays(row, other) && isInSameArea(other, row),
  );
  for (const other of official)
    if (Number(other['rate']) !== Number(row['rate']))
      warnings.push(
        `${row['name']}: the official rate ${other['rate']} of ${other['source']} stays, and the ${row['confidence']} rate ${row['rate']} was left out there.`,
      );
  return official.reduce(
    (left: readonly TextRow[], other) =>
      left.flatMap((part) => leftOf(part, { from: beginOf(other), to: endOf(other), by: other })),
    [row],
  );
};

const checkOverlaps = (file: OfficialFile, rows: readonly TextRow[]): void => {
  for (const group of Map.groupBy(rows, taxKey).values()) {
    const sorted = group.toSorted((left, right) => (beginOf(left) < beginOf(right) ? -1 : 1));
    for (const [index, row] of sorted.entries()) {
      const next = sorted.slice(index + 1).find((other) => isInSameArea(row, other));
      if (next === undefined || beginOf(next) > endOf(row)) continue;
      throw neutralRefusal(
        file.name,
        row['to'] === ''
          ? `${row['name']}: the row from ${row['from']} has no end, and another begins on ${next['from']}`
          : `${row['name']}: rows from ${row['from']} and ${next['from']} overlap`,
      );
    }
  }
};

/**
 * Refuse a row with the code of a tax that holds there under another name, unless it replaces one of its own name: it
 * would be added to what may be the same tax.
 */
const checkNames = (file: OfficialFile, rows: readonly TextRow[], existing: readonly TextRow[]): void => {
  const known = Map.groupBy(existing, codeKey);
  for (const row of rows) {
    const here = (known.get(codeKey(row)) ?? []).filter(
      (other) => isOnSameDays(row, other) && isInSameArea(other, row),
    );
    const [other] = here;
    if (other === undefined || here.some((each) => taxKey(each) === taxKey(row))) continue;
    throw neutralRefusal(
      file.name,
      `${row['name']}: the content has ${row['level']} ${row['code']} there as ${other['name']}; write this name where the row replaces that rate, and a code of its own where it is another tax`,
    );
  }
};

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
