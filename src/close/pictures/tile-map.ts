import { COLOURS } from './look.ts';
import { chart, mark, type Svg, text } from './svg.ts';

/** The content of one state's tile. */
export type Tile = {
  readonly state: string;
  /** A figure below the name of the state. */
  readonly shown: string;
  readonly colour: string;
  /** Colour of the text on the tile. */
  readonly ink: string;
  /** Whether the tile has a thick frame, to stand out. */
  readonly isFramed: boolean;
  readonly words: string;
  /** The target of the tile, if it is a link. */
  readonly href: string | undefined;
};

const SIZE = 56;

const STEP = 62;

const MARGIN = 4;

const FRAME = 3;

const THIN_FRAME = 0.5;

/** Longest figure in the usual size; a longer one is set smaller to stay within its tile. */
const FIGURE_LENGTH = 8;

/** Draws all states as tiles of one size; states without data are white. */
export const tileMap = (description: string, nothing: string, tiles: readonly Tile[]): Svg => {
  const known = new Map(tiles.map((tile) => [tile.state, tile]));
  const drawn = STATE_GRID.map(({ state, column, row }) =>
    drawTile(known.get(state) ?? emptyTile(state, nothing), MARGIN + STEP * column, MARGIN + STEP * row),
  );
  const size = { width: extent(GRID_COLUMNS), height: extent(GRID_ROWS), description };
  return chart(size, ...drawn);
};

const extent = (tiles: number): number => STEP * (tiles - 1) + SIZE + 2 * MARGIN;

const drawTile = (tile: Tile, x: number, y: number): Svg => {
  const place = { x, y, width: SIZE, height: SIZE };
  const frame = tile.isFramed ? FRAME : THIN_FRAME;
  const middle = { x: x + SIZE / 2, 'text-anchor': 'middle', 'pointer-events': 'none', fill: tile.ink };
  const figureSize = tile.shown.length > FIGURE_LENGTH ? 9 : 11;
  return [
    mark({ ...place, fill: tile.colour, words: tile.words, href: tile.href, frame }),
    text({ ...middle, y: y + 26, 'font-size': 14, 'font-weight': 'bold' }, tile.state),
    ...(tile.shown === '' ? [] : [text({ ...middle, y: y + 43, 'font-size': figureSize }, tile.shown)]),
  ].join('');
};

const emptyTile = (state: string, nothing: string): Tile => ({
  state,
  shown: '',
  colour: COLOURS.paper,
  ink: COLOURS.soft,
  isFramed: false,
  words: `${state}: ${nothing}`,
  href: undefined,
});

/**
 * The position of each state in a grid of equal tiles: one row per line, from west to east, close enough to the map to
 * find a state where one expects it.
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

type GridPlace = { readonly state: string; readonly column: number; readonly row: number };

/** The states, the District of Columbia and Puerto Rico, row by row. */
export const STATE_GRID: readonly GridPlace[] = MAP.flatMap((line, row) =>
  line.split(' ').flatMap((state, column) => (state === '..' ? [] : [{ state, column, row }])),
);

const GRID_COLUMNS = MAP[0].split(' ').length;

const GRID_ROWS = MAP.length;
