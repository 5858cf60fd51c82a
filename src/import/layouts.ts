/** The general local rates of Alabama, a county or a city a line. */
const alabama: Layout = {
  kind: 'alabama',
  state: 'AL',
  form: 'table',
  columns: {
    code: 'localitycode',
    name: 'localityname',
    tax: 'taxtype',
    type: 'ratetype',
    from: 'activedate',
    to: 'inactivedate',
    rate: 'rate',
    county: 'countycode',
  },
  only: { tax: /^ST$/, type: /^GENER$/ },
  unit: 'percent',
  days: 'own',
  county: { by: 'number', part: /^7\d(\d\d)$/ },
  counties: { least: 67, in: 'own lines' },
  // Where a county has a line for inside city limits, its plain line holds outside of them. Police jurisdictions around
  // cities have reduced rates.
  areas: [
    { is: 'county', where: { code: /^70\d\d$/ } },
    { is: 'inside', where: { code: /^7[1-9]\d\d$/, name: /\bCL\b|CITY LIMITS/i } },
    { is: 'left out', where: { code: /^7\d{3}$/ } },
    { is: 'city', where: { code: /^9\d{3}$/ } },
  ],
  censusCodes: true,
  leftOut: 'further lines of counties',
};

/** The rates of Arizona by region and business. Three cities share the name of a county: the length of the code decides. */
const arizona: Layout = {
  kind: 'arizona',
  state: 'AZ',
  form: 'table',
  columns: {
    code: 'regioncode',
    name: 'regionname',
    business: 'businesscode',
    rate: 'taxrate',
    type: 'ratetype',
  },
  only: { business: /^0*17$/, type: /^percent$/i },
  unit: 'percent',
  days: 'name',
  county: { by: 'name' },
  counties: { least: 15, in: 'own lines' },
  areas: [
    { is: 'county', where: { code: /^.{3}$/ }, withState: true },
    { is: 'city', where: { code: /^.{2}$/ } },
    { is: 'left out' },
  ],
  once: 'line',
  censusCodes: true,
  leftOut: 'reservations and districts',
};

/** The city and county rates of California. A county that taxes its land outside of cities alone has a line without a rate. */
const california: Layout = {
  kind: 'cdtfa',
  state: 'CA',
  form: 'table',
  isRagged: true,
  columns: { name: 'location', rate: 'rate', county: 'county', type: 'type' },
  unit: 'fraction',
  days: 'name',
  county: { by: 'name' },
  counties: { least: 58, in: 'any line' },
  areas: [
    { is: 'no rate', where: { rate: /^$/ } },
    { is: 'no rate', where: { county: /^County$/ } },
    { is: 'city', where: { type: /^City$/ }, withState: true },
    { is: 'outside', where: { type: /^County$/ }, withState: true },
  ],
  once: 'line',
  level: 'special',
  called: 'District taxes in',
  censusCodes: true,
  source: 'cdtfa-rates',
  note: 'all districts of the place together, from the table of city and county rates',
  keepsEqual: true,
};

/** The half-yearly codes and rates of Colorado. A place has several lines, for parts of it with other districts. */
const colorado: Layout = {
  kind: 'colorado',
  state: 'CO',
  form: 'table',
  sheet: 'By Name',
  columns: { name: 'locationcode', code: 'jurisdictioncode', county: 'county' },
  only: { name: /./ },
  unit: 'percent',
  days: 'name',
  county: { by: 'name' },
  counties: { least: 64, in: 'any line' },
  // A word for the tax, its rate and its service fee, twelve times.
  parts: Array.from(
    { length: 12 },
    (_, index): PartColumns => ({ level: { column: 8 + 3 * index }, rate: 9 + 3 * index }),
  ),
  sum: 'totalrate',
  together: 'most lines',
  once: 'line',
  censusCodes: true,
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
  county: { by: 'name' },
  areas: ILLINOIS_AREAS.map((rule) => ({ ...rule, withState: true })),
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
  county: { by: 'name' },
  areas: ILLINOIS_AREAS,
  tax: 'food',
  replacesAll: true,
  source: 'il-grocery-file',
};

/** The quarterly chart of Missouri. A code is that of a place, its county and a district; a rate is that of all taxes. */
const missouri: Layout = {
  kind: 'missouri',
  state: 'MO',
  form: 'table',
  columns: { name: 'jurisdictionname', code: 'jurisdictioncode', rate: 'salestaxrate' },
  only: { code: /./ },
  unit: 'fraction',
  days: 'name',
  county: { by: 'code', part: /^\d{5}-(\d{3})-/ },
  // St. Louis is independent of any county.
  counties: { least: 114, in: 'own lines' },
  areas: [
    { is: 'county', where: { code: /^00000-\d{3}-000$/ }, withState: true },
    { is: 'city', where: { code: /^\d{5}-\d{3}-000$/ }, withState: true },
    { is: 'left out', where: { code: /^\d{5}-\d{3}-\d{3}$/ } },
  ],
  together: 'all lines',
  withCounty: true,
  once: 'line',
  censusCodes: true,
  otherRate: 'usetaxrate',
  leftOut: 'codes with a district',
};

