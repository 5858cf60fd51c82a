/** The city and county rates of California. A county that taxes its land outside of cities alone has a line without a rate. */
const california: Layout = {
  kind: 'cdtfa',
  state: 'CA',
  form: 'table',
  columns: { name: 'location', rate: 'rate', county: 'county', type: 'type' },
  unit: 'fraction',
  days: 'name',
  counties: 58,
  areas: [
    { is: 'no rate', where: { rate: /^$/ } },
    { is: 'no rate', where: { county: /^County$/ } },
    { is: 'city', where: { type: /^City$/ } },
    { is: 'outside', where: { type: /^County$/ } },
  ],
  withState: true,
  isDistricts: true,
  source: 'cdtfa-rates',
  note: 'all districts of the place together, from the table of city and county rates',
};

const ILLINOIS_AREAS = [{ is: 'outside', where: { name: /\bUNINC|\bCOUNTY\b/i } }, { is: 'city' }] as const;

/** The machine-readable general merchandise rates of Illinois. */
const illinois: Layout = {
  kind: 'illinois',
  state: 'IL',
  form: { width: 211, cuts: [0, 10, 35, 60, 61, 69, 74] },
  firstLine: /^\d{10}.{50}[YN ]\d{28}/,
  columns: { code: 0, name: 1, county: 2, byStreet: 3, from: 4, rate: 5 },
  unit: 'hundred-thousandths',
  days: 'newest',
  areas: ILLINOIS_AREAS,
  withState: true,
  note: 'the whole local part',
  byStreet: { byStreet: /^Y$/ },
};

/** The machine-readable grocery rates of Illinois: which places tax food, and since when. A zero is a known rate. */
const illinoisGrocery: Layout = {
  kind: 'illinois-grocery',
  state: 'IL',
  form: { width: 106, cuts: [0, 10, 35, 60, 68, 73] },
  firstLine: /^\d{10}.{50}\d{18}[YN ]/,
  columns: { code: 0, name: 1, county: 2, from: 3, rate: 4 },
  unit: 'hundred-thousandths',
  days: 'own',
  areas: ILLINOIS_AREAS,
  tax: 'food',
  source: 'il-grocery-file',
};

const TEXAS_NONE = /^(n\/a)?$/;

/** The local rates of Texas: a line has a city or an area, its county, its transit and its special district. */
const texas: Layout = {
  kind: 'texas',
  state: 'TX',
  // Lines with the days on which returns are due begin with their period.
  form: { cells: 12, except: /^\d{5}\t/ },
  firstLine: /^1\t(?<year>\d{4})(?<quarter>\d)\t[^\t]*\t[^\t]*\t0?\.\d+\t[^\t]*\t(?<rows>\d+)\t/,
  columns: { name: 0, code: 1, county: 3 },
  unit: 'fraction',
  days: 'first line',
  parts: [
    { level: 'city', name: 0, code: 1, rate: 2, absent: TEXAS_NONE },
    { level: 'county', name: 3, code: 4, rate: 5, absent: TEXAS_NONE },
    { level: 'special', name: 6, code: 7, rate: 8, absent: TEXAS_NONE },
    { level: 'special', name: 9, code: 10, rate: 11, absent: TEXAS_NONE },
  ],
  sumMax: 0.02,
  isTogether: true,
};

/** The rates of Washington by location. A second location of a name lies inside or outside of a transit district. */
const washington: Layout = {
  kind: 'washington-rates',
  state: 'WA',
  form: 'table',
  columns: { name: 'name', code: 'code', from: 'effectivedate' },
  unit: 'fraction',
  days: 'newest',
  countyNumber: /^(\d\d)/,
  areas: [
    { is: 'unplaced', where: { code: /^\d{4}$/, name: /\(.*\)$/ } },
    { is: 'outside', where: { code: /^\d{4}$/, name: /\bUNINC/i } },
    { is: 'city', where: { code: /^\d{4}$/ } },
  ],
  parts: [
    { level: 'state', rate: 'state' },
    { level: 'city', code: 'code', rate: 'local' },
    { level: 'special', code: 'code', rate: 'rta', called: 'regional transit', absent: /^0*\.?0*$/ },
  ],
  sum: 'rate',
};

/** The layouts of rate files that states publish, beside those of the Streamlined members. */
export const LAYOUTS: readonly Layout[] = [california, illinois, illinoisGrocery, texas, washington];

/** The title of a column, or its number from 0. */
export type Column = string | number;

/** Patterns of the cells of a line, by the name that the layout gives the column. All of them have to match. */
export type Match = Readonly<Record<string, RegExp>>;

export type AreaRule = {
  /**
   * What a line is about: the land of a county outside of cities, one city, or a part of a city that only an address can
   * tell. Some lines have no rate of their own.
   */
  readonly is: 'outside' | 'city' | 'unplaced' | 'no rate';
  readonly where?: Match;
};

/** One of several taxes in a line. */
type PartColumns = {
  readonly level: 'state' | 'county' | 'city' | 'special';
  readonly rate: Column;
  readonly code?: Column;
  readonly name?: Column;
  /** What follows the name of the area, for a tax without a name of its own. */
  readonly called?: string;
  /** Matches the name, or where there is none the rate, of a tax that the line does not have. */
  readonly absent?: RegExp;
};

/**
 * How an official file of a state is read. A layout has no figures of law: it says where the file has them, and what they
 * mean.
 */
export type Layout = {
  /** The name under which imports of such a file are recorded. */
  readonly kind: string;
  readonly state: string;
  /**
   * A table has titles in one of its first rows, and its rows can end before cells that are empty; other lines have so
   * many cells between tabs, or are cut at positions.
   */
  readonly form:
    | 'table'
    | { readonly cells: number; readonly except: RegExp }
    | { readonly width: number; readonly cuts: readonly number[] };
  /** Matches the first line of a file without titles; `year`, `quarter` and `rows` are of the file where it has them. */
  readonly firstLine?: RegExp;
  /** Where a line has its `name`, `code`, `county`, `rate` and `from`, and what patterns refer to. */
  readonly columns: Readonly<Record<string, Column>>;
  readonly unit: 'fraction' | 'hundred-thousandths';
  /** The days of a line: its own, those from the newest begin in the file on, or those of its name or first line. */
  readonly days: 'own' | 'newest' | 'name' | 'first line';
  /** The part of a code that is the number of its county among those of the state; otherwise the line names its county. */
  readonly countyNumber?: RegExp;
  /** How many counties must be there. */
  readonly counties?: number;
  /** The first rule whose patterns match. Without rules, a line with the tax of a city is of that city. */
  readonly areas?: readonly AreaRule[];
  /** Whether a rate includes that of the state. */
  readonly withState?: boolean;
  /** The taxes of a line that has several, and the column of their sum. */
  readonly parts?: readonly PartColumns[];
  readonly sum?: Column;
  /** The most that they can come to. */
  readonly sumMax?: number;
  /** The lines of a place are put together: each tax that all of them have is one row. */
  readonly isTogether?: boolean;
  /**
   * Whether a rate is the sum of all districts of its place, which has one line only. Districts of the content that come
   * to the same stay as they are, tax by tax.
   */
  readonly isDistricts?: boolean;
  readonly tax?: 'food';
  readonly source?: string;
  readonly note?: string;
  /** Matches lines whose rate depends on the street address, and is not in the file. */
  readonly byStreet?: Match;
};
