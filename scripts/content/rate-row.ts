import { type Fact, field, readFacts } from './fact-file.ts';
import type { Cell } from './table-text.ts';

/** What a derived row of the table of local rates says; what is left out is empty. */
export type RateRow = {
  readonly state: string;
  readonly level: 'county' | 'city' | 'special';
  readonly code: string;
  readonly name: string;
  readonly tax?: 'general' | 'food' | 'drugs';
  readonly scope: 'county' | 'unincorporated' | 'place' | 'unmapped';
  readonly counties: readonly string[];
  readonly places?: readonly string[];
  readonly exceptPlaces?: readonly string[];
  readonly rate: string;
  readonly from?: string;
  readonly to?: string;
  readonly source: string;
  readonly confidence: string;
  readonly seen: string;
  readonly note?: string;
};

/** The cells of a row in the order of the table's columns. */
export const rateCells = (row: RateRow): Cell[] => [
  row.state,
  row.level,
  row.code,
  row.name,
  row.tax ?? 'general',
  row.scope,
  row.counties.join(' '),
  (row.places ?? []).join(';'),
  (row.exceptPlaces ?? []).join(';'),
  row.rate,
  row.from,
  row.to,
  row.source,
  row.confidence,
  row.seen,
  row.note,
];

/** Rates of facts are decimal fractions with at most seven places; sums and differences are made of whole units. */
const UNIT = 10_000_000;

export const unitsOf = (text: string): number => Math.round(Number(text) * UNIT);

export const rateText = (units: number): string => String(units / UNIT);

/** The three-digit code of a county by its name without `County`, within one state. */
export const countyFinder = (folder: string, state: string): ((name: string) => string) => {
  const codes = new Map(
    readFacts(folder, 'zip-county.csv')
      .filter((fact) => field(fact, 'state') === state)
      .map((fact) => [
        field(fact, 'county_name').replace(/ County$/, ''),
        field(fact, 'county_fips').slice(2),
      ]),
  );
  return (name) => {
    const code = codes.get(name);
    if (code === undefined) throw new Error(`${name} is not a county of ${state}`);
    return code;
  };
};

/** The codes of the places of a state by `county name`, with the counties as three digits. */
export const placeCodes = (folder: string, state: string): ReadonlyMap<string, string> =>
  new Map(
    readFacts(folder, 'place-county.csv')
      .filter((fact) => field(fact, 'state') === state)
      .flatMap((fact): [string, string][] =>
        [field(fact, 'place'), ...field(fact, 'aliases').split(';')].map((name) => [
          `${field(fact, 'county_fips').slice(2)} ${name.toLowerCase()}`,
          field(fact, 'place_fips'),
        ]),
      ),
  );

/** The rows of a table of local rates of one state (`local/open`). */
export const localFacts = (folder: string, name: string): Fact[] => readFacts(folder, `local/open/${name}`);
