import { type Money, negate, ZERO } from '../kernel/money.ts';
import { shownChange, shownMoney } from '../kernel/text.ts';
import { xmlText } from '../workbook/text.ts';
import { harmless } from './files-to-fill-in.ts';

/** HTML that is safe to insert in the page as it is. */
export type Html = { readonly html: string };

type Part = string | number | Html | readonly Html[];

const escaped = (text: string): string => xmlText(text).replaceAll("'", '&#39;');

/** Fills an HTML template: text is escaped, `Html` is inserted as it is. */
export const html = (template: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: template.reduce((page, piece, index) => page + htmlOf(parts[index - 1]) + piece),
});

/** Marks our own text, such as the script of the page, as HTML. Never use it for text that was read from anywhere. */
export const trusted = (text: string): Html => ({ html: text });

const htmlOf = (part: Part | undefined): string => {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'html' in part ? part.html : part.map((each) => each.html).join('');
};

/** Renders text, with parts in backticks as code. */
export const prose = (text: string): Html => {
  const pieces = text.split('`');
  if (pieces.length % 2 === 0) return html`${text}`;
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? html`${piece}` : html`<code>${piece}</code>`))}`;
};

/** An amount; a dash for zero. */
export const amount = (value: Money): Html =>
  value === ZERO ? html`<span class="z">–</span>` : html`${negative(value)}${bracketed(value)}`;

/** An amount that was charged too much or too little, in the colour of it and with its sign. */
export const change = (value: Money): Html =>
  value === ZERO
    ? amount(value)
    : html`<span class="${value > ZERO ? 'more' : 'less'}">${negative(value)}${shownChange(value)}</span>`;

/** Says aloud what brackets mean. */
const negative = (value: Money): Html => (value < ZERO ? html`<span class="vh">minus </span>` : html``);

const bracketed = (value: Money): string =>
  value < ZERO ? `(${shownMoney(negate(value))})` : shownMoney(value);

/** HTML, or text, which is made harmless: spreadsheets can open pages, too, and would take `=1+1` for a formula. */
type PageCell = string | Html;

export type PageColumn<Row> = {
  readonly title: string;
  /** The names of its style; `num` for figures. */
  readonly kind?: string;
  readonly cell: (row: Row) => PageCell;
  /** What the row of totals has here. */
  readonly total?: PageCell;
};

/** What a row has beside its cells: the ID by which figures of the page link to it, a style, and data for the script. */
export type RowTraits = {
  readonly id?: string;
  readonly kind?: string;
  readonly data?: Readonly<Record<string, string>>;
};

/** Rows that stand together. */
type RowGroup<Row> = {
  readonly kind?: string;
  readonly rows: readonly Row[];
};

/** A table of the page, with a row of totals where its groups have `total`. The first column names the row. */
export type PageTable<Row> = {
  readonly id: string;
  readonly kind: string;
  readonly caption: string;
  readonly columns: readonly PageColumn<Row>[];
  readonly groups: readonly (RowGroup<Row> | 'total')[];
  readonly traits?: (row: Row) => RowTraits;
};

/** Renders a table. It states the roles of its parts: screen readers need them where CSS lays the table out as blocks. */
export const pageTable = <Row>({ id, kind, caption, columns, groups, traits }: PageTable<Row>): Html => {
  const heads = columns.map(
    (column) => html`<th scope="col" role="columnheader" class="${column.kind ?? ''}">${column.title}</th>`,
  );
  const lineOf = (
    cells: readonly PageCell[],
    { id: name, kind: own = '', data = {} }: RowTraits = {},
  ): Html => {
    const mark = name === undefined ? html`` : html` id="${name}"`;
    const noted = Object.entries(data).map(([key, value]) => html` data-${key}="${value}"`);
    return html`<tr role="row"${mark} class="${own}"${noted}>${cells.map((cell, index) => cellOf(columns[index]?.kind, cell, index))}</tr>
`;
  };
  const bodyOf = (kind: string, lines: readonly Html[]): Html =>
    html`<tbody role="rowgroup" class="${kind}">${lines}</tbody>`;
  const bodies = groups.map((group) =>
    group === 'total'
      ? bodyOf(group, [lineOf(columns.map(({ total = '' }) => total))])
      : bodyOf(
          group.kind ?? '',
          group.rows.map((row) =>
            lineOf(
              columns.map(({ cell }) => cell(row)),
              traits?.(row),
            ),
          ),
        ),
  );
  return html`<table id="${id}" class="${kind}" role="table">
<caption>${prose(caption)}</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
${bodies}
</table>`;
};

const cellOf = (kind = '', cell: PageCell, index: number): Html => {
  const content = typeof cell === 'string' ? prose(harmless(cell)) : cell;
  return index === 0
    ? html`<th scope="row" role="rowheader" class="${kind}">${content}</th>`
    : html`<td role="cell" class="${kind}">${content}</td>`;
};

/** The ID of a state's row, by which tiles link to it. */
export const stateRow = (state: string): string => `state-${state}`;

/** The script of the page: it says on the day of reading what is overdue. The page can be read without it. */
export const PAGE_SCRIPT = `
'use strict';
const now = new Date();
const today = new Date(now.getTime() - now.getTimezoneOffset() * 60000).toISOString().slice(0, 10);
const passed = (key) => [...document.querySelectorAll('#pay-list [data-' + key + ']')]
  .filter((row) => row.dataset[key] < today)
  .map((row) => row.dataset.return)
  .join(', ');
