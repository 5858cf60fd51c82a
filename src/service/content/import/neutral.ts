import { parseDate } from '../../../kernel/calendar.ts';
import { parseRate } from '../../../kernel/rate.ts';
import { ContentRefusedError } from '../content-error.ts';
import { OPEN_END } from '../dated.ts';
import type { TaxContent } from '../tax-content.ts';
import type { OfficialFile } from './official-file.ts';
import type { ParsedFile } from './parsed-file.ts';
import { COLUMNS, LOCAL_RATES, type TextRow } from './table-rows.ts';

/** Columns that a neutral file must have; the other columns of the table of local rates are optional. */
const NEEDED = ['state', 'level', 'code', 'name', 'rate', 'from', 'source', 'confidence'] as const;
const ALL = COLUMNS[LOCAL_RATES] ?? [];
const LEVELS: ReadonlySet<string> = new Set(['state', 'county', 'city', 'special']);
const SCOPES: ReadonlySet<string> = new Set(['county', 'unincorporated', 'place', 'unmapped']);
const CONFIDENCE: ReadonlySet<string> = new Set([
  'official-file',
  'official-cited',
  'secondary',
  'secondary-2',
  'from-memory',
  'shop',
]);

/** Additional columns for the person who reviews the file; they are never read. */
const EVIDENCE = /^evidence_/;

export const isNeutral = (rows: readonly (readonly string[])[]): boolean => {
  const header = new Set(rows[0]);
  return NEEDED.every((column) => header.has(column));
};

/**
 * Read the neutral layout: a CSV with the columns of the table of local rates. A row ends the existing row of the same
 * jurisdiction on the day before it begins. Columns whose names begin with `evidence_` are not read.
 */
export const parseNeutral = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
): ParsedFile => {
  const header = rows[0] ?? [];
  const unknown = header.find((column) => !ALL.includes(column) && !EVIDENCE.test(column));
  if (unknown !== undefined) throw new ContentRefusedError(file.name, `the column ${unknown} is not known`);
  const values = rows.slice(1).map((fields, index) => {
    const place = `${file.name}: row ${index + 2}`;
    if (fields.length !== header.length) {
      throw new ContentRefusedError(
        place,
        `the line has ${fields.length} cells, the header ${header.length}`,
      );
    }
    return checkedRow(
      Object.fromEntries(ALL.map((name) => [name, fields[header.indexOf(name)] ?? ''])),
      place,
      content,
    );
  });
  checkOverlaps(file, values);
  const firstDays = new Map<string, string>();
  for (const row of values) {
    const [key, from] = [jurisdictionKey(row), row['from'] ?? ''];
    if (from < (firstDays.get(key) ?? OPEN_END)) firstDays.set(key, from);
  }
  return {
    kind: 'neutral',
    state: [...new Set(values.map((row) => row['state'] ?? ''))].sort().join(' '),
    period: undefined,
    rows: values.length,
    stateRates: values.filter((row) => row['level'] === 'state'),
    localRates: values.filter((row) => row['level'] !== 'state'),
    replacesFrom: (row) => firstDays.get(jurisdictionKey(row)),
    warnings: [],
  };
};

/** Return the key that rows of the same tax share. A row of a state's own rate has no level. */
const jurisdictionKey = (row: TextRow): string =>
  row['level'] === undefined || row['level'] === 'state'
    ? `${row['state']} state`
    : `${row['state']} ${row['level']} ${row['code']} ${row['name']} ${row['tax'] || 'general'}`;

const checkedRow = (row: TextRow, place: string, content: TaxContent): TextRow => {
  const refuse = (problem: string): never => {
    throw new ContentRefusedError(place, problem);
  };
  const cell = (name: string) => row[name] ?? '';
  const value = parseRate(cell('rate'));
  if (value === undefined || value < 0 || value > 1_500_000) refuse(`${cell('rate')} is not a rate`);
  if (!content.states.has(cell('state'))) refuse(`${cell('state')} is not a state of the content`);
  if (!LEVELS.has(cell('level'))) refuse(`${cell('level')} is not a level`);
  if (!CONFIDENCE.has(cell('confidence'))) refuse(`${cell('confidence')} is not a word of confidence`);
  if (cell('source') === '') refuse('the row names no source');
  for (const name of ['from', 'to']) {
    if (cell(name) !== '' && parseDate(cell(name)) === undefined) refuse(`${cell(name)} is not a day`);
  }
  if (cell('to') !== '' && cell('to') < cell('from')) refuse('the row ends before it begins');
  const scope = cell('scope') || (cell('places') === '' ? 'county' : 'place');
  if (!SCOPES.has(scope)) refuse(`${scope} is not a scope`);
  const counties = cell('counties')
    .split(/[;\s]+/)
    .filter((code) => code !== '');
  const fips = content.stateFips.get(cell('state')) ?? '';
  const missing = counties.find((code) => !content.counties.has(`${fips}${code}`));
  if (missing !== undefined) refuse(`${missing} is not a county of ${cell('state')} (three-digit code)`);
  if (cell('level') !== 'state' && scope !== 'unmapped' && counties.length === 0)
    refuse('the row names no county');
  return { ...row, tax: cell('tax') || 'general', scope, counties: counties.join(' ') };
};

const checkOverlaps = (file: OfficialFile, rows: readonly TextRow[]): void => {
  const last = new Map<string, TextRow>();
  const sorted = [...rows].sort((left, right) => ((left['from'] ?? '') < (right['from'] ?? '') ? -1 : 1));
  for (const row of sorted) {
    const before = last.get(jurisdictionKey(row));
    if (before && (row['from'] ?? '') <= (before['to'] || OPEN_END) && before['to'] !== '') {
      throw new ContentRefusedError(
        file.name,
        `${row['name']}: rows from ${before['from']} and ${row['from']} overlap`,
      );
    }
    if (before && before['to'] === '') {
      throw new ContentRefusedError(
        file.name,
        `${row['name']}: the row from ${before['from']} has no end, and another begins on ${row['from']}`,
      );
    }
    last.set(jurisdictionKey(row), row);
  }
};
