import { type Html, html } from './html.ts';

/** The tile of one state. */
export type Tile = {
  readonly state: string;
  /** A figure below the name of the state. */
  readonly figure: string;
  /** Names of its style, such as `over` or `registered`. */
  readonly kinds: readonly string[];
  /** The text alternative of the tile. */
  readonly words: string;
  /** The target of the tile, if it is a link. */
  readonly href: string | undefined;
};

/**
 * The position of each state in a grid of equal tiles: one row per line, from west to east, close enough to the map to
 * find a state where one expects it.
 */
const STATES = [
  'AK .. .. .. .. .. .. .. .. .. ME',
  '.. .. .. .. .. .. .. .. .. VT NH',
  'WA ID MT ND MN WI .. MI NY MA RI',
  'OR NV WY SD IA IL IN OH PA NJ CT',
  'CA UT CO NE MO KY WV VA MD DE ..',
  '.. AZ NM KS AR TN NC SC DC .. ..',
  '.. .. .. OK LA MS AL GA .. .. ..',
  'HI .. .. TX .. .. .. .. FL .. PR',
].flatMap((line, row) =>
  line
    .split(' ')
    .map((state, column) => ({ state, place: `grid-area: ${row + 1} / ${column + 1}` }))
    .filter(({ state }) => state !== '..'),
);

/** Longest figure in the usual size; a map with a longer one sets all of them smaller and does not shrink. */
const FIGURE_LENGTH = 7;

/** Draws all states as tiles of one size; states without data have no fill and are not read aloud. */
export const tileMap = (description: string, tiles: readonly Tile[]): Html => {
  const known = new Map(tiles.map((tile) => [tile.state, tile]));
  const drawn = STATES.map(({ state, place }) => {
    const tile = known.get(state);
    return tile
      ? drawTile(tile, place)
      : html`<span class="tile" style="${place}" aria-hidden="true">${state}</span>`;
  });
  const isLong = tiles.some(({ figure }) => figure.length > FIGURE_LENGTH);
  return html`<div class="${isLong ? 'map long' : 'map'}" role="group" aria-label="${description}">
${drawn}
</div>`;
};

const drawTile = ({ state, figure, kinds, words, href }: Tile, place: string): Html => {
  const look = ['tile', ...kinds].join(' ');
  const content = html`<b>${state}</b> <span>${figure}</span>`;
  return href === undefined
    ? html`<span class="${look}" style="${place}" role="img" aria-label="${words}">${content}</span>`
    : html`<a class="${look}" style="${place}" href="${href}" aria-label="${words}">${content}</a>`;
};
