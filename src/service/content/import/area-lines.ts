import type { CalendarDate } from '../../../kernel/calendar.ts';
import { formatRate, RATE_ONE, type Rate, rate } from '../../../kernel/money.ts';
import { ContentRefusedError } from '../content-error.ts';
import { inForce } from '../dated.ts';
import { localRatesAt } from '../local-rates-at.ts';
import { placesNamed } from '../place-lookup.ts';
import { placeKey } from '../place-name.ts';
import type { LocalRate, Place, TaxContent } from '../tax-content.ts';
import { rateOf } from './cell-values.ts';
import { type FileLine, matches } from './file-lines.ts';
import type { AreaRule, Layout } from './layout.ts';

/** One tax of an area. */
export type Part = {
  readonly level: 'county' | 'city' | 'special';
  /** Empty when the file has no code of it that rows take. */
  readonly code: string;
  /** Empty when the tax has no name but that of its area; `called` stands behind that. */
  readonly name: string;
  readonly called?: string | undefined;
  /** Three-digit code of the county of its line; empty when that names none, or one that the content does not have. */
  readonly county: string;
  readonly rate: Rate;
};

/** An area with its local taxes, as one line of a file has them. */
export type AreaLine = {
  readonly line: FileLine;
  readonly is: AreaRule['is'];
  readonly code: string;
  readonly name: string;
  readonly county: string;
  /** The city, if the content has it, and the counties of the area. */
  readonly city: Place | undefined;
  readonly counties: readonly string[];
  readonly parts: readonly Part[];
  /** Whether the rate is the one that the content knows, because that of the file depends on the street. */
  readonly isCarried: boolean;
  /** Whether the content has rates that come to the same. */
  readonly isKnown: boolean;
};

/** Returns a reader of lines: what area a line is about, and its local taxes on the first day of the file. */
export const areaReader = (
  layout: Layout,
  content: TaxContent,
  on: CalendarDate,
): ((line: FileLine) => AreaLine) => {
  const { state } = layout;
  const ofState = content.states.get(state);
  const stateRate = inForce(ofState?.rates ?? [], on)?.rate;
  const countyOf = countyFinder(layout, content);

  const knownAt = (county: string, city: Place | undefined): readonly LocalRate[] => {
    if (!ofState) return [];
    const place = city && { ...city, counties: [county] };
    const rows = localRatesAt({ state: ofState, county, place, boundary: undefined }, on);
    return rows.filter(({ tax }) => tax === 'general');
  };

  /** The local part of a rate: it can include that of the state, and other levels where the file has one alone. */
  const localPart = (line: FileLine, total: Rate, known: readonly LocalRate[]): Rate => {
    if (stateRate === undefined)
      throw new ContentRefusedError(line.at, `the content has no rate of ${state} on ${on}`);
    const others = layout.level === undefined ? [] : known.filter(({ level }) => level !== layout.level);
    const local = total - stateRate - sumOf(others);
    if (local < 0)
      throw new ContentRefusedError(line.at, `the rate ${formatRate(total)} is lower than that of the state`);
    return rate(local);
  };

  return (line) => {
    const [name, code] = [cellOf(line, layout, 'name'), cellOf(line, layout, 'code')];
    const rule = layout.areas?.find(({ where }) => matches(line, layout, where));
    if (layout.areas && !rule)
      throw new ContentRefusedError(
        line.at,
        `${code || name || 'an empty cell'} is not the code or name of an area`,
      );
    const isUnrated = rule?.is === 'left out' || rule?.is === 'no rate';
    const given = isUnrated ? [] : partsOf(line, layout, name);
    const is = rule?.is ?? (given.some(({ level }) => level === 'city') ? 'city' : 'outside');
    const isOfCounty = is === 'county' || is === 'outside';
    const county = isUnrated ? '' : countyOf(line, isOfCounty ? name : '');
    const isOther = rule !== undefined && isOfCounty && county === '';
    const at = { line, code, name, county, city: undefined, counties: [], parts: [] };
    if (isUnrated || isOther)
      return { ...at, is: isOther ? 'left out' : is, isCarried: false, isKnown: false };
    const city = is === 'city' ? cityOf(content, layout, { name, code, county }) : undefined;
    const known = knownAt(county, city);
    const isCarried = layout.byStreet !== undefined && matches(line, layout, layout.byStreet);
    const parts = given.flatMap((part): readonly Part[] => {
      const level = part.level ?? layout.level ?? (is === 'city' || is === 'unplaced' ? 'city' : 'county');
      if (level === 'state') {
        if (localPart(line, part.rate, []) === 0) return [];
        throw new ContentRefusedError(line.at, `the rate of ${state} is another one in the content`);
      }
      const local = rule?.withState && !isCarried ? localPart(line, part.rate, known) : part.rate;
      return [{ ...part, level, county, rate: isCarried ? rate(sumOf(known)) : local }];
    });
    const isKnown = sumOf(parts) === sumOf(known.filter(({ level }) => level === (layout.level ?? level)));
    const counties = county === '' ? (city?.counties ?? []) : [county];
    return { ...at, is, city, counties, parts, isCarried, isKnown };
  };
};

