import { formatMoney, type Money } from '../../kernel/money.ts';
import { COLOURS, colourOf } from './look.ts';
import type { Svg } from './svg.ts';
import { type Tile, tileMap } from './tile-map.ts';

export type StateTile = {
  readonly state: string;
  readonly variance: Money;
  /** Whether most of the variance comes from rates that the tax content lacks. */
  readonly isGap: boolean;
  readonly isRegistered: boolean;
  readonly href: string;
};

/** Draws all states as tiles, coloured by the sign of their variance and framed if the seller is registered. */
export const stateTiles = (tiles: readonly StateTile[]): Svg =>
  tileMap(
    `The states by variance and registration: ${tiles.length} with sales.`,
    'no sales',
    tiles.map(
      ({ state, variance, isGap, isRegistered, href }): Tile => ({
        state,
        shown: formatMoney(variance),
        colour: isGap ? COLOURS.gap : colourOf(variance),
        ink: variance === 0 || isGap ? COLOURS.ink : COLOURS.paper,
        isFramed: isRegistered,
        words: `${state}: variance ${formatMoney(variance)}${isGap ? ', mostly rates that Tieout lacks' : ''}, ${isRegistered ? 'registered' : 'not registered'}`,
        href,
      }),
    ),
  );
