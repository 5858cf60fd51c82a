import { OPEN_END } from '../dated.ts';
import { placeKey } from '../place-name.ts';
import { dayAfter, dayBefore } from './cell-values.ts';
import type { ParsedFile, Replaced } from './parsed-file.ts';
import type { TextRow } from './table-rows.ts';

export const endOf = (row: TextRow): string => row['to'] || OPEN_END;
export const beginOf = (row: TextRow): string => row['from'] ?? '';

/** Whether a row is a rate of a state itself. In the table of such rates, a row has no level. */
export const isOfState = (row: TextRow): boolean => row['level'] === undefined || row['level'] === 'state';

/** What rows of different taxes can share: several districts of a county can have its code. */
export const codeKey = (row: TextRow): string =>
  isOfState(row)
    ? `${row['state']} state`
    : `${row['state']} ${row['level']} ${row['code']} ${row['tax'] || 'general'}`;

/** Returns a row with its days before a day; an empty list if it has no such days. */
const before = (row: TextRow, day: string): TextRow[] => {
  if (beginOf(row) >= day) return [];
  return [endOf(row) < day ? row : { ...row, to: dayBefore(day) }];
};

/** Returns a row with its days after a day; an empty list if it has no such days. */
const after = (row: TextRow, day: string): TextRow[] => {
  if (endOf(row) <= day) return [];
  return [beginOf(row) > day ? row : { ...row, from: dayAfter(day) }];
};

/** Keep the days of a row up to a day, that day included. */
export const upTo = (row: TextRow, day: string): TextRow[] => before(row, dayAfter(day));

/** A row of a local rate, divided by the area of another row. */
type DividedRow = {
  /** The part within the area; `undefined` if they have none in common. */
  readonly inside: TextRow | undefined;
  readonly outside: readonly TextRow[];
};

/** Whether two rows of one tax hold at some address both, on days that they share. */
export const sharesArea = (row: TextRow, other: TextRow): boolean => divided(row, other).inside !== undefined;

/** Whether it is not known where a row holds; of a rate of a state, no row says it. */
const isUnmapped = (row: TextRow): boolean => (row['scope'] ?? 'unmapped') === 'unmapped';

/**
 * Divide a row by the area of another row of the same tax. A row without a known area is taken to be all inside, and so
 * is one of whole counties by the land outside of their cities: no row can have its cities alone.
 */
const divided = (row: TextRow, other: TextRow): DividedRow => {
  if (isUnmapped(row) || isUnmapped(other)) return { inside: row, outside: [] };
  const counties = listed(row, 'counties');
  const shared = counties.filter((county) => listed(other, 'counties').includes(county));
  if (shared.length === 0) return { inside: undefined, outside: [row] };
  const { inside, outside } = dividedByPlaces({ ...row, counties: shared.join(' ') }, other);
  if (!inside) return { inside, outside: [row] };
  const rest = counties.filter((county) => !shared.includes(county));
  return {
    inside,
    outside: rest.length === 0 ? outside : [{ ...row, counties: rest.join(' ') }, ...outside],
  };
};

const NONE = { inside: undefined, outside: [] };

/** List what is left of a row beside a part of it that is replaced. */
export const leftOf = (row: TextRow, { from, to, by }: Replaced, until = to): TextRow[] => {
  if (endOf(row) < from || beginOf(row) > until) return [row];
  const { inside, outside } = by ? divided(row, by) : { inside: row, outside: [] };
  if (!inside) return [row];
  return [...outside, ...before(inside, from), ...after(inside, until)];
};

/** A part of the area of a row, and the last day of a file there; `undefined` where it has none. */
type SpokenPart = { readonly part: TextRow; readonly last: string | undefined };

/**
 * Returns a function that divides a row by the last day that a file covers. Each tax of a file ends before the later rate
 * that the content has of it. A Streamlined file has the codes of the content; in another file, what it has at the level
 * of that rate, or at all levels where it does not have this one, is the same tax in the places of both.
 */
export const partsSpoken = (
  { kind, localRates }: ParsedFile,
  later: readonly TextRow[],
  until: string | undefined,
): ((row: TextRow) => readonly SpokenPart[]) => {
  const levels = new Set(localRates.map(({ level }) => level));
  const isOneTax = (row: TextRow, other: TextRow): boolean => {
    if (codeKey(row) === codeKey(other)) return true;
    if (kind === 'sst-rates' || isUnmapped(row) || isUnmapped(other)) return false;
    return row['level'] === other['level'] || !levels.has(other['level']);
  };
  return (row) =>
    later.reduce(
      (parts: readonly SpokenPart[], next) =>
        parts.flatMap(({ part, last }) => {
          const before = dayBefore(beginOf(next));
          if ((last ?? endOf(part)) <= before || !isOneTax(part, next)) return [{ part, last }];
          const { inside, outside } = divided(part, next);
          return [
            ...outside.map((each) => ({ part: each, last })),
            ...(inside ? [{ part: inside, last: before }] : []),
          ];
        }),
      [{ part: row, last: until }],
    );
};

/** Divide a row within the counties of both. */
const dividedByPlaces = (row: TextRow, other: TextRow): DividedRow => {
  const named = listed(other, other['scope'] === 'place' ? 'places' : 'except_places');
  switch (`${row['scope']} by ${other['scope']}`) {
    case 'place by place':
      return ofPlaces(row, common(listed(row, 'places'), named), without(listed(row, 'places'), named));
    case 'place by county':
      return ofPlaces(row, without(listed(row, 'places'), named), common(listed(row, 'places'), named));
    case 'county by place': {
      const excepted = listed(row, 'except_places');
      const taken = without(named, excepted);
      const rest = { ...row, except_places: [...excepted, ...taken].join(';') };
      return taken.length === 0 ? NONE : { inside: inPlaces(row, taken), outside: [rest] };
    }
    case 'county by county': {
      const left = without(named, listed(row, 'except_places'));
      return { inside: row, outside: left.length === 0 ? [] : [inPlaces(row, left)] };
    }
    case 'place by unincorporated':
    case 'unincorporated by place':
      return NONE;
    default:
      return { inside: row, outside: [] };
  }
};

const ofPlaces = (row: TextRow, inside: readonly string[], outside: readonly string[]): DividedRow => ({
  inside: inside.length === 0 ? undefined : inPlaces(row, inside),
  outside: outside.length === 0 ? [] : [inPlaces(row, outside)],
});

const inPlaces = (row: TextRow, places: readonly string[]): TextRow => ({
  ...row,
  scope: 'place',
  places: places.join(';'),
  except_places: '',
});

const SEPARATORS = { counties: ' ', places: ';', except_places: ';' } as const;

const listed = (row: TextRow, column: keyof typeof SEPARATORS): readonly string[] =>
  (row[column] ?? '').split(SEPARATORS[column]).filter((name) => name !== '');

const keys = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(placeKey));

const common = (names: readonly string[], others: readonly string[]): readonly string[] =>
  names.filter((name) => keys(others).has(placeKey(name)));

const without = (names: readonly string[], others: readonly string[]): readonly string[] =>
  names.filter((name) => !keys(others).has(placeKey(name)));
