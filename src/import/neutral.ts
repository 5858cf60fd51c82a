import { ContentRefusedError, OPEN_END } from '../content/content-folder.ts';
import { placesNamed } from '../content/place-lookup.ts';
import { placeKey } from '../content/region-names.ts';
import { isOfficial, LOCAL_TAXES, RATE_SCOPES, type TaxContent } from '../content/tax-content.ts';
import { parseDate } from '../kernel/calendar.ts';
import { parseRate } from '../kernel/money.ts';
import type { OfficialFile, Rows } from './official-file.ts';
import {
  beginOf,
  COLUMNS,
  codeKey,
  endOf,
  isOfState,
  isSameArea,
  LOCAL_RATES,
  type ParsedFile,
  sharesArea,
  type TextRow,
} from './parsed-file.ts';

/** Columns that a neutral file must have; the other columns of the table of local rates are optional. */
const NEEDED = ['state', 'level', 'name', 'rate', 'from', 'source', 'confidence'] as const;

export const isNeutral = (rows: Rows): boolean => {
  const header = new Set(rows[0]);
  return NEEDED.every((column) => header.has(column));
};

/**
 * Read the neutral layout: a CSV with the columns of the table of local rates. A row replaces the same tax in the same
 * area on its days.
 */
export const parseNeutral = (
  file: OfficialFile,
  rows: Rows,
  content: TaxContent,
  existing: readonly TextRow[],
): ParsedFile => {
  const own = rowsOf(file, rows, content);
  checkOverlaps(file, own);
  const known = Map.groupBy(existing, codeKey);
  for (const row of own) checkKnown(file, row, known.get(codeKey(row)) ?? []);
  const byTax = Map.groupBy(own, taxKey);
  return {
    kind: 'neutral',
    state: [...new Set(own.map((row) => row.state ?? ''))].sort().join(' '),
    period: undefined,
    rows: own.length,
    rates: own,
    replaces: (row) =>
      (byTax.get(taxKey(row)) ?? [])
        .filter((by) => isSameArea(by, row))
        .map((by) => ({ from: beginOf(by), to: endOf(by) })),
    warnings: [],
  };
};

const rowsOf = (file: OfficialFile, rows: Rows, content: TaxContent): readonly TextRow[] => {
  const header = rows[0] ?? [];
  const known: ReadonlySet<string> = new Set(ALL_COLUMNS);
  const unknown = header.find((column) => !known.has(column));
  if (unknown !== undefined) throw neutralRefusal(file.name, `the column ${unknown} is not known`);
  return rows.slice(1).map((fields, index) => {
    const place = `${file.name}: row ${index + 2}`;
    if (fields.length !== header.length) {
      throw neutralRefusal(place, `the line has ${fields.length} cells, the header ${header.length}`);
    }
    const cells = ALL_COLUMNS.map((name) => [name, fields[header.indexOf(name)] ?? '']);
    return checkedRow(Object.fromEntries(cells) as Cells, place, content);
  });
};

/** What rows of one tax share. */
const taxKey = (row: TextRow): string => (isOfState(row) ? codeKey(row) : `${codeKey(row)} ${row.name}`);

const isOnSameDays = (row: TextRow, other: TextRow): boolean =>
  beginOf(row) <= endOf(other) && beginOf(other) <= endOf(row);

const checkOverlaps = (file: OfficialFile, rows: readonly TextRow[]): void => {
  for (const group of Map.groupBy(rows, taxKey).values()) {
    const sorted = group.toSorted((left, right) => (beginOf(left) < beginOf(right) ? -1 : 1));
    for (const [index, row] of sorted.entries()) {
      const next = sorted.slice(index + 1).find((other) => sharesArea(row, other));
      if (next === undefined || beginOf(next) > endOf(row)) continue;
      throw neutralRefusal(
        file.name,
        row.to === ''
          ? `${row.name}: the row from ${row.from} has no end, and another begins on ${next.from}`
          : `${row.name}: rows from ${row.from} and ${next.from} overlap`,
      );
    }
  }
};

/**
 * Refuse a row that would hold beside or instead of what it may not: of a part of the area of its tax, before a newer
 * rate, instead of an official one, or beside a tax with its code and another name, which may be the same tax.
 */
