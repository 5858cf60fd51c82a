import { formatMoney, type Money } from '../../kernel/money.ts';
import { COLOURS, colourOf } from './look.ts';
import type { Svg } from './svg.ts';
import { type Tile, tileMap } from './tile-map.ts';

export type StateTile = {
  readonly state: string;
  readonly variance: Money;
  readonly isRegistered: boolean;
  readonly href: string;
};

/** All states as tiles: coloured by the side of their variance, framed where the seller is registered. */
export const stateTiles = (tiles: readonly StateTile[]): Svg =>
  tileMap(
    `The states by variance and registration: ${tiles.length} with sales.`,
    'no sales',
    tiles.map(
      ({ state, variance, isRegistered, href }): Tile => ({
        state,
        shown: formatMoney(variance),
        colour: colourOf(variance),
        ink: variance === 0 ? COLOURS.ink : COLOURS.paper,
        isFramed: isRegistered,
        words: `${state}: variance ${formatMoney(variance)}, ${isRegistered ? 'registered' : 'not registered'}`,
        href,
      }),
    ),
  );
