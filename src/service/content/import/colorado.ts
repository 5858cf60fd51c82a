import { formatRate, type Rate } from '../../../kernel/rate.ts';
import { ContentRefusedError } from '../content-error.ts';
import type { TaxContent } from '../tax-content.ts';
import type { OfficialFile } from './official-file.ts';
import { generalRates, type ParsedFile, unknownPlace } from './parsed-file.ts';
import { cityCells, countyNamed, fileRow, percentRate, periodFrom, stateRateOn } from './state-rows.ts';
import type { TextRow } from './table-rows.ts';

const STATE = 'CO';
/** The sheet of the workbook that lists places by name. */
export const COLORADO_SHEET = 'By Name';
const FIRST_PART = 8;
const TOTAL_AT = 7;
const COUNTIES = 64;

const titleOf = (cell: string | undefined): string => (cell ?? '').toLowerCase().replace(/\s+/g, ' ').trim();

export const isColorado = (rows: readonly (readonly string[])[]): boolean =>
  (rows[0] ?? []).slice(0, 3).map(titleOf).join(',') === 'location code,jurisdiction code,county' &&
  titleOf(rows[0]?.[FIRST_PART]) === 'tax type';

type Line = {
  readonly name: string;
  readonly county: string;
  /** The rate of each kind of tax: county, city, and districts by their letters. */
  readonly parts: ReadonlyMap<string, Rate>;
};

/**
 * Read the half-yearly codes and rates of Colorado. A name can have several lines, for parts with different districts:
 * the parts on which most lines of the name and county agree are used, and the others are counted, because only a
 * street address could tell them apart.
 */
export const parseColorado = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
): ParsedFile => {
  const half = /(jan|jul)[a-z]*[-_ ]*(?:jun|dec)[a-z]*[-_ ]*(\d{4})/i.exec(file.name);
  const month = half?.[1]?.toLowerCase() === 'jan' ? '01' : '07';
  const period = periodFrom(`${half?.[2]}-${month}-01`, file.name);
  const stateRate = stateRateOn(content, STATE, period.first, file.name);
  const lines = linesOf(file, rows, content, stateRate);
  if (new Set(lines.map(({ county }) => county)).size < COUNTIES)
    throw new ContentRefusedError(
      file.name,
      `not all of the ${COUNTIES} counties are in it: it is not complete`,
    );
  const warnings: string[] = [];
  const groups = [...Map.groupBy(lines, ({ name, county }) => `${county} ${name}`).values()];
  const usual = groups.flatMap((group) => usualOf(group) ?? []);
  const split = groups.filter((group) => new Set(group.map(partsText)).size > 1).length;
  if (split > 0)
    warnings.push(
      `${split} places have parts with other districts: the usual ones were taken, and only a street tells the others.`,
    );
  const dated = { from: period.first, seen: period.first };
  const localRates = [...Map.groupBy(usual, ({ county }) => county)].flatMap(([county, own]) =>
    countyRows(county, own, content, warnings).map((row) => ({ ...row, ...dated })),
  );
  return generalRates(STATE, {
    kind: 'colorado',
    period,
    rows: lines.length,
    localRates,
    warnings,
  });
};