const checkKnown = (file: OfficialFile, row: TextRow, ofCode: readonly TextRow[]): void => {
  const here = ofCode.filter((other) => isOnSameDays(row, other) && sharesArea(other, row));
  const own = here.filter((other) => taxKey(other) === taxKey(row));
  const refuse = (problem: string): never => {
    throw neutralRefusal(file.name, `${row.name}: ${problem}`);
  };
  const [other] = here;
  if (other && own.length === 0)
    refuse(
      `the content has ${row.level} ${row.code} there as ${other.name}; write this name where the row replaces that rate, and a code of its own where it is another tax`,
    );
  const apart = own.find((each) => !isSameArea(each, row));
  if (apart)
    refuse(
      `the content has this tax in another area, ${apart.scope} ${apart.counties} ${apart.places}; write the same area, or a code and a name of its own`,
    );
  const later = own.find((each) => beginOf(row) !== '' && beginOf(each) > beginOf(row));
  if (later && endOf(row) === OPEN_END)
    refuse(`the row has no end, and the content has a rate from ${beginOf(later)}`);
  const official = own.find(isOfficial);
  if (official && !isOfficial(row))
    refuse(
      `the content has the official rate ${official.rate} of ${official.source} on days of this ${row.confidence} row`,
    );
};

/** All columns of a neutral file that are read. */
const ALL_COLUMNS = COLUMNS[LOCAL_RATES];

/** The cells of a row; empty where the file does not have the column. */
type Cells = Readonly<Record<(typeof ALL_COLUMNS)[number], string>>;

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
const checkedRow = (row: Cells, place: string, content: TaxContent): TextRow => {
  const refuse = (problem: string): never => {
    throw neutralRefusal(place, problem);
  };
  const { state, level, rate, from, to } = row;
  const broken = ALL_COLUMNS.find((name) => CONTROL.test(row[name]));
  if (broken !== undefined) refuse(`the cell ${broken} has a tab, a line end or another control character`);
  if (rate === '') refuse('the row has no rate');
  const value = parseRate(rate);
  if (value === undefined || value < 0 || value > RATE_MAX) refuse(`${rate} is not a rate`);
  if (!content.states.has(state)) refuse(`${state} is not a state of the content`);
  if (!LEVELS.has(level)) refuse(`${level} is not a level`);
  const confidence = CONFIDENCE.get(row.confidence);
  if (confidence === undefined) return refuse(`${row.confidence} is not a word of confidence`);
  if (row.source === '') refuse('the row names no source');
  for (const day of [from, to, row.seen])
    if (day !== '' && parseDate(day) === undefined) refuse(`${day} is not a day`);
  if (to !== '' && to < from) refuse('the row ends before it begins');
  const tax = row.tax || 'general';
  if (!TAXES.has(tax)) refuse(`${tax} is not a tax: it is ${LOCAL_TAXES.join(', ')}`);
  if (level === 'state') return { ...row, tax, confidence };
  const code = row.code || ownCode(row.name);
  return { ...row, code, tax, confidence, ...areaCells(row, content, refuse) };
};

/**
 * A code for a row without one, which no official file has: the row adds to what the content has there, and replaces no
 * more than an earlier row of its own name.
 */
const ownCode = (name: string): string => `own-${placeKey(name).replace(/[^\p{L}\p{N}]+/gu, '-')}`;

/** Check where a row of a local rate holds. */
const areaCells = (row: Cells, content: TaxContent, refuse: (problem: string) => never): TextRow => {
  const { state } = row;
  const scope = row.scope || (row.places === '' ? 'county' : 'place');
  if (!SCOPES.has(scope)) refuse(`${scope} is not a scope`);
  const counties = row.counties.split(/[;\s]+/).filter((code) => code !== '');
  const fips = content.stateFips.get(state) ?? '';
  const missing = counties.find((code) => !content.counties.has(`${fips}${code}`));
  if (missing !== undefined) refuse(`${missing} is not a county of ${state} (three-digit code)`);
  if (scope !== 'unmapped' && counties.length === 0) refuse('the row names no county');
  const named = (text: string): readonly string[] => {
    const names = text.split(';').filter((name) => name.trim() !== '');
    return names.map((name) => {
      const known = placesNamed(content, state, name);
      if (known.length === 0)
        return refuse(`${name.trim()} is not a place of ${state} (several are divided by ;)`);
      const here = known.find((each) => each.counties.some((county) => counties.includes(county)));
      return here?.name ?? refuse(`${name.trim()} is not in the counties of the row, ${counties.join(' ')}`);
    });
  };
  const places = named(row.places);
  if (scope === 'place' && places.length === 0) refuse('the row names no place');
  return {
    scope,
    counties: counties.join(' '),
    places: places.join(';'),
    except_places: named(row.except_places).join(';'),
  };
};
