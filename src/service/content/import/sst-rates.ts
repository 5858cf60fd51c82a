import { parseRate } from '../../../kernel/rate.ts';
import { ContentRefusedError } from '../content-error.ts';
import type { TaxContent } from '../tax-content.ts';
import { linesOf, type OfficialFile } from './official-file.ts';
import type { ParsedFile } from './parsed-file.ts';
import { parseSstName, type SstName, stateNumbered } from './sst-name.ts';
import { compactDate, compactEnd, dayBefore, fractionRate, newestOf } from './state-rows.ts';
import type { TextRow } from './table-rows.ts';

const FIELDS = 9;
const STATE_TYPE = '45';
const RATE_MAX = 2_000_000;
const LEVELS: Readonly<Record<string, string>> = { '00': 'county', '01': 'city', '02': 'city', '03': 'city' };

type SstRate = {
  readonly type: string;
  readonly code: string;
  readonly general: string;
  readonly food: string;
  readonly from: string;
  readonly to: string;
};

/** Read a rate file of the Streamlined Sales Tax members. It has the whole history of every local tax of a state. */
export const parseSstRates = (
  file: OfficialFile,
  content: TaxContent,
  existing: readonly TextRow[],
): ParsedFile => {
  const name = parseSstName(file.name);
  const warnings: string[] = [];
  const rates: SstRate[] = [];
  let fips = '';
  let lines = 0;
  for (const line of linesOf(file)) {
    lines += 1;
    if (line.trim() === '') continue;
    const place = `${file.name}:${lines}`;
    const fields = line.split(',').map((field) => field.trim());
    fips ||= fields[0] ?? '';
    if (fields[0] !== fips)
      throw new ContentRefusedError(place, `state ${fields[0]} stands in a file of ${fips}`);
    rates.push(rateOf(fields, place));
  }
  const state = stateNumbered(content, fips, file.name, name);
  checkQuarter(file, name, rates);
  const settled = settleRanges(file, rates, warnings);
  const source = `sst-${state.toLowerCase()}`;
  const area = areasOf(content, state, existing);
  return {
    kind: 'sst-rates',
    state,
    period: name?.period,
    rows: rates.length,
    stateRates: settled
      .filter(({ type }) => type === STATE_TYPE)
      .map((rate) => stateRow(state, rate, source)),
    localRates: settled
      .filter(({ type }) => type !== STATE_TYPE)
      .flatMap((rate) => localRows(state, rate, source, area, name?.period.first ?? '')),
    replacesFrom: (row) => (row['state'] === state ? '' : undefined),
    warnings,
  };
};

const rateOf = (fields: readonly string[], place: string): SstRate => {
  const [, type = '', code = '', general = '', , food = '', , begin = '', end = ''] = fields;
  const isTrailing = fields.length === FIELDS + 1 && fields[FIELDS] === '';
  if (fields.length !== FIELDS && !isTrailing) {
    throw new ContentRefusedError(place, `the line has ${fields.length} fields instead of ${FIELDS}`);
  }
  for (const rate of fields.slice(3, 7)) fractionRate(rate, RATE_MAX, place);
  if (!/^[0-9A-Za-z]{2}$/.test(type) || !/^[0-9A-Za-z]{1,5}$/.test(code)) {
    throw new ContentRefusedError(place, `${type} ${code} names no jurisdiction`);
  }
  const [from, to] = [compactDate(begin, place), compactEnd(end, place)];
  if (to !== '' && to < from)
    throw new ContentRefusedError(place, `the rate ends on ${to}, before it begins`);
  return { type, code, general, food, from, to };
};

/** Refuse a file without a rate of the state, or with rates that begin after its quarter. */
const checkQuarter = (file: OfficialFile, name: SstName | undefined, rates: readonly SstRate[]): void => {
  if (!rates.some(({ type }) => type === STATE_TYPE)) {
    throw new ContentRefusedError(file.name, 'the file has no rate of the state: it is not complete');
  }
  const latest = newestOf(rates.map(({ from }) => from));
  if (name && latest > name.period.last) {
    throw new ContentRefusedError(
      file.name,
      `a rate begins on ${latest}, after the end of quarter ${name.period.label}`,
    );
  }
};

