/** The style of the page of the interface: a column of contents beside the text, light or dark as the reader has it. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dce2, #3a4049); --soft: light-dark(#f4f6f8, #1d2127);
  --text: light-dark(#1c2530, #dfe4ea); --link: light-dark(#0b5cad, #7db8f5); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--text); display: grid;
  grid-template-columns: 21rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; border-right: 1px solid var(--line);
  background: var(--soft); font-size: 13px; }
nav h2 { font-size: 13px; margin: 1rem 0 .5rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .1rem 0; overflow-wrap: anywhere; }
main { padding: 1.5rem 2.5rem 4rem; max-width: 68rem; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
section { border-top: 1px solid var(--line); padding: 1rem 0; scroll-margin-top: .5rem; }
section:target { outline: 2px solid var(--link); outline-offset: .5rem; }
h3 { margin: 0 0 .25rem; font-size: 16px; } h3 code { font-size: 15px; } p { margin: .4rem 0; }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .75rem 0; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); }
th { font-size: 12px; font-weight: 600; }
th:first-child { width: 16rem; } th:last-child { width: 11rem; }
.method { display: inline-block; min-width: 4em; font: 600 11px/1.6 ui-monospace, monospace; }
.get { color: light-dark(#1a6b34, #7fd39a); } .post { color: light-dark(#0b5cad, #7db8f5); }
.put { color: light-dark(#8a5a00, #e0b25c); } .delete { color: light-dark(#a3261d, #f0928a); }
@media (max-width: 60rem) { body { display: block; } nav { position: static; height: auto; border: 0; }
  main { padding: 1rem; } }
`;
