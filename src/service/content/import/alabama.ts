import { parseDate } from '../../../kernel/calendar.ts';
import { ContentRefusedError } from '../content-error.ts';
import { OPEN_END } from '../dated.ts';
import type { TaxContent } from '../tax-content.ts';
import type { OfficialFile } from './official-file.ts';
import { missingCounties, type ParsedFile, replacedFrom, unknownPlace } from './parsed-file.ts';
import { cityCells, fileRow, newestOf, percentRate, rateBeyond } from './state-rows.ts';
import type { TextRow } from './table-rows.ts';

const STATE = 'AL';
const HEADER = 'Locality Code,Locality Name,County Number,TaxType,Rate Type';
const FIELDS = 13;
const COUNTIES = 67;
/** The highest rate of a file in percent is at least this. */
const LEAST_HIGHEST = 0.01;

export const isAlabama = (rows: readonly (readonly string[])[]): boolean =>
  (rows[0] ?? []).slice(0, 5).join(',').toLowerCase() === HEADER.toLowerCase();

type Line = {
  readonly code: string;
  readonly name: string;
  readonly from: string;
  /** Empty while the rate has no end. */
  readonly to: string;
  readonly rate: string;
  readonly county: string;
};

/**
 * Read the local rates of Alabama: the general sales tax rates of counties and cities, each from its own first day. If
 * a county has a line for inside city limits, its plain line applies outside of them. The reduced rates of police
 * jurisdictions around cities apply in areas that cannot be found by the name of a place.
 */
export const parseAlabama = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
): ParsedFile => {
  const lines = rows.flatMap((row, index) =>
    lineOf(row, `${file.name}: row ${index + 1}`, index, content.date),
  );
  const plain = lines.filter(({ code }) => code.startsWith('70'));
  const inside = lines.filter(({ code, name }) => /^7[1-9]/.test(code) && /\bCL\b|CITY LIMITS/i.test(name));
  const cities = lines.filter(({ code }) => code.startsWith('9'));
  if (new Set(plain.map(({ county }) => county)).size !== COUNTIES)
    throw missingCounties(file.name, plain.length, COUNTIES);
  if (lines.every(({ rate }) => Number(rate) < LEAST_HIGHEST))
    throw new ContentRefusedError(
      file.name,
      'all rates are below 1 %: the file has fractions instead of percent',
    );
  const warnings: string[] = [];
  const newest = newestOf(lines.map(({ from }) => from));
  const dated = (line: Line) => ({
    from: line.from,
    to: line.to,
    seen: newest,
    rate: line.rate,
    name: line.name,
  });
  const limits = new Set(inside.map(({ county }) => county));
  const localRates = [
    ...plain.map((line) =>
      fileRow(STATE, {
        ...dated(line),
        level: 'county',
        code: line.county,
        scope: limits.has(line.county) ? 'unincorporated' : 'county',
        counties: line.county,
      }),
    ),
    ...inside.map((line) =>
      fileRow(STATE, {
        ...dated(line),
        level: 'county',
        code: line.code,
        scope: 'place',
        counties: line.county,
        places: citiesOf(content, line.county),
      }),
    ),
    ...cities.map((line) => {
      const cells = cityCells(content, STATE, line.name, line.county || undefined);
      if (!cells) warnings.push(unknownPlace(line.name));
      return fileRow(STATE, { level: 'city', code: line.code, ...dated(line), ...cells });
    }),
  ];
  const others = lines.length - localRates.length;
  if (others > 0)
    warnings.push(
      `${others} further lines of counties were left out: no name of a place leads to their areas.`,
    );
  const begins = beginsOf(localRates);
  return {
    kind: 'alabama',
    state: STATE,
    // It lists all rates in force when it was made, on a day that it does not say.
    period: { label: newest, first: newest, last: OPEN_END },
    rows: lines.length,
    stateRates: [],
    localRates,
    replaces: (row) =>
      row['state'] === STATE && row['tax'] === 'general'
        ? replacedFrom(begins.get(areaOf(row)) ?? newest)
        : [],
    warnings,
  };
};

/** Read a line of a general rate that holds on the day of the content or after it; nothing from any other line. */
const lineOf = (row: readonly string[], place: string, index: number, today: string): readonly Line[] => {
  if (index === 0) return [];
  if (row.length !== FIELDS)
    throw new ContentRefusedError(place, `the line has ${row.length} fields instead of ${FIELDS}`);
  const [code = '', name = '', , tax, type, , active = '', inactive = '', text = '', , , countyCode = ''] =
    row;
  if (tax !== 'ST' || type !== 'GENER') return [];
  const to = inactive === '' ? '' : dayOf(inactive, place);
  if (to !== '' && to < today) return [];
  if (!/^[79]\d{3}$/.test(code))
    throw new ContentRefusedError(place, `${code || 'an empty cell'} is not a locality`);
  const county = code.startsWith('7') ? countyOf(code) : countyCode && countyOf(countyCode);
  return [
    {
      code,
      name,
      from: dayOf(active, place),
      to,
      rate: rateBeyond(percentRate(text, place), 0, place),
      county,
    },
  ];
};

/** Return a county's federal code: counties are numbered alphabetically, and the codes are the odd numbers in order. */
const countyOf = (code: string): string => String(Number(code.slice(2)) * 2 - 1).padStart(3, '0');

/** Read a day of the file, written `20251001` or `10/01/2025`. */
const dayOf = (text: string, place: string): string => {
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  const parts = compact ? compact.slice(1) : american ? [american[3], american[1], american[2]] : [];
  const day = parseDate(parts.map((part = '') => part.padStart(2, '0')).join('-'));
  if (day === undefined) throw new ContentRefusedError(place, `${text || 'an empty cell'} is not a day`);
  return day;
};

const citiesOf = (content: TaxContent, county: string): string =>
  content
    .placesOf(STATE)
    .filter(({ incorporated, counties }) => incorporated && counties.includes(county))
    .map(({ name }) => name)
    .join(';');

const areaOf = (row: TextRow): string =>
  `${row['level']} ${row['counties']} ${row['level'] === 'city' ? row['places'] : ''}`;

/** Return the first day of each area in the file. */
const beginsOf = (rows: readonly TextRow[]): ReadonlyMap<string, string> => {
  const begins = new Map<string, string>();
  for (const row of rows) {
    const [area, from] = [areaOf(row), row['from'] ?? ''];
    const known = begins.get(area);
    if (known === undefined || from < known) begins.set(area, from);
  }
  return begins;
};
