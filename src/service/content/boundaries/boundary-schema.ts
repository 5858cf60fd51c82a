/** The layout of the file. Files of another layout are imported again. */
export const LAYOUT = 1;

/**
 * Names and areas are numbered, and both tables of ranges are their own index, so a range takes some twenty bytes.
 * `zips` has the areas of which a ZIP has any part.
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

/** How the sides of a street are stored. */
export const SIDES = { both: 0, odd: 1, even: 2 } as const;
