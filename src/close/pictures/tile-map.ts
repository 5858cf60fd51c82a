import type { Chart } from './draw-chart.ts';
import { COLOURS } from './look.ts';
import { GRID_COLUMNS, GRID_ROWS, STATE_GRID } from './state-grid.ts';

/** What is said of one state. */
export type Tile = {
  readonly state: string;
  /** A figure below the name of the state. */
  readonly shown: string;
  readonly colour: string;
  /** Of the text on the colour. */
  readonly ink: string;
  /** States that stand out have a thick frame. */
  readonly isFramed: boolean;
  readonly words: string;
  /** Where the tile leads; nowhere when it is missing. */
  readonly href: string | undefined;
};

const SIZE = 62;
const FRAME = 3;
const THIN_FRAME = 0.5;

/** All states as tiles of one size, those of which nothing is said in white. */
export const tileMap = (description: string, nothing: string, tiles: readonly Tile[]): Chart => {
  const known = new Map(tiles.map((tile) => [tile.state, tile]));
  return {
    description,
    width: SIZE * GRID_COLUMNS,
    height: SIZE * GRID_ROWS,
    margins: { top: 4, right: 4, bottom: 4, left: 4 },
    rows: STATE_GRID.map(({ state, column, row }) => {
      const tile = known.get(state) ?? emptyTile(state, nothing);
      return { column, row, ...tile, frame: tile.isFramed ? FRAME : THIN_FRAME };
    }),
    layer: [UNLINKED_TILES, TILES, textLayer('state', -7, 'bold', 14), textLayer('shown', 11, 'normal', 10)],
  };
};

const emptyTile = (state: string, nothing: string) => ({
  state,
  shown: '',
  colour: COLOURS.paper,
  ink: '#4b5563',
  isFramed: false,
  words: `${state}: ${nothing}`,
});

const PLACE = {
  x: { field: 'column', type: 'ordinal', axis: null, scale: { paddingInner: 0.1 } },
  y: { field: 'row', type: 'ordinal', axis: null, scale: { paddingInner: 0.1 } },
} as const;

const LOOK_OF_TILE = {
  ...PLACE,
  fill: { field: 'colour', type: 'nominal', scale: null },
  strokeWidth: { field: 'frame', type: 'quantitative', scale: null },
  description: { field: 'words' },
} as const;

const MARK = { type: 'rect', stroke: COLOURS.ink } as const;

const TILES = {
  transform: [{ filter: 'isValid(datum.href)' }],
  mark: MARK,
  encoding: { ...LOOK_OF_TILE, href: { field: 'href' } },
};

/** These lead nowhere. */
const UNLINKED_TILES = {
  transform: [{ filter: '!isValid(datum.href)' }],
  mark: MARK,
  encoding: LOOK_OF_TILE,
};

const textLayer = (field: 'state' | 'shown', dy: number, fontWeight: string, fontSize: number) => ({
  mark: { type: 'text', dy, fontWeight, fontSize, aria: false },
  encoding: {
    ...PLACE,
    text: { field, type: 'nominal' },
    color: { field: 'ink', type: 'nominal', scale: null },
  },
});
