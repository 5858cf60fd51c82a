/** The look of the page, on a screen and on paper. */
export const PAGE_STYLE = `
:root { color-scheme: light; --ink: #111827; --soft: #4b5563; --line: #d1d5db; --head: #1f3a5f; }
body { margin: 0 auto; max-width: 72rem; padding: 0 1rem 4rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: #fff; }
h1 { font-size: 1.6rem; margin: 1.5rem 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; border-bottom: 2px solid var(--head); }
a { color: #1d4ed8; }
a:focus-visible, button:focus-visible, input:focus-visible, .scroll:focus-visible { outline: 3px solid #b45309; outline-offset: 2px; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; }
.about { color: var(--soft); margin: 0; }
dl.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: .75rem; }
dl.figures div { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .75rem; }
dl.figures dt { color: var(--soft); font-size: .9rem; } dl.figures dd { margin: 0; font-size: 1.3rem; font-variant-numeric: tabular-nums; }
figure { margin: 1rem 0; overflow-x: auto; } figure svg { max-width: 100%; height: auto; } figcaption { color: var(--soft); font-size: .9rem; }
figure svg a:focus rect { stroke: #111827; stroke-width: 3; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; margin: .5rem 0; }
caption { text-align: left; color: var(--soft); }
th { background: var(--head); color: #fff; text-align: left; padding: .3rem .5rem; vertical-align: bottom; }
th.figure { text-align: right; }
th button { all: unset; cursor: pointer; font-weight: 600; }
th[aria-sort=ascending] button::after { content: " \\25B2"; } th[aria-sort=descending] button::after { content: " \\25BC"; }
td { padding: .25rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: break-word; }
td.figure { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tr:target { background: #fef3c7; }
.search { display: flex; gap: .5rem; align-items: center; flex-wrap: wrap; } .search input { font: inherit; padding: .2rem .5rem; min-width: 16rem; }
[hidden] { display: none; }
@media (max-width: 48rem) { figure svg { max-width: none; } table { min-width: 44rem; } }
@media print {
  body { max-width: none; font-size: 10pt; padding: 0; } nav, .search, .skip { display: none; }
  a { color: inherit; text-decoration: none; } h2 { break-after: avoid; } figure, tr { break-inside: avoid; }
  thead { display: table-header-group; break-inside: avoid; } .scroll { overflow: visible; }
  table { font-size: 8pt; } td:not(.name) { overflow-wrap: anywhere; } figure svg { max-width: 100%; }
  th button { display: none; } th[data-title]::before { content: attr(data-title); }
  th { background: #fff; color: #111827; border-bottom: 2px solid #111827; } * { print-color-adjust: exact; }
}
`;
