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
