import { ContentRefusedError, OPEN_END } from '../content/content-folder.ts';
import { streamlinedSource, type TaxContent } from '../content/tax-content.ts';
import { parseRate } from '../kernel/money.ts';
import { type FilingPeriod, parsePeriod } from '../kernel/period.ts';
import { dayBefore, dayOf, endDayOf, linesOf, type OfficialFile } from './official-file.ts';
import type { ParsedFile, TextRow } from './parsed-file.ts';

const FIELDS = 9;
const STATE_TYPE = '45';
const RATE_MAX = 2_000_000;
const LEVELS: Readonly<Record<string, string>> = { '00': 'county', '01': 'city', '02': 'city', '03': 'city' };

type SstRate = {
  readonly type: string;
  readonly code: string;
  readonly general: string;
  /** The general rate of sales from other states. */
  readonly interstate: string;
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
  const state = stateNumbered(content, fips, file.name);
  checkQuarter(file, name, rates);
  const settled = settleRanges(file, rates);
  const source = streamlinedSource(state);
  const area = areasOf(content, state, existing);
  const first = name?.period.first ?? '';
  return {
    kind: 'sst-rates',
    state,
    period: name?.period,
    rows: rates.length,
    rates: settled.flatMap((rate) => {
      const { type, general, from, to } = rate;
      if (type !== STATE_TYPE) return localRows(state, rate, source, area, first);
      return [{ state, rate: general, from, to, source, ...DATED }];
    }),
    replaces: (row) => (row.state === state ? [{ from: '', to: OPEN_END }] : []),
    warnings: interstateWarning(settled, first),
  };
};

const rateOf = (fields: readonly string[], place: string): SstRate => {
  const [, type = '', code = '', general = '', interstate = '', food = '', , begin = '', end = ''] = fields;
  const isTrailing = fields.length === FIELDS + 1 && fields[FIELDS] === '';
  if (fields.length !== FIELDS && !isTrailing) {
    throw new ContentRefusedError(place, `the line has ${fields.length} fields instead of ${FIELDS}`);
  }
  for (const text of fields.slice(3, 7)) {
    const value = parseRate(text);
    if (value === undefined || value < 0 || value > RATE_MAX)
      throw new ContentRefusedError(place, `${text || 'an empty cell'} is not a rate`);
  }
  if (!/^[0-9A-Za-z]{2}$/.test(type) || !/^[0-9A-Za-z]{1,5}$/.test(code)) {
    throw new ContentRefusedError(place, `${type} ${code} names no jurisdiction`);
  }
  const from = dayOf(begin, place);
  const to = endDayOf(end, place);
  if (to !== '' && to < from)
    throw new ContentRefusedError(place, `the rate ends on ${to}, before it begins`);
  return {
    type,
    code,
    general,
    interstate,
    food,
    from,
    to,
  };
};

/** Refuse a file without a rate of the state, or with rates that begin after its quarter. */
const checkQuarter = (file: OfficialFile, name: SstName | undefined, rates: readonly SstRate[]): void => {
  if (!rates.some(({ type }) => type === STATE_TYPE)) {
    throw new ContentRefusedError(file.name, 'the file has no rate of the state: it is not complete');
  }
  const begins = rates.map(({ from }) => from).sort();
  const latest = begins.at(-1) ?? '';
  if (name && latest > name.period.last) {
    throw new ContentRefusedError(
      file.name,
      `a rate begins on ${latest}, after the end of quarter ${name.period.label}`,
    );
  }
};

/**
 * Make the rows of each jurisdiction consecutive. A rate ends on the day before the next one where both have a boundary
 * day, or are the same; any other overlap is a contradiction.
 */
const settleRanges = (file: OfficialFile, rates: readonly SstRate[]): readonly SstRate[] => {
  const settled: SstRate[] = [];
  for (const [key, group] of Map.groupBy(rates, ({ type, code }) => `${type} ${code}`)) {
    const rows = group.toSorted((left, right) => (left.from < right.from ? -1 : 1));
    for (const [index, row] of rows.entries()) {
      const next = rows[index + 1];
      const overlaps = next !== undefined && (row.to === '' || next.from <= row.to);
      const isSame = next?.general === row.general && next.food === row.food;
      if (overlaps && (isSame ? isLater(row.to, next.to) : row.to !== next.from))
        throw new ContentRefusedError(
          file.name,
          `${key}: the rate from ${row.from} and the one from ${next.from} overlap`,
        );
      if (!overlaps) settled.push(row);
      else if (row.from < next.from) settled.push({ ...row, to: dayBefore(next.from) });
    }
  }
  return settled;
};

/** Whether a last day is later than another; an empty text means that the rate has no end. */
const isLater = (one: string, other: string): boolean => other !== '' && (one === '' || one > other);

