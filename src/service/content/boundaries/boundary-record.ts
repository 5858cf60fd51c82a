/** The jurisdictions of an area, and the days on which they hold. An area is one object for all its records. */
export type BoundaryArea = {
  readonly from: string;
  readonly to: string;
  /** Codes as the rates of the state have them; empty where there is none. Districts stand with blanks between them. */
  readonly county: string;
  readonly place: string;
  readonly specials: string;
};

/** House numbers of one street within a ZIP, on one side of the street or on both. */
export type HouseRange = {
  readonly zip: number;
  readonly street: string;
  readonly low: number;
  readonly high: number;
  readonly side: 'odd' | 'even' | 'both';
};

/** A range of ZIP+4, as numbers of nine digits; a ZIP as a whole is 0000 to 9999. */
export type CodeRange = { readonly low: number; readonly high: number };

/** One record of a boundary file. */
export type BoundaryRecord = { readonly area: BoundaryArea } & (
  | { readonly houses: HouseRange }
  | { readonly codes: CodeRange }
);

/** ZIP+4 within a ZIP. */
export const PLUS4_COUNT = 10_000;