/** The districts of New Mexico's gross receipts tax. Tribal areas have two rates, and others lie within cities. */
const newMexico: Layout = {
  kind: 'new-mexico',
  state: 'NM',
  form: 'table',
  columns: { name: 'name', county: 'county', code: 'locat_cdr', rate: 'grt_rate' },
  unit: 'percent',
  days: 'name',
  county: { by: 'name' },
  // One county has no land outside of its cities.
  counties: { least: 32, in: 'own lines' },
  areas: [
    { is: 'left out', where: { code: /^$/ } },
    { is: 'outside', where: { code: /^\d\d-\d{3}$/, name: /^Remainder of County/i }, withState: true },
    {
      is: 'left out',
      where: {
        name: /\b(?:airport|tidd?|tif|industrial park|fairgrounds|water|sanitation|land|lake|canyon)\b/i,
      },
    },
    { is: 'city', where: { code: /^\d\d-\d{3}$/ }, withState: true },
  ],
  once: 'rate',
  leftOut: 'tribal and small areas',
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
  county: { by: 'name' },
  parts: [
    { level: 'city', name: 0, code: 1, rate: 2, absent: TEXAS_NONE },
    { level: 'county', name: 3, code: 4, rate: 5, absent: TEXAS_NONE },
    { level: 'special', name: 6, code: 7, rate: 8, absent: TEXAS_NONE },
    { level: 'special', name: 9, code: 10, rate: 11, absent: TEXAS_NONE },
  ],
  sumMax: 0.02,
  together: 'all lines',
};

/** The rates of Washington by location. A second location of a name lies inside or outside of a transit district. */
const washington: Layout = {
  kind: 'washington-rates',
  state: 'WA',
  form: 'table',
  columns: { name: 'name', code: 'code', from: 'effectivedate' },
  unit: 'fraction',
  days: 'newest',
  county: { by: 'number', part: /^(\d\d)/ },
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
export const LAYOUTS: readonly Layout[] = [
  alabama,
  arizona,
  california,
  colorado,
  illinois,
  illinoisGrocery,
  missouri,
  newMexico,
  texas,
  washington,
];

/** The title of a column, or its number from 0. */
export type Column = string | number;

/** Patterns of the cells of a line, by the name that the layout gives the column. All of them have to match. */
export type Match = Readonly<Record<string, RegExp>>;

export type AreaRule = {
  /**
   * What a line is about: a county as a whole, its land outside of cities, all of its cities, one city, or a part of a
   * city that only an address can tell. Other areas are left out and counted, and some lines have no rate of their own.
   */
  readonly is: 'county' | 'outside' | 'inside' | 'city' | 'unplaced' | 'left out' | 'no rate';
  readonly where?: Match;
  /** Whether the rate includes that of the state. */
  readonly withState?: boolean;
};

/** One of several taxes in a line. */
export type PartColumns = {
  /** The level of the tax, or the column with a word for it: of a district, this is its code and its name. */
  readonly level: 'state' | 'county' | 'city' | 'special' | { readonly column: Column };
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
  /** A table has titles in one of its first rows; other lines have so many cells between tabs, or are cut at positions. */
  readonly form:
    | 'table'
    | { readonly cells: number; readonly except: RegExp }
    | { readonly width: number; readonly cuts: readonly number[] };
  /** Whether rows can end before cells that are empty. */
  readonly isRagged?: boolean;
  /** The sheet of a workbook with several. */
  readonly sheet?: string;
  /** Matches the first line of a file without titles; `year`, `quarter` and `rows` are of the file where it has them. */
  readonly firstLine?: RegExp;
  /** Where a line has its `name`, `code`, `county`, `rate`, `from` and `to`, and what patterns refer to. */
  readonly columns: Readonly<Record<string, Column>>;
  /** The lines that are read. */
  readonly only?: Match;
  readonly unit: 'percent' | 'fraction' | 'hundred-thousandths';
  /** The days of a line: its own, those from the newest begin in the file on, or those of its name or first line. */
  readonly days: 'own' | 'newest' | 'name' | 'first line';
  /** How a line tells its county, by its column or else by its code, and the part of the cell that does. */
  readonly county: { readonly by: 'name' | 'number' | 'code'; readonly part?: RegExp };
  /** How many counties must be there, in lines of whole counties and of land outside of cities, or in any line. */
  readonly counties?: { readonly least: number; readonly in: 'own lines' | 'any line' };
  /** The first rule whose patterns match. Without rules, a line with the tax of a city is of that city. */
  readonly areas?: readonly AreaRule[];
  /** The taxes of a line that has several, and the column of their sum. */
  readonly parts?: readonly PartColumns[];
  readonly sum?: Column;
  /** The most that they can come to. */
  readonly sumMax?: number;
  /** The lines of a place are put together: each tax that they have is one row. A district needs so many of them. */
  readonly together?: 'all lines' | 'most lines';
  /** Whether the local part of a city includes that of its county, which has a line of its own. */
  readonly withCounty?: boolean;
  /** A code stands in one line only, or in several with the same rate. */
  readonly once?: 'line' | 'rate';
  /** The level of every rate, if the area does not say it, and what stands before the names of areas. */
  readonly level?: 'special';
  readonly called?: string;
  /** Whether jurisdictions have the codes of the Census, not those of the file. */
  readonly censusCodes?: boolean;
  readonly tax?: 'food';
  /** Whether the file replaces all rates of its tax, of earlier days, too. */
  readonly replacesAll?: boolean;
  readonly source?: string;
  readonly note?: string;
  /** Matches lines whose rate depends on the street address, and is not in the file. */
  readonly byStreet?: Match;
  /** The column with the rate of sellers outside of the state. */
  readonly otherRate?: Column;
  /** What the areas that are left out are. */
  readonly leftOut?: string;
  /** Whether rates of the content that come to the same total stay as they are, tax by tax. */
  readonly keepsEqual?: boolean;
};