/** Return the rows of one county: its own rate, then each of its cities with the districts there. */
const countyRows = (
  county: string,
  lines: readonly Line[],
  content: TaxContent,
  warnings: string[],
): readonly TextRow[] => {
  const outside = lines.find(({ parts }) => !parts.has('city'));
  const cities = lines.filter(({ parts }) => parts.has('city'));
  const name = content.counties.get(`${content.stateFips.get(STATE)}${county}`) ?? county;
  const ofCounty = usualRate(
    [...(outside ? [outside] : []), ...cities].map(({ parts }) => parts.get('county')),
  );
  const known = cities.map((line) => ({ line, cells: cityCells(content, STATE, line.name, county) }));
  const without = known.flatMap(({ line, cells }) =>
    cells && line.parts.get('county') !== ofCounty ? [cells['places'] ?? ''] : [],
  );
  const own = fileRow(STATE, {
    level: 'county',
    code: county,
    name,
    scope: 'county',
    counties: county,
    except_places: without.join(';'),
    rate: formatRate(ofCounty ?? (0 as Rate)),
  });
  const districts = districtsOf(
    outside,
    { level: 'special', scope: 'unincorporated', counties: county },
    county,
  );
  const ofCities = known.flatMap(({ line, cells }) => {
    if (!cells) warnings.push(unknownPlace(line.name));
    const area = cells ?? { code: line.name, name: line.name };
    const rows = [
      fileRow(STATE, { level: 'city', ...area, rate: formatRate(line.parts.get('city') ?? (0 as Rate)) }),
    ];
    const apart = line.parts.get('county');
    // A different rate of a county within a city is a row of that city.
    if (apart !== undefined && apart !== ofCounty)
      rows.push(fileRow(STATE, { ...area, level: 'county', code: county, name, rate: formatRate(apart) }));
    return [...rows, ...districtsOf(line, { ...area, level: 'special' }, area['code'] ?? '')];
  });
  return [...(ofCounty === undefined ? [] : [own]), ...districts, ...ofCities];
};

const districtsOf = (
  line: Line | undefined,
  area: Readonly<Record<string, string>>,
  at: string,
): readonly TextRow[] =>
  [...(line?.parts ?? [])].flatMap(([kind, rate]) =>
    kind === 'city' || kind === 'county'
      ? []
      : [
          fileRow(STATE, {
            ...area,
            code: `${kind.toUpperCase()}-${at}`,
            name: kind.toUpperCase(),
            rate: formatRate(rate),
          }),
        ],
  );

const partsText = ({ parts }: Line): string =>
  JSON.stringify([...parts].sort(([left], [right]) => (left < right ? -1 : 1)));

/** Of several lines of one place, choose the one whose parts most lines have; in a tie the first. */
const usualOf = (lines: readonly Line[]): Line | undefined => {
  const groups = [...Map.groupBy(lines, partsText).values()];
  return groups.toSorted((left, right) => right.length - left.length)[0]?.[0];
};

/** Return the rate that most lines have; in a tie the first, which is that of the land outside of cities. */
const usualRate = (rates: readonly (Rate | undefined)[]): Rate | undefined => {
  const groups = [
    ...Map.groupBy(
      rates.filter((rate) => rate !== undefined),
      (rate) => rate,
    ),
  ];
  return groups.toSorted(([, left], [, right]) => right.length - left.length)[0]?.[0];
};

const linesOf = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
  stateRate: Rate,
): readonly Line[] => {
  const seen = new Set<string>();
  return rows.slice(1).flatMap((row, index) => {
    const [name = '', code = '', countyName = ''] = row;
    if (name === '') return [];
    const place = `${file.name}: row ${index + 2}`;
    if (seen.has(code)) throw new ContentRefusedError(place, `the code ${code} stands there twice`);
    seen.add(code);
    const county = countyNamed(content, STATE, countyName);
    if (county === undefined)
      throw new ContentRefusedError(place, `${countyName || 'an empty cell'} is not a county`);
    const parts = partsOf(row, place);
    const total = percentRate(row[TOTAL_AT] ?? '', place);
    const sum = [...parts.values()].reduce<number>((running, rate) => running + rate, 0);
    if (sum !== total)
      throw new ContentRefusedError(place, `the parts of the rate of ${name} do not add up to it`);
    if (parts.get('state') !== stateRate)
      throw new ContentRefusedError(place, 'the rate of the state is another one');
    parts.delete('state');
    return [{ name, county, parts }];
  });
};

/** Read the repeated columns: kind of tax, rate and service fee. */
const partsOf = (row: readonly string[], place: string): Map<string, Rate> => {
  const parts = new Map<string, Rate>();
  for (let at = FIRST_PART; at < row.length; at += 3) {
    const kind = titleOf(row[at]).replace(/^cnty$/, 'county');
    if (kind === '') continue;
    parts.set(kind, percentRate(row[at + 1] ?? '', place));
  }
  return parts;
};
