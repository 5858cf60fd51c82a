import {
  isUnderToPay,
  type PayList,
  type PayRow,
  portalFile,
  STATUS_TEXTS,
  shortPayByText,
} from '../figures/pay-list.ts';
import { firstSentence } from '../figures/pay-todo.ts';
import { type PeriodReport, totalOf, varianceOf } from '../figures/period-report.ts';
import type { NexusWatch } from '../filing/nexus.ts';
import type { DecideLine } from '../judge/decide-lines.ts';
import { REASONS } from '../judge/reason.ts';
import { add, formatMoney, type Money, subtract, sum, ZERO } from '../kernel/money.ts';
import { shownDollars } from '../kernel/text.ts';
import { type StateRow, stateRows } from './by-state.ts';
import { coveredText, harmless } from './files-to-fill-in.ts';
import { amount, change, type Html, html, pageTable, prose, stateRow } from './page-html.ts';

/** The colours of a status, by its sign. */
const TAGS: Readonly<Record<string, string>> = { '✓': 'ok', '✕': 'no', '●': 'no' };

/** A status as a badge, with its sign, so that it does not depend on colour. */
const badge = (status: string): Html =>
  html`<span class="tag ${TAGS[status.slice(0, 1)] ?? 'idle'}">${status.replaceAll(' ', '\u00a0')}</span>`;

/** Renders a text with links to the lines of Decide that it names, where the page has them. */
const linked = (text: string, lines: readonly string[]): Html =>
  html`${text.split(/\b(D\d{2,})\b/).map((piece) => (lines.includes(piece) ? html`<a href="#${piece}">${piece}</a>` : prose(piece)))}`;

const paidWith = (row: PayRow): Html => {
  const { text, href } = portalFile(row);
  return href === undefined ? html`${text}` : html`<a href="${href}">${text}</a>`;
};

/** Renders the returns by the day of payment, with the words of the sheet Pay. */
export const payTable = ({ now, later, total }: PayList, label: string): Html =>
  pageTable<PayRow>({
    id: 'pay-list',
    kind: 'stack pay',
    caption:
      'By day of payment; US dollars, after discount, prepayments and credits. BLOCKED: a decision could still change the amount.',
    groups: [{ rows: now }, 'total', ...(later.length === 0 ? [] : [{ kind: 'later', rows: later }])],
    traits: (row) => ({
      ...(row.status === 'NOT READY' && { kind: 'hot' }),
      // Whether an amount is overdue depends on the reader's clock.
      ...(now.includes(row) && {
        data: {
          [row.payBy.isVerified ? 'pay' : 'unverified']: row.payBy.date,
          return: `${row.state} ${row.form}`,
        },
      }),
    }),
    columns: [
      {
        title: 'Return',
        kind: 'name',
        cell: ({ state, name, form }) =>
          html`<b>${state}</b> <span class="nm">${name}</span> <span class="mut">${form}</span>`,
        total: label,
      },
      { title: 'Status', kind: 'st', cell: ({ status }) => badge(STATUS_TEXTS[status]) },
      {
        title: 'To pay',
        kind: 'num big',
        cell: (row) => (isUnderToPay(row) ? amount(row.amount) : ''),
        total: shownDollars(total),
      },
      {
        title: 'Pay by',
        kind: 'by',
        cell: ({ payBy, filed }) => {
          const when = shortPayByText(payBy, filed.figures.period);
          return payBy.hour ? html`<b>${when}</b>` : when;
        },
      },
      {
        title: 'Before you file, and the portal file',
        kind: 'todo',
        cell: (row) =>
          html`${linked(firstSentence(row.steps[0] ?? ''), row.waitsFor)}<div class="file">${paidWith(row)}</div>`,
      },
    ],
  });

/** Maximum number of lines: a page with more is slow to search; open-items.csv has all of them. */
const LINES_MAX = 500;

/** Renders the lines of Decide that wait, the largest effect first. */
export const decideTable = (lines: readonly DecideLine[]): Html =>
  pageTable<DecideLine>({
    id: 'decide-lines',
    kind: 'stack dec',
    caption:
      lines.length > LINES_MAX
        ? `The first ${LINES_MAX} of ${lines.length} lines; open-items.csv has all.`
        : 'What is open, the largest effect first.',
    groups: [{ rows: lines.slice(0, LINES_MAX) }],
    traits: ({ no }) => ({ id: no }),
    columns: [
      { title: 'No.', cell: ({ no }) => html`<b>${no}</b>` },
      {
        title: 'Cause and place',
        kind: 'cause',
        cell: ({ name, place, code }) =>
          html`<b>${name}</b> <span class="place">${place}</span>${code in REASONS ? html` <span class="mut">${code}</span>` : html``}`,
      },
      {
        title: 'Effect on tax',
        kind: 'num ef',
        cell: ({ effect, isEffectKnown }) => (isEffectKnown ? change(effect) : 'unknown'),
      },
      { title: 'What it means', kind: 'mean', cell: meaning },
      { title: 'What to do', kind: 'does', cell: ({ todo }) => todo },
    ],
  });

const meaning = (line: DecideLine): Html =>
  line.isWhole || line.records.length < 2
    ? prose(harmless(line.means))
    : html`${prose(harmless(line.means))}<div class="file">Records: ${coveredText(line)}</div>`;

const FIGURES = ['gross', 'taxable', 'collected', 'expected', 'recorded'] as const;

/** Renders the states, the largest variance first, with what was collected, expected and recorded. */
export const statesTable = (report: PeriodReport): Html =>
  pageTable<StateRow>({
    id: 'by-state',
    kind: 'wide',
    caption: 'Largest variance first. Recorded: what the tax service holds. ▲: material.',
    groups: [{ rows: stateRows(report) }, 'total'],
    traits: ({ state }) => ({ id: stateRow(state) }),
    columns: [
      { title: 'State', cell: ({ state }) => html`<b>${state}</b>`, total: 'All' },
      { title: 'Registered', cell: ({ since }) => since || 'no' },
      ...FIGURES.map((figure) => ({
        title: `${figure.charAt(0).toUpperCase()}${figure.slice(1)}`,
        kind: 'num',
        cell: (row: StateRow) => amount(row[figure]),
        total: amount(totalOf(report, figure)),
      })),
      {
        title: 'Variance',
        kind: 'num big',
        cell: ({ variance }) => change(variance),
        total: change(varianceOf(report)),
      },
      {
        title: 'Main reason',
        cell: (row) => `${row.isMaterial ? '▲ ' : ''}${row.mainReason ?? ''}`,
      },
    ],
  });

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
type Tile = {
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
const tileMap = (description: string, tiles: readonly Tile[]): Html => {
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
