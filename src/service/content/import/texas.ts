import { formatRate, type Rate } from '../../../kernel/rate.ts';
import { ContentRefusedError } from '../content-error.ts';
import { placeKey } from '../place-name.ts';
import type { TaxContent } from '../tax-content.ts';
import { linesOf, type OfficialFile } from './official-file.ts';
import { type FilePeriod, generalRates, type ParsedFile, unknownPlace } from './parsed-file.ts';
import { fileRow, fractionRate, quarterOf } from './state-rows.ts';
import type { TextRow } from './table-rows.ts';

/** The state of this file, and the maximum sum of its local taxes. */
const STATE = 'TX';
const LOCAL_MAX = 200_000;
const ABSENT = 'n/a';
const FIELDS = 12;

type Part = { readonly name: string; readonly code: string; readonly rate: Rate };
type Line = {
  readonly city: Part | undefined;
  readonly county: Part | undefined;
  readonly districts: readonly Part[];
};

/** Whether the first line is the header of the Texas file: `1`, a period, its text, a label, the state rate. */
export const isTexas = (firstLine: string): boolean => /^1\t\d{5}\t[^\t]*\t[^\t]*\t0?\.\d+\t/.test(firstLine);

/** Read the local rates of Texas: a line has a city or area, its county, its transit and its special district. */
export const parseTexas = (file: OfficialFile, content: TaxContent): ParsedFile => {
  const all = [...linesOf(file)].filter((line) => line.trim() !== '');
  const header = (all[0] ?? '').split('\t');
  const period = periodOf(header[1] ?? '', file.name);
  const body = all
    .slice(1)
    .map((line, index) => [line.split('\t'), `${file.name}:${index + 2}`] as const)
    .filter(([fields]) => !/^\d{5}$/.test(fields[0] ?? ''));
  const declared = Number(header[6]);
  if (body.length !== declared) {
    throw new ContentRefusedError(
      file.name,
      `the file announces ${declared} rows and has ${body.length}: it is cut off`,
    );
  }
  const lines = body.map(([fields, place]) => lineOf(fields, place));
  const warnings: string[] = [];
  const localRates = [
    ...countyRows(lines, content, warnings),
    ...cityRows(lines, content, warnings),
    ...districtRows(lines, content),
  ];
  return generalRates(STATE, {
    kind: 'texas',
    period,
    rows: lines.length,
    localRates: localRates.map((row) => ({ ...row, from: period.first, seen: period.first })),
    warnings,
  });
};

const periodOf = (text: string, name: string): FilePeriod => {
  const [year, quarter] = [Number(text.slice(0, 4)), Number(text.slice(4))];
  if (!(year > 1990 && quarter >= 1 && quarter <= 4)) {
    throw new ContentRefusedError(name, `${text} is not a quarter`);
  }
  return quarterOf(year, quarter);
};

const partOf = (fields: readonly string[], at: number, place: string): Part | undefined => {
  const [name = '', code = '', text = ''] = fields.slice(at, at + 3).map((field) => field.trim());
  if (name === ABSENT || name === '') return undefined;
  return { name, code, rate: fractionRate(text, LOCAL_MAX, place, 'a local rate') };
};

const lineOf = (fields: readonly string[], place: string): Line => {
  if (fields.length !== FIELDS) {
    throw new ContentRefusedError(place, `the line has ${fields.length} fields instead of ${FIELDS}`);
  }
  const [city, county, transit, special] = [0, 3, 6, 9].map((at) => partOf(fields, at, place));
  const districts = [transit, special].filter((part) => part !== undefined);
  const total = [city, county, ...districts].reduce((sum, part) => sum + (part?.rate ?? 0), 0);
  if (total > LOCAL_MAX) throw new ContentRefusedError(place, 'the local rates add up to more than 0.02');
  return { city, county, districts };
};

const rowOf = (
  level: string,
  { code, name, rate }: Part,
  cells: Readonly<Record<string, string>> = {},
): TextRow => fileRow(STATE, { level, code, name, rate: formatRate(rate), ...cells });

const byCode = (parts: readonly Part[]): Part[] => [
  ...new Map(parts.map((part) => [part.code, part])).values(),
];
const citiesOf = (lines: readonly Line[]): Part[] =>
  byCode(lines.map(({ city }) => city).filter((city) => city !== undefined));
const countiesOfPlace = (content: TaxContent, name: string): string[] => [
  ...new Set(
    (content.places.get(`${STATE} ${placeKey(name)}`) ?? []).flatMap(({ counties }) => [...counties]),
  ),
];

/** Return the rows of counties: a county tax applies in the whole county, except in cities whose lines omit it. */
const countyRows = (lines: readonly Line[], content: TaxContent, warnings: string[]): TextRow[] => {
  const counties = byCode(lines.map(({ county }) => county).filter((county) => county !== undefined));
  return counties.map((county) => {
    const key = placeKey(county.name.replace(/ co(?:unty)?$/i, ''));
    const fips = [...content.counties].find(
      ([code, name]) =>
        content.countyStates.get(code) === STATE && placeKey(name.replace(/ County$/, '')) === key,
    )?.[0];
    if (fips === undefined) {
      warnings.push(`${county.name} is not a county of the content: its tax is kept, and not applied.`);
      return rowOf('county', county);
    }
    const code = fips.slice(2);
    const without = citiesOf(lines).filter(
      (city) =>
        countiesOfPlace(content, city.name).includes(code) &&
        !lines.some((line) => line.city?.code === city.code && line.county !== undefined),
    );
    return rowOf('county', county, {
      scope: 'county',
      counties: code,
      except_places: without.map(({ name }) => name).join(';'),
    });
  });
};

const cityRows = (lines: readonly Line[], content: TaxContent, warnings: string[]): TextRow[] =>
  citiesOf(lines).map((city) => {
    const counties = countiesOfPlace(content, city.name);
    if (counties.length > 0) {
      return rowOf('city', city, { scope: 'place', counties: counties.join(' '), places: city.name });
    }
    warnings.push(unknownPlace(city.name));
    return rowOf('city', city);
  });

/**
 * Return the rows of districts: one applies in a city only when every line of the city names it, else its area is
 * unknown.
 */
const districtRows = (lines: readonly Line[], content: TaxContent): TextRow[] => {
  const districts = byCode(lines.flatMap(({ districts: parts }) => parts));
  return districts.map((district) => {
    const names = (line: Line) => line.districts.some(({ code }) => code === district.code);
    const inside = citiesOf(lines.filter(names)).filter((city) =>
      lines.every((line) => line.city?.code !== city.code || names(line)),
    );
    const counties = [...new Set(inside.flatMap(({ name }) => countiesOfPlace(content, name)))];
    if (inside.length === 0 || counties.length === 0) return rowOf('special', district);
    return rowOf('special', district, {
      scope: 'place',
      counties: counties.join(' '),
      places: inside.map(({ name }) => name).join(';'),
    });
  });
};
