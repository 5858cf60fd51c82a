import { formatMoney, type Money } from '../../kernel/money.ts';
import type { Chart } from './draw-chart.ts';
import { COLOURS, colourOf } from './look.ts';
import { GRID_COLUMNS, GRID_ROWS, STATE_GRID } from './state-grid.ts';

export type StateTile = {
  readonly state: string;
  readonly variance: Money;
  readonly isRegistered: boolean;
  readonly href: string;
};

const SIZE = 62;

/** All states as tiles: coloured by the side of their variance, framed where the seller is registered. */
export const stateTiles = (tiles: readonly StateTile[]): Chart => {
  const known = new Map(tiles.map((tile) => [tile.state, tile]));
  const rows = STATE_GRID.map(({ state, column, row }) => ({
    column,
    row,
    ...tileOf(state, known.get(state)),
  }));
  return {
    description: `The states by variance and registration: ${tiles.length} with sales.`,
    width: SIZE * GRID_COLUMNS,
    height: SIZE * GRID_ROWS,
    margins: { top: 4, right: 4, bottom: 4, left: 4 },
    rows,
    layer: [
      EMPTY_TILES,
      TILES,
      textLayer('state', 'ink', -7, 'bold'),
      textLayer('amount', 'ink', 11, 'normal'),
    ],
  };
};

const tileOf = (state: string, tile: StateTile | undefined) => {
  if (!tile)
    return {
      state,
      amount: '',
      colour: COLOURS.paper,
      ink: '#6b7280',
      frame: 0,
      words: `${state}: no sales`,
    };
  const { variance, isRegistered, href } = tile;
  const registered = isRegistered ? 'registered' : 'not registered';
  return {
    state,
    amount: formatMoney(variance),
    colour: colourOf(variance),
    ink: variance === 0 ? COLOURS.ink : COLOURS.paper,
    frame: isRegistered ? 3 : 0,
    href,
    words: `${state}: variance ${formatMoney(variance)}, ${registered}`,
  };
};

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

/** A state without sales leads nowhere. */
const EMPTY_TILES = {
  transform: [{ filter: '!isValid(datum.href)' }],
  mark: MARK,
  encoding: LOOK_OF_TILE,
};

const textLayer = (field: string, ink: string, dy: number, fontWeight: string) => ({
  mark: { type: 'text', dy, fontWeight, fontSize: field === 'state' ? 14 : 10, aria: false },
  encoding: {
    ...PLACE,
    text: { field, type: 'nominal' },
    color: { field: ink, type: 'nominal', scale: null },
  },
});