/** Return the warning about rates that sellers outside of the state charge, where they differ. */
const interstateWarning = (rates: readonly SstRate[], first: string): readonly string[] => {
  const others = rates.filter(
    ({ general, interstate, to }) =>
      parseRate(general) !== parseRate(interstate) && (to === '' || to >= first),
  );
  const count = new Set(others.map(({ type, code }) => `${type} ${code}`)).size;
  if (count === 0) return [];
  return [
    `Jurisdictions with another rate for sales from other states: ${count}; the rates of sales inside the state were taken.`,
  ];
};

const DATED = { confidence: 'official-file' };

const localRows = (state: string, rate: SstRate, source: string, area: AreaOf, seen: string): TextRow[] => {
  const level = LEVELS[rate.type] ?? 'special';
  const base = {
    state,
    level,
    code: rate.code,
    from: rate.from,
    to: rate.to,
    source,
    seen,
    ...DATED,
  };
  return area(level, rate.code).flatMap((place) => {
    const general = { ...base, ...place, tax: 'general', rate: rate.general };
    const isSameOnFood = parseRate(rate.general) === parseRate(rate.food);
    return isSameOnFood ? [general] : [general, { ...general, tax: 'food', rate: rate.food }];
  });
};

/** The cells of a local rate that name and locate a jurisdiction, of one whose area is not known. */
const UNMAPPED = {
  name: '',
  scope: 'unmapped',
  counties: '',
  places: '',
  except_places: '',
  note: '',
};

type Area = Readonly<typeof UNMAPPED>;
const AREA_COLUMNS = Object.keys(UNMAPPED) as (keyof Area)[];

/** Returns the areas of a jurisdiction by level and code. */
type AreaOf = (level: string, code: string) => readonly Area[];

const area = (cells: Partial<Area>): Area => ({ ...UNMAPPED, ...cells });

/**
 * Locate jurisdictions: as in the existing rows, otherwise by the federal codes of counties and places. Others are
 * unmapped: kept, but applied only where a boundary file names them.
 */
const areasOf = (content: TaxContent, state: string, existing: readonly TextRow[]): AreaOf => {
  const known = Map.groupBy(
    existing.filter((row) => row.state === state),
    (row) => `${row.level} ${row.code}`,
  );
  const stateFips = content.stateFips.get(state) ?? '';
  return (level, code) => {
    const areas = (known.get(`${level} ${code}`) ?? []).map((row) => {
      const cells = area(Object.fromEntries(AREA_COLUMNS.map((name) => [name, row[name] ?? ''])));
      return [`${cells.scope} ${cells.counties} ${cells.places} ${cells.except_places}`, cells] as const;
    });
    if (areas.length > 0) return [...new Map(areas).values()];
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

/** State, `R` for rates or `B` for boundaries, year, quarter, and the day of publication, as `GAR2026Q2FEB19`. */
const NAME = /^([A-Z]{2})([RB])(\d{4})Q([1-4])([A-Z]{3})(\d{1,2})/;
const MONTHS = 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC';

export type SstName = {
  readonly state: string;
  readonly part: 'R' | 'B';
  /** A quarter; its label is `2026Q2`. */
  readonly period: FilingPeriod;
};

/**
 * Read the name of a Streamlined file; `undefined` for any other name. Files are published from three months before
 * their quarter to its end.
 *
 * @throws {ContentRefusedError} when quarter and month of publication contradict each other
 */
export const parseSstName = (name: string): SstName | undefined => {
  const parts = NAME.exec(name.toUpperCase());
  const [, state = '', part, year, quarter, month = ''] = parts ?? [];
  const days = parsePeriod(`${year}-Q${quarter}`);
  if (days === undefined) return undefined;
  const period = { ...days, label: `${Number(year)}Q${quarter}` };
  const published = MONTHS.indexOf(month) / 3 + 1;
  const monthsBefore = (Number(quarter) * 3 - 2 - published + 12) % 12;
  if (!Number.isInteger(published) || published < 1 || (monthsBefore > 3 && monthsBefore < 10))
    throw new ContentRefusedError(name, `a file of ${month} is not one of quarter ${period.label}`);
  return { state, part: part as 'R' | 'B', period };
};

/** Return a Streamlined file's state by its federal number. @throws {ContentRefusedError} unless the name agrees */
export const stateNumbered = (content: TaxContent, fips: string, file: string): string => {
  const state = [...content.stateFips].find(([, code]) => code === fips)?.[0];
  if (state === undefined) throw new ContentRefusedError(file, `${fips} is the code of no state`);
  const name = parseSstName(file);
  if (name && name.state !== state)
    throw new ContentRefusedError(file, `the file is named for ${name.state}, its lines are of ${state}`);
  return state;
};