const cellOf = (line: FileLine, { columns }: Layout, name: string): string => {
  const column = columns[name];
  return column === undefined ? '' : line.cell(column);
};

export const sumOf = (rates: readonly { readonly rate: Rate }[]): number =>
  rates.reduce((total, each) => total + each.rate, 0);

type GivenPart = Omit<Part, 'level' | 'county'> & { readonly level: Part['level'] | 'state' | undefined };

/** Words for the levels of taxes; any other is that of a district. */
const LEVELS: ReadonlyMap<string, Part['level'] | 'state'> = new Map([
  ['STATE', 'state'],
  ['COUNTY', 'county'],
  ['CNTY', 'county'],
  ['CITY', 'city'],
]);

/** Read the taxes of a line. @throws {ContentRefusedError} when they do not add up */
const partsOf = (line: FileLine, layout: Layout, name: string): readonly GivenPart[] => {
  const { parts, unit, sum, sumMax, censusCodes } = layout;
  if (!parts) {
    const code = censusCodes ? '' : cellOf(line, layout, 'code');
    return [{ level: undefined, code, name: '', rate: rateOf(cellOf(line, layout, 'rate'), unit, line.at) }];
  }
  const given = parts.flatMap((part): readonly GivenPart[] => {
    const word = typeof part.level === 'object' ? line.cell(part.level.column).toUpperCase() : undefined;
    const label = part.name === undefined ? (word ?? '') : line.cell(part.name);
    if (word === '' || part.absent?.test(line.cell(part.name ?? part.rate))) return [];
    const level = typeof part.level === 'object' ? (LEVELS.get(label) ?? 'special') : part.level;
    const letters = word !== undefined && level !== 'special' ? '' : label;
    const code = part.code === undefined ? letters : line.cell(part.code);
    return [
      { level, code, name: letters, called: part.called, rate: rateOf(line.cell(part.rate), unit, line.at) },
    ];
  });
  const total = sum === undefined ? undefined : line.cell(sum);
  if (total !== undefined && sumOf(given) !== rateOf(total, unit, line.at))
    throw new ContentRefusedError(line.at, `the parts of the rate of ${name} do not add up to ${total}`);
  if (sumMax !== undefined && sumOf(given) > sumMax * RATE_ONE)
    throw new ContentRefusedError(line.at, `the local rates add up to more than ${sumMax}`);
  return given;
};

/** The form in which names of counties are compared: `DE KALB CO` is DeKalb County. */
export const countyKey = (name: string): string =>
  placeKey(name.replace(/\s+(?:county|co\.?)$/i, '')).replaceAll(' ', '');

const NO_COUNTY = /^(n\/a)?$/i;

/**
 * Returns a function that finds the three-digit code of the county of a line; empty when there is none. A line of a county
 * that does not name it otherwise has its name.
 */
const countyFinder = (layout: Layout, content: TaxContent): ((line: FileLine, name: string) => string) => {
  const { by, part } = layout.county;
  const codes = new Map<string, string>();
  for (const [fips, name] of content.counties) {
    if (content.countyStates.get(fips) !== layout.state) continue;
    const code = fips.slice(2);
    // Counties are numbered alphabetically, and the federal codes are the odd numbers in this order.
    const number = String((Number(code) + 1) / 2).padStart(2, '0');
    codes.set({ name: countyKey(name), code, number }[by], code);
  }
  return (line, name) => {
    const own = cellOf(line, layout, 'county');
    const isNamed = by === 'name' && !NO_COUNTY.test(own);
    const found = part?.exec(own) ?? part?.exec(cellOf(line, layout, 'code'));
    const code = codes.get(by === 'name' ? countyKey(isNamed ? own : name) : (found?.[1] ?? ''));
    if (isNamed && code === undefined) throw new ContentRefusedError(line.at, `${own} is not a county`);
    return code ?? '';
  };
};

/** Find a city by its code of the Census, else by its name: in its county, if that is known. */
const cityOf = (
  content: TaxContent,
  { state, county: { by } }: Layout,
  { name, code, county }: { readonly name: string; readonly code: string; readonly county: string },
): Place | undefined => {
  if (by === 'code') return content.placesByFips.get(`${state} ${code.slice(0, 5)}`);
  const fitting = placesNamed(content, state, name).filter(
    ({ counties }) => county === '' || counties.includes(county),
  );
  return fitting.find(({ incorporated }) => incorporated) ?? fitting[0];
};
