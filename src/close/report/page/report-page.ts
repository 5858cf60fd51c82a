import { createHash } from 'node:crypto';
import { subtract } from '../../../kernel/money.ts';
import { shownMoney } from '../../../kernel/shown-figures.ts';
import { payListOf } from '../../figures/pay-list.ts';
import type { PeriodFiling } from '../../figures/period-filing.ts';
import {
  acceptedExceptions,
  linesToDecide,
  openExceptions,
  type PeriodReport,
  totalOf,
} from '../../figures/period-report.ts';
import type { Svg } from '../../pictures/svg.ts';
import { readinessLine, readinessWord } from '../../reconcile/readiness.ts';
import { splitVariance, VARIANCE_PART_NAMES, VARIANCE_PARTS } from '../../reconcile/variance-part.ts';
import { bridgeChart, exceptionChart, nexusChart, stateChart, trendChart } from '../charts.ts';
import { type Html, html, trusted } from './html.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-script.ts';
import { linked, pageTable } from './page-table.ts';
import {
  causesTable,
  decideTable,
  exceptionsTable,
  jurisdictionsTable,
  readinessTable,
  reasonsTable,
  statesTable,
} from './page-tables.ts';
import { payPart } from './pay-part.ts';

/** `report.html`: the period on one page that needs nothing but a browser. The same report gives the same text. */
export const reportPage = (report: PeriodReport, filing: PeriodFiling): string => {
  const watches = filing.nexus;
  const title = `Sales tax ${report.period.label}: ${report.seller}`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${title}</title>
<style>${trusted(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#pay">Skip to what to pay</a>
<header>
<h1>${title}</h1>
<p class="about">${report.period.first} to ${report.period.last}, business dates in ${report.timeZone}. Tax service: ${report.service}. Made by ${report.program}.</p>
<nav aria-label="Parts of this page"><ul>
<li><a href="#pay">Pay</a></li><li><a href="#decide">Decide</a></li><li><a href="#figures">Figures</a></li><li><a href="#bridge">Bridge</a></li><li><a href="#states">States</a></li><li><a href="#nexus">Nexus</a></li>
<li><a href="#trend">Trend</a></li><li><a href="#jurisdictions">Jurisdictions</a></li><li><a href="#exceptions-title">Exceptions</a></li>
</ul></nav>
</header>
<main>
${payPart(payListOf(report, filing))}
${decidePart(report)}
${figures(report)}
${readinessPart(report)}
<h2 id="bridge">From expected to collected, reason by reason</h2>
${figure(bridgeChart(report), 'Each bar is what one reason adds to the tax collected, or takes from it. Brown: charged too much; blue: too little. The dark bar is what they come to.')}
${pageTable(reasonsTable(report))}
<h2 id="states">States by variance and registration</h2>
${figure(stateChart(report), 'Each tile is a state. Brown: charged too much; blue: too little; violet: mostly rates that Tieout lacks; grey: as expected; white: no sales. A dark frame: the seller is registered there.')}
${pageTable(statesTable(report))}
<h2 id="nexus">States by nexus</h2>
${figure(nexusChart(watches, report), 'How much of its threshold each state has reached. Blue with a dark frame: registered. Brown with ▲: crossed, and not registered. Light with △: close. Grey: below. White: no sales, or no threshold. The sheet Nexus of filing-summary.xlsx has the working.')}
<h2 id="trend">This period and the twelve before it</h2>
${figure(trendChart(report), 'Collected minus expected, each period as it stood when it was last closed here. Periods that were never closed here are missing.')}
<h2 id="jurisdictions">Jurisdictions</h2>
${pageTable(jurisdictionsTable(report))}
<h2 id="exceptions-title">Exceptions by code</h2>
${figure(exceptionChart(report), 'How many exceptions each code has. Brown: they wait for a decision; grey: settled or for information.')}
${pageTable(causesTable(report))}
${pageTable(exceptionsTable(report))}
</main>
<script>${trusted(PAGE_SCRIPT)}</script>
</body>
</html>
`;
  return page.html;
};

/** The page can load nothing and send nothing, whatever stands in it; the one script is named by its digest. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash('sha256').update(PAGE_SCRIPT).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A chart with how to read it. */
const figure = (svg: Svg | undefined, caption: string): Html =>
  svg === undefined
    ? html`<p class="about">No chart is drawn here: there are fewer than two figures to compare.</p>`
    : html`<figure>${trusted(svg)}<figcaption>${caption}</figcaption></figure>`;

/** The variance split. */
const partFigures = ({ reasons }: PeriodReport): readonly (readonly [string, Html])[] => {
  const parts = splitVariance(reasons);
  return VARIANCE_PART_NAMES.map((part) => [
    VARIANCE_PARTS[part],
    linked({ href: '#by-reason', search: '' }, shownMoney(parts[part])),
  ]);
};

/** What to decide, as the sheet Decide of variance.xlsx has it. */
const decidePart = (report: PeriodReport): Html => {
  const lines = linesToDecide(report);
  if (lines.length === 0)
    return html`<h2 id="decide">Decide</h2>
<p class="about">There is nothing to decide.</p>`;
  return html`<h2 id="decide">Decide</h2>
<p class="about">Fill in the yellow cells of the sheet Decide in variance.xlsx, or decisions.csv; name the file in <code>decisions</code> of tieout.yaml, and close again. A default holds unless you change it.</p>
${pageTable(decideTable(lines))}`;
};

/** What keeps the period from being filed; nothing of a period that is ready and accepts no gaps. */
const readinessPart = (report: PeriodReport): Html => {
  const { reasons, accepted } = report.readiness;
  if (reasons.length + accepted.length === 0) return html``;
  return html`<h2 id="readiness">Before this period is filed</h2>
<p class="about">${readinessLine(report.readiness)}.</p>
${pageTable(readinessTable(report))}`;
};

const figures = (report: PeriodReport): Html => {
  const collected = totalOf(report, 'collected');
  const expected = totalOf(report, 'expected');
  const open = openExceptions(report).length;
  const entries: readonly (readonly [string, Html])[] = [
    ['Readiness', html`${report.readiness.ready ? '✓' : '✗'} ${readinessWord(report.readiness)}`],
    ['Gross sales', html`${shownMoney(totalOf(report, 'gross'))}`],
    ['Taxable', html`${shownMoney(totalOf(report, 'taxable'))}`],
    ['Tax collected', html`${shownMoney(collected)}`],
    ['Tax expected', html`${shownMoney(expected)}`],
    ['Variance', linked({ href: '#by-reason', search: '' }, shownMoney(subtract(collected, expected)))],
    ...partFigures(report),
    ['Open exceptions', linked({ href: '#exceptions', search: 'decision=open' }, String(open))],
    [
      'Accepted',
      linked({ href: '#exceptions', search: 'decision=accepted' }, String(acceptedExceptions(report).length)),
    ],
  ];
  const items = entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return html`<section id="figures" aria-label="Figures of the period"><dl class="figures">
${items}
</dl></section>`;
};