/**
 * Make the rows of each jurisdiction consecutive. A shared boundary day goes to the later row; of overlapping rows with
 * the same rates the earlier one ends before the later one; any other overlap is a contradiction.
 */
const settleRanges = (file: OfficialFile, rates: readonly SstRate[], warnings: string[]): SstRate[] => {
  const settled: SstRate[] = [];
  for (const [key, group] of Map.groupBy(rates, ({ type, code }) => `${type} ${code}`)) {
    const rows = group.sort((left, right) => (left.from < right.from ? -1 : 1));
    for (const [index, row] of rows.entries()) {
      const next = rows[index + 1];
      const overlaps = next !== undefined && (row.to === '' || next.from <= row.to);
      if (!overlaps) {
        settled.push(row);
        continue;
      }
      const isSame = row.general === next.general && row.food === next.food;
      if (!isSame && row.to !== next.from) {
        throw new ContentRefusedError(
          file.name,
          `${key}: the rate from ${row.from} and the one from ${next.from} overlap`,
        );
      }
      warnings.push(`${key}: the rate from ${row.from} was ended the day before ${next.from}.`);
      if (row.from < next.from) settled.push({ ...row, to: dayBefore(next.from) });
    }
  }
  return settled;
};

const DATED = { confidence: 'official-file' };

const stateRow = (state: string, rate: SstRate, source: string): TextRow => ({
  state,
  rate: rate.general,
  from: rate.from,
  to: rate.to,
  source,
  ...DATED,
});

const localRows = (state: string, rate: SstRate, source: string, area: AreaOf, seen: string): TextRow[] => {
  const level = LEVELS[rate.type] ?? 'special';
  const base = { state, level, code: rate.code, from: rate.from, to: rate.to, source, seen, ...DATED };
  return area(level, rate.code).flatMap((place) => {
    const general = { ...base, ...place, tax: 'general', rate: rate.general };
    const isSameOnFood = parseRate(rate.general) === parseRate(rate.food);
    return isSameOnFood ? [general] : [general, { ...general, tax: 'food', rate: rate.food }];
  });
};

/** The cells of a local rate that name and locate a jurisdiction. */
type Area = Readonly<Record<'name' | 'scope' | 'counties' | 'places' | 'except_places' | 'note', string>>;

/** Returns the areas of a jurisdiction by level and code. */
type AreaOf = (level: string, code: string) => readonly Area[];

const AREA_CELLS = ['name', 'scope', 'counties', 'places', 'except_places', 'note'] as const;

const area = (cells: Partial<Area>): Area => ({
  name: '',
  scope: 'unmapped',
  counties: '',
  places: '',
  except_places: '',
  note: '',
  ...cells,
});

/**
 * Locate jurisdictions: as in the existing rows, otherwise by the federal codes of counties and places. Others are
 * unmapped: kept, but applied only where a boundary file names them.
 */
const areasOf = (content: TaxContent, state: string, existing: readonly TextRow[]): AreaOf => {
  const known = new Map<string, Map<string, Area>>();
  for (const row of existing) {
    if (row['state'] !== state) continue;
    const key = `${row['level']} ${row['code']}`;
    const cells = area(Object.fromEntries(AREA_CELLS.map((name) => [name, row[name] ?? ''])));
    const areas = known.get(key) ?? new Map<string, Area>();
    areas.set(`${cells.scope} ${cells.counties} ${cells.places} ${cells.except_places}`, cells);
    known.set(key, areas);
  }
  const stateFips = content.stateFips.get(state) ?? '';
  return (level, code) => {
    const areas = known.get(`${level} ${code}`);
    if (areas) return [...areas.values()];
    if (level === 'county') {
      const name = content.counties.get(`${stateFips}${code}`);
      return [area(name ? { name, scope: 'county', counties: code } : { name: `County ${code}` })];
    }
    const place = level === 'city' ? content.placesByFips.get(`${state} ${code}`) : undefined;
    if (!place) return [area({ name: `${level === 'city' ? 'City' : 'District'} ${code}` })];
    const counties = place.counties.join(' ');
    return [area({ name: place.name, scope: 'place', counties, places: place.name })];
  };
};
