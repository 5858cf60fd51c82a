import { COLOURS } from './look.ts';
import type { Svg } from './svg.ts';
import { type Tile, tileMap } from './tile-map.ts';

export type NexusTile = {
  readonly state: string;
  readonly status: 'registered' | 'crossed' | 'close' | 'below';
  /** Share of the threshold, in hundredths of a percent. */
  readonly reached: number;
  readonly href: string | undefined;
};

/** Dark for a duty to collect, lighter if the threshold is close; a sign says the same. */
const LOOKS = {
  registered: { sign: '', colour: COLOURS.under, ink: COLOURS.paper, words: 'registered' },
  crossed: { sign: '▲ ', colour: COLOURS.over, ink: COLOURS.paper, words: 'crossed, and not registered' },
  close: { sign: '△ ', colour: COLOURS.close, ink: COLOURS.ink, words: 'close' },
  below: { sign: '', colour: COLOURS.none, ink: COLOURS.ink, words: 'below' },
} as const;

const BASIS_POINTS = 100;

/**
 * Draws all states as tiles: how much of its nexus threshold each has reached, and whether the seller must register.
 */
export const nexusTiles = (tiles: readonly NexusTile[]): Svg => {
  const count = (status: NexusTile['status']): number =>
    tiles.filter((tile) => tile.status === status).length;
  return tileMap(
    `The states by nexus: ${count('registered')} registered, ${count('crossed')} crossed and not registered, ${count('close')} close, ${count('below')} below.`,
    'no sales, or no threshold',
    tiles.map(({ state, status, reached, href }): Tile => {
      const { sign, colour, ink, words } = LOOKS[status];
      const percent = `${Math.floor(reached / BASIS_POINTS)}%`;
      return {
        state,
        shown: sign + percent,
        colour,
        ink,
        isFramed: status === 'registered',
        words: `${state}: ${percent} of the threshold, ${words}`,
        href,
      };
    }),
  );
};
