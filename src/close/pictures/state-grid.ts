/**
 * Where each state stands when all have the same size: one row per line, west to east, near enough to the map that
 * one finds a state where one looks for it.
 */
const MAP = [
  'AK .. .. .. .. .. .. .. .. .. ME',
  '.. .. .. .. .. .. .. .. .. VT NH',
  'WA ID MT ND MN WI .. MI NY MA RI',
  'OR NV WY SD IA IL IN OH PA NJ CT',
  'CA UT CO NE MO KY WV VA MD DE ..',
  '.. AZ NM KS AR TN NC SC DC .. ..',
  '.. .. .. OK LA MS AL GA .. .. ..',
  'HI .. .. TX .. .. .. .. FL .. PR',
] as const;

export type GridPlace = { readonly state: string; readonly column: number; readonly row: number };

/** The states, the District of Columbia and Puerto Rico, row by row. */
export const STATE_GRID: readonly GridPlace[] = MAP.flatMap((line, row) =>
  line.split(' ').flatMap((state, column) => (state === '..' ? [] : [{ state, column, row }])),
);

export const GRID_COLUMNS = MAP[0].split(' ').length;
export const GRID_ROWS = MAP.length;
