import type { PeriodReport } from '../figures/period-report.ts';
import type { NexusWatch } from '../filing/nexus.ts';
import { REASONS } from '../judge/reason.ts';
import { add, formatMoney, type Money, subtract, sum, ZERO } from '../kernel/money.ts';
import { change, type Html, html, stateRow } from './page-html.ts';

/**
 * Draws what each reason adds to the tax collected, or takes from it, as a table with a bar in each row, the longest
 * first; nothing for a single reason, when it would show no more than its figure.
 */
export const bridgeBars = ({ reasons }: Pick<PeriodReport, 'reasons'>): Html | undefined => {
  const moving = reasons
    .map(({ code, over, under }) => ({ label: `${code} ${REASONS[code].name}`, amount: add(over, under) }))
    .filter(({ amount }) => amount !== ZERO)
    .sort((left, right) => Math.abs(right.amount) - Math.abs(left.amount));
  if (moving.length < 2) return undefined;
  const net = sum(moving.map(({ amount }) => amount));
  const longest = Math.max(...[...moving, { amount: net }].map(({ amount }) => Math.abs(amount)));
  const drawBar = (kind: string, label: string, amount: Money): Html => {
    // To a hundredth of a percent: finer than a screen shows.
    const width = Math.round((10_000 * Math.abs(amount)) / longest) / 100;
    return html`<tr class="${kind}"><th scope="row">${label}</th><td class="track"><i style="width: ${width}%"></i></td><td class="num">${change(amount)}</td></tr>`;
  };
  return html`<table class="bars">
<caption class="vh">Variance by reason: ${moving.length} reasons that come to ${formatMoney(net)}.</caption>
<tbody>
${moving.map(({ label, amount }) => drawBar(signOf(amount), label, amount))}
${drawBar('net', 'Variance', net)}
</tbody></table>`;
};

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

/** Draws the states by the sign of their variance, with a frame if the seller is registered. */
export const varianceMap = ({ states, registrations }: PeriodReport): Html => {
  const registered = new Set(registrations.map(({ state }) => state));
  const tiles = states.map(({ state, collected, expected }): Tile => {
    const variance = subtract(collected, expected);
    const isRegistered = registered.has(state);
    return {
      state,
      figure: variance === ZERO ? '–' : formatMoney(variance),
      kinds: [signOf(variance), ...(isRegistered ? ['framed'] : [])],
      words: `${state} ${formatMoney(variance)}: variance, ${isRegistered ? 'registered' : 'not registered'}`,
      href: `#${stateRow(state)}`,
    };
  });
  return tileMap(`The states by variance and registration: ${states.length} with sales.`, tiles);
};

const signOf = (amount: Money): string => {
  if (amount === ZERO) return 'even';
  return amount > ZERO ? 'over' : 'under';
};

/** The duty to register, as a style and in words; what asks for a decision also has a sign. */
const NEXUS = {
  registered: { kinds: ['under', 'framed'], sign: '', words: 'registered' },
  crossed: { kinds: ['over'], sign: '▲ ', words: 'crossed, and not registered' },
  close: { kinds: ['close'], sign: '△ ', words: 'close' },
  below: { kinds: ['even'], sign: '', words: 'below' },
} as const;

const BASIS_POINTS = 100;

/**
 * Draws how much of its nexus threshold each state has reached, and whether the seller must register. A state without
 * sales in the period has no row to lead to.
 */
export const nexusMap = (watches: readonly NexusWatch[], { states }: Pick<PeriodReport, 'states'>): Html => {
  const withRow = new Set(states.map(({ state }) => state));
  const count = (status: NexusWatch['status']): number =>
    watches.filter((watch) => watch.status === status).length;
  return tileMap(
    `The states by nexus: ${count('registered')} registered, ${count('crossed')} crossed and not registered, ${count('close')} close, ${count('below')} below.`,
    watches.map(({ state, status, reached }): Tile => {
      const { kinds, sign, words } = NEXUS[status];
      const percent = `${Math.floor(reached / BASIS_POINTS)}%`;
      return {
        state,
        figure: sign + percent,
        kinds,
        words: `${state} ${sign}${percent} of the threshold: ${words}`,
        href: withRow.has(state) ? `#${stateRow(state)}` : undefined,
      };
    }),
  );
};
