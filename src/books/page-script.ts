/** The script of the page: it says on the day of reading what is overdue. The page can be read without it. */
export const PAGE_SCRIPT = `
'use strict';
const now = new Date();
const today = new Date(now.getTime() - now.getTimezoneOffset() * 60000).toISOString().slice(0, 10);
const passed = (key) => [...document.querySelectorAll('#pay-list [data-' + key + ']')]
  .filter((row) => row.dataset[key] < today)
  .map((row) => row.cells[0].textContent + ' ' + row.cells[1].textContent)
  .join(', ');
const overdue = passed('pay');
const unverified = passed('unverified');
const line = document.getElementById('overdue');
line.textContent = [
  overdue && 'Overdue on ' + today + ' unless filed and paid: ' + overdue + '. Discounts for paying on time are lost; tieout status has the amounts.',
  unverified && 'May be overdue on ' + today + ', because the dates are not verified: ' + unverified + '. Look them up.'
].filter(Boolean).join(' ');
line.hidden = line.textContent === '';
`;

/** The style of the page, on screen and on paper. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #111827; --soft: #4b5563; --line: #d1d5db; --head: #1f3a5f; --paper: #fff; --link: #1d4ed8; --panel: #f0f4f8; --title: #14365c; --ok: #0b5c43; --okfill: #ddf1e8; --no: #8e1538; --nofill: #f9e1e8; --mark: #fef3c7; --even: #e5e9ee; --over: #f2b98f; --under: #9cc7e6; --gap: #d8ccf7; --close: #fde68a; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e5e7eb; --soft: #a9b1bd; --line: #3f4753; --head: #2c5282; --paper: #14181f; --link: #8ab8ff; --panel: #1b222c; --title: #a9cdf3; --ok: #7bd8b4; --okfill: #12362b; --no: #ffb3c4; --nofill: #471026; --mark: #4a3a10; --even: #2b3440; --over: #7a4114; --under: #1b4f78; --gap: #4a3a78; --close: #5c4a0c; } }
body { margin: 0 auto; max-width: 72rem; padding: 0 1rem 4rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.75rem; margin: 1.5rem 0 .25rem; color: var(--title); }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; color: var(--title); }
a { color: var(--link); }
a:focus-visible, .scroll:focus-visible { outline: 3px solid #b45309; outline-offset: 2px; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; }
.about { color: var(--soft); margin: 0; }
.cards { display: grid; grid-template-columns: 1.2fr 1fr 1.2fr 1fr; gap: .75rem; margin: 1rem 0; }
.card { background: var(--panel); border-left: 4px solid var(--head); border-radius: 2px; padding: .6rem .9rem; } .card.good { border-color: #0b5c43; }
.card b { display: block; font-size: 1.35rem; line-height: 1.3; font-variant-numeric: tabular-nums; } .card span { display: block; font-size: .8rem; color: var(--soft); }
.card.bad { background: #8e1538; border-color: #8e1538; color: #fff; } .card.bad span { color: #fff; }
footer { color: var(--soft); font-size: .85rem; margin-top: 2.5rem; border-top: 1px solid var(--line); }
figure { margin: 1rem 0; overflow-x: auto; } figcaption { color: var(--soft); font-size: .9em; }
.map { display: grid; grid-template-columns: repeat(11, 1fr); gap: 4px; max-width: 46rem; padding: 3px; } .map.long { min-width: 40rem; }
.tile { display: flex; flex-direction: column; align-items: center; justify-content: center; aspect-ratio: 1; border: 1px solid var(--line); border-radius: 3px; color: var(--soft); text-decoration: none; font-size: .85rem; line-height: 1.2; }
.tile span { font-size: .7rem; font-variant-numeric: tabular-nums; } .long .tile span { font-size: .58rem; }
.tile.even, .tile.over, .tile.under, .tile.gap, .tile.close { color: var(--ink); background: var(--even); } .framed { box-shadow: inset 0 0 0 3px var(--ink); }
.tile.over { background: var(--over); } .tile.under { background: var(--under); } .tile.gap { background: var(--gap); } .tile.close { background: var(--close); }
.bars { table-layout: fixed; } .bars th { background: none; color: inherit; width: 17rem; font-weight: 400; padding: .25rem .5rem; } .bars td { border: 0; } .bars .figure { width: 6rem; } .bars .net > * { border-top: 1px solid var(--ink); font-weight: 600; }
.track { position: relative; } .track i { position: absolute; top: .3rem; height: 1.2em; min-width: 2px; background: var(--head); } .over .track i { background: #d55e00; } .under .track i { background: #0072b2; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; margin: .5rem 0; }
caption { text-align: left; color: var(--soft); }
th { background: var(--panel); color: var(--title); text-align: left; padding: .3rem .5rem; vertical-align: bottom; border-bottom: 2px solid var(--title); }
.tag { display: inline-block; font-size: .75rem; font-weight: 700; padding: .1rem .55rem; border-radius: 3px; background: var(--even); color: var(--soft); } .tag.ok { background: var(--okfill); color: var(--ok); } .tag.no { background: var(--nofill); color: var(--no); }
th.figure { text-align: right; }
td { padding: .25rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: break-word; }
td.figure { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tr:target { background: var(--mark); }
[hidden] { display: none; }
#overdue, #preliminary { margin: .25rem 0 0; font-weight: 600; }
@media (max-width: 48rem) { .cards { grid-template-columns: 1fr 1fr; } .card:first-child { grid-column: 1 / -1; } .card b { font-size: 1.1rem; } .data:not(.stack) { min-width: 44rem; } .bars th { width: 8rem; } .bars .figure { width: 4.5rem; } .map:not(.long) { gap: 2px; } .map:not(.long) .tile { font-size: .68rem; } .map:not(.long) .tile span { font-size: .5rem; } .framed { box-shadow: inset 0 0 0 2px var(--ink); } }
@media screen and (max-width: 48rem) {
  .stack, .stack caption, .stack tbody, .stack tr, .stack td { display: block; } .stack thead { display: none; }
  .stack tr { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; padding: .25rem 0; }
  .stack td, .stack td.figure { display: flow-root; padding-left: 44%; border: 0; white-space: normal; overflow-wrap: anywhere; }
  .stack td::before { content: attr(data-title); color: var(--soft); text-align: left; float: left; width: 71%; margin-left: -77%; } .stack td:empty { display: none; }
}
@page { margin: 12mm; }
@media print {
  body { max-width: none; font-size: 10pt; padding: 0; } nav, .skip { display: none; }
  a { color: inherit; text-decoration: none; } h2 { break-after: avoid; } figure, tr { break-inside: avoid; }
  thead { display: table-header-group; break-inside: avoid; } .scroll { overflow: visible; }
  table { font-size: 7.5pt; } td:not(.name) { overflow-wrap: anywhere; } .map.long { min-width: 0; }
  thead th { background: #fff; color: #111827; border-bottom: 2px solid #111827; } * { print-color-adjust: exact; }
}
`;
