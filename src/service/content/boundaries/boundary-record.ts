/** The jurisdictions of an area, and the days on which they apply. All records of an area share one object. */
export type BoundaryArea = {
  readonly from: string;
  readonly to: string;
  /** Codes as in the rates of the state; empty if there is none. District codes are separated by blanks. */
  readonly county: string;
  readonly place: string;
  readonly specials: string;
};

/** House numbers of one street within a ZIP, on one side of the street or on both. */
type HouseRange = {
  readonly zip: number;
  readonly street: string;
  readonly low: number;
  readonly high: number;
  readonly side: 'odd' | 'even' | 'both';
};

/** A range of ZIP+4, as numbers of nine digits; a ZIP as a whole is 0000 to 9999. */
type CodeRange = { readonly low: number; readonly high: number };

/** One record of a boundary file. */
export type BoundaryRecord = { readonly area: BoundaryArea } & (
  | { readonly houses: HouseRange }
  | { readonly codes: CodeRange }
);

/** ZIP+4 within a ZIP. */
export const PLUS4_COUNT = 10_000;

/** The layout of the file. Files with another layout must be imported again. */
export const LAYOUT = 1;

/**
 * Names and areas are numbered, and both tables of ranges are their own index, so a range takes about twenty bytes.
 * `zips` lists the areas that contain any part of a ZIP.
 */
export const SCHEMA = `
  create table source (file text not null) strict;
  create table areas (
    id integer primary key, first text not null, last text not null,
    county text not null, place text not null, specials text not null
  ) strict;
  create table streets (id integer primary key, name text not null unique) strict;
  create table houses (
    zip integer not null, street integer not null, low integer not null, high integer not null,
    side integer not null, area integer not null,
    primary key (zip, street, low, high, side, area)
  ) strict, without rowid;
  create table codes (
    low integer not null, width integer not null, area integer not null,
    primary key (low, width, area)
  ) strict, without rowid;
  create table zips (
    zip integer not null, area integer not null, primary key (zip, area)
  ) strict, without rowid;
`;

/** The stored codes for the sides of a street. */
export const SIDES = { both: 0, odd: 1, even: 2 } as const;