const overdue = passed('pay');
const unverified = passed('unverified');
const line = document.getElementById('overdue');
line.textContent = [
  overdue && 'Overdue on ' + today + ' unless filed and paid: ' + overdue + '. Late, the discounts are lost: see tieout status.',
  unverified && 'May be overdue on ' + today + ', because the dates are not verified: ' + unverified + '. Look them up.'
].filter(Boolean).join(' ');
line.hidden = line.textContent === '';
`;

/** The style of the page, on screen and on paper. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --bg: #fff; --panel: #f5f7fa; --ink: #1b2733; --mut: #566370; --rule: #d3dae1; --head: #e8eef4; --navy: #14365c; --link: #0b4f9e; --more: #a64300; --morebar: #d55e00; --over: #f2b98f; --less: #075a94; --lessbar: #0072b2; --under: #9cc7e6; --ok: #0b5c43; --okfill: #ddf1e8; --no: #8e1538; --nofill: #f9e1e8; --idle: #eceff2; --mark: #fff7d1; --markrule: #d8c46a; --close: #fde68a; }
@media screen and (prefers-color-scheme: dark) { :root { --bg: #10161d; --panel: #18212b; --ink: #e7ecf1; --mut: #a3b1be; --rule: #2c3946; --head: #1c2834; --navy: #a9cdf3; --link: #8cc0f7; --more: #f4a571; --morebar: #e8853f; --over: #7a4114; --less: #85c1ee; --lessbar: #3e9bdd; --under: #1b4f78; --ok: #7bd8b4; --okfill: #12362b; --no: #ffb3c4; --nofill: #471026; --idle: #222d38; --mark: #3a3413; --markrule: #7a6a24; --close: #5c4a0c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 15px/1.45 -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; font-variant-numeric: tabular-nums; }
header, main, footer { max-width: 1120px; margin: 0 auto; padding: 0 20px; }
h1 { font-size: 28px; line-height: 1.2; margin: 28px 0 4px; color: var(--navy); }
h2 { font-size: 19px; margin: 40px 0 4px; color: var(--navy); }
p { margin: 4px 0 12px; }
a { color: var(--link); text-underline-offset: 2px; }
a:focus-visible, .scroll:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.mut, .z { color: var(--mut); } .more { color: var(--more); } .less { color: var(--less); }
.vh { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 8px; top: 8px; background: var(--bg); padding: 8px 12px; }
.cards { display: grid; grid-template-columns: 1.25fr 1fr 1.25fr 1fr; gap: 12px; margin: 18px 0 10px; }
.card { background: var(--panel); border-left: 4px solid var(--navy); padding: 10px 14px; border-radius: 2px; min-width: 0; }
.card b { display: block; font-size: 22px; line-height: 1.3; } .card span { font-size: 13px; color: var(--mut); }
.card.good { border-color: var(--ok); } .card.bad { background: #8e1538; border-color: #8e1538; color: #fff; } .card.bad span { color: #fff; }
#overdue, #preliminary, .answer { background: var(--mark); border: 1px solid var(--markrule); border-radius: 2px; padding: 8px 12px; margin: 12px 0; } [hidden] { display: none; }
nav { display: flex; flex-wrap: wrap; gap: 6px 18px; padding: 8px 0; border-bottom: 1px solid var(--rule); font-size: 14px; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 8px 10px; border-bottom: 1px solid var(--rule); vertical-align: top; text-align: left; overflow-wrap: break-word; }
tbody th { font-weight: 400; } thead th { background: var(--head); color: var(--navy); font-weight: 600; font-size: 13px; border-bottom: 2px solid var(--navy); vertical-align: bottom; }
caption { text-align: left; color: var(--mut); font-size: 13px; padding: 2px 0 8px; }
th.num, td.num { text-align: right; } td.num, .by { white-space: nowrap; } td.big { font-weight: 700; }
.total th, .total td { border-top: 1px solid var(--ink); border-bottom: 3px double var(--ink); font-weight: 700; }
.tag { display: inline-block; font-size: 12px; font-weight: 700; padding: 2px 9px; border-radius: 3px; white-space: nowrap; background: var(--idle); color: var(--mut); } .tag.ok { background: var(--okfill); color: var(--ok); } .tag.no { background: var(--nofill); color: var(--no); }
.place { display: inline-block; font-size: 12px; font-weight: 700; background: var(--idle); color: var(--mut); border-radius: 3px; padding: 0 6px; }
.file { font-size: 13px; color: var(--mut); overflow-wrap: anywhere; }
.hot { background: color-mix(in srgb, var(--nofill) 38%, transparent); } tr:target { background: var(--mark); }
.pay .name { width: 22%; } .pay .todo { width: 34%; } .dec .mean, .dec .does { width: 30%; }
figure { margin: 10px 0; min-width: 0; } figcaption { color: var(--mut); font-size: 13px; margin: 6px 0; }
.bars th { width: 250px; } .bars th, .bars td { padding: 4px 10px; border: 0; } .bars .num { width: 84px; } .bars .net > * { border-top: 1px solid var(--ink); font-weight: 700; }
.track { position: relative; } .track i { position: absolute; top: 6px; height: 16px; min-width: 2px; background: var(--navy); } .over .track i { background: var(--morebar); } .under .track i { background: var(--lessbar); }
.maps { display: grid; grid-template-columns: 1fr 1fr; gap: 28px; }
.map { display: grid; grid-template-columns: repeat(11, 1fr); gap: 3px; padding: 2px; } .map.long { overflow-x: auto; grid-template-columns: repeat(11, minmax(52px, 1fr)); }
.tile { aspect-ratio: 1; display: flex; flex-direction: column; align-items: center; justify-content: center; min-width: 0; border: 1px solid var(--rule); border-radius: 3px; color: var(--mut); text-decoration: none; font-size: 12px; line-height: 1.15; } .tile span { font-size: 9.5px; }
.tile.even, .tile.over, .tile.under, .tile.close { color: var(--ink); background: var(--idle); } .tile.framed { box-shadow: inset 0 0 0 2px var(--ink); }
.tile.over { background: var(--over); } .tile.under { background: var(--under); } .tile.close { background: var(--close); }
.key { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 0; margin: 8px 0; font-size: 13px; } .key li { display: flex; gap: 6px; align-items: center; } .key i { width: 18px; flex: none; }
.scroll { overflow-x: auto; position: relative; }
footer { margin-top: 48px; padding-top: 12px; padding-bottom: 40px; color: var(--mut); font-size: 13px; border-top: 1px solid var(--rule); }
@media screen and (max-width: 760px) {
  header, main, footer { padding: 0 14px; } h1 { font-size: 23px; margin-top: 18px; } h2 { margin-top: 34px; } nav { gap: 4px 14px; }
  .cards { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 8px; grid-auto-flow: dense; } .card:nth-child(odd) { grid-column: 1 / -1; } .card b { font-size: 19px; }
  .stack, .stack caption, .stack tbody { display: block; } .stack thead { display: none; }
  .stack tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 12px; padding: 10px 8px; border-bottom: 1px solid var(--rule); }
  .stack th, .stack td { border: 0; padding: 0; } .stack td:empty { display: none; } .stack td[data-title]::before { content: attr(data-title) " "; color: var(--mut); font-size: 12px; font-weight: 400; }
  .pay tr { grid-template-areas: "name pay" "by status" "todo todo" "change change"; } .pay .name, .pay .todo, .dec .mean, .dec .does { width: auto; }
  .pay .name { grid-area: name; } .pay .big { grid-area: pay; font-size: 18px; } .pay .by { grid-area: by; white-space: normal; } .pay .st { grid-area: status; text-align: right; } .pay .todo { grid-area: todo; font-size: 14px; } .pay .chg { grid-area: change; text-align: left; font-size: 14px; } .pay .chg:has(.z) { display: none; }
  .dec tr { grid-template-areas: "no effect" "cause cause" "mean mean" "does does"; } .dec th { grid-area: no; } .dec .cause { grid-area: cause; } .dec .ef { grid-area: effect; } .dec .mean { grid-area: mean; font-size: 14px; } .dec .does { grid-area: does; font-size: 14px; }
  .bars th { width: 132px; font-size: 13px; } .bars th, .bars td { padding: 4px; } .bars .num { width: 70px; font-size: 13px; } .maps { grid-template-columns: minmax(0, 1fr); gap: 0; } .map { gap: 2px; } .tile { font-size: 11px; } .tile span { font-size: 8.5px; letter-spacing: -.2px; } .wide { min-width: 60rem; }
}
@page { size: letter portrait; margin: 12mm; }
@media print {
  * { print-color-adjust: exact; } body { font-size: 9pt; } header, main, footer { max-width: none; padding: 0; } nav, .skip { display: none; }
  h1 { margin-top: 0; font-size: 19pt; } h2 { font-size: 13pt; margin-top: 14pt; break-after: avoid; } tr, .card, figure { break-inside: avoid; } thead { display: table-header-group; }
  th, td { padding: 3px 5px; } thead th.num, .pay .by { white-space: normal; } thead th, .file, .tag, .place, caption, figcaption, .key { font-size: 8pt; } .wide { font-size: 8pt; } .pay .name { width: 130px; }
  .cards { grid-template-columns: 1.15fr 1fr 1.35fr .9fr; } .card { padding: 6px 10px; } .card b { font-size: 13pt; } .card span { font-size: 8pt; } .tile { font-size: 8pt; } .tile span { font-size: 7pt; }
  a { color: inherit; text-decoration: none; } .scroll { overflow: visible; }
}
`;
