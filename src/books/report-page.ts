import { createHash } from 'node:crypto';
import { fullDay, periodName } from '../figures/day-words.ts';
import type { PayList } from '../figures/pay-list.ts';
import type { PeriodFiling } from '../figures/period-filing.ts';
import { earlyNote, linesToDecide, type PeriodReport, totalOf } from '../figures/period-report.ts';
import { linesOfReason } from '../judge/decide-lines.ts';
import { BUCKET_NAMES, BUCKETS, bucketsOf } from '../judge/period-totals.ts';
import { ZERO } from '../kernel/money.ts';
import { shownChange, shownMoney, shownNumber } from '../kernel/text.ts';
import { type Html, html, PAGE_SCRIPT, PAGE_STYLE, trusted } from './page-html.ts';
import { bridgeBars, decideTable, nexusMap, payTable, statesTable, varianceMap } from './page-tables.ts';
import { knownText, oldRatesText } from './parts.ts';
import { keyFigures, totalLabel } from './pay.ts';

/** Renders the payments and their dates, with the words of the sheet Pay. */
const payPart = (report: PeriodReport, pay: PayList): Html => html`<h2 id="pay">Pay</h2>
${payTable(pay, totalLabel(pay))}
<p class="mut">${remarksOf(report, pay)}</p>`;

/** What decisions keep off the returns, for whom the amounts hold, and how old rates are. */
const remarksOf = (report: PeriodReport, pay: PayList): string =>
  [
    ...pay.unreturned.map(
      ({ state, amount, todo }) => `${state}: ${shownMoney(amount)} collected, on no return. ${todo}`,
    ),
    oldRatesText(report),
  ]
    .filter(Boolean)
    .join(' ');

/** Renders the four answers that a reader comes for, as the sheet Pay has them. */
const cardsPart = (report: PeriodReport, pay: PayList): Html => {
  const kindOf = (index: number): string => {
    if (index > 0) return 'card';
    return report.readiness.ready ? 'card good' : 'card bad';
  };
  const cards = keyFigures(report, pay).map(
    ({ label, value, remark }, index) =>
      html`<div class="${kindOf(index)}"><span>${label}</span><b>${value}</b><span>${remark}</span></div>`,
  );
  return html`<div class="cards">
${cards}
</div>`;
};

/** Says of books that were made while the period was not over when that was, whenever they are read. */
const earlyPart = (report: PeriodReport): Html => {
  const note = earlyNote(report);
  return note === undefined
    ? html``
    : html`<p id="preliminary">${note}</p>
`;
};

/**
 * Renders the page of a period: what to pay, what to decide, and what the figures are made of. It needs no other file and
 * asks for none.
 */
export const reportPage = (report: PeriodReport, filing: PeriodFiling, pay: PayList): string => {
  const title = `Sales tax for ${periodName(report.period.label)}`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${title}: ${report.seller}</title>
<style>${trusted(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#pay">Skip to what to pay</a>
<header>
<h1>${title}</h1>
<p class="mut">Sales of ${fullDay(report.period.first)} to ${fullDay(report.period.last)}, ${report.timeZone} · ${report.seller}</p>
${earlyPart(report)}${cardsPart(report, pay)}
<p id="overdue" hidden></p>
<nav aria-label="Parts of this page"><a href="#pay">Pay</a><a href="#decide">Decide</a><a href="#bridge">Variance</a><a href="#map">Map</a><a href="#states">States</a><a href="filing-summary.xlsx">filing-summary.xlsx</a><a href="variance.xlsx">variance.xlsx</a></nav>
</header>
<main>
${payPart(report, pay)}
${decidePart(report)}
<h2 id="bridge">Variance</h2>
<p>${bridgeWords(report)}</p>
${figure(bridgeBars(report))}
<h2 id="map">Map</h2>
<div class="maps">
${figure(varianceMap(report), 'Variance', [
  ['over', 'Above expected'],
  ['under', 'Below expected'],
  ['even', 'As expected'],
  ['framed', 'Registered'],
])}
${nexusPart(filing, report)}
</div>
<h2 id="states">States</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Table of the states, which scrolls sideways">${statesTable(report)}</div>
</main>
<footer><p>${knownText(report)} Tax service: ${report.service}. Made by ${report.program}. Check the folder with <code>tieout verify</code>.</p></footer>
<script>${trusted(PAGE_SCRIPT)}</script>
</body>
</html>
`;
  return page.html;
};

/** Says in one sentence what the shop charged, what was due, and how they differ. */
const bridgeWords = (report: PeriodReport): string => {
  const buckets = bucketsOf(report.reasons);
  const parts = BUCKET_NAMES.filter((bucket) => buckets[bucket] !== ZERO).map(
    (bucket) => `${shownChange(buckets[bucket])} ${BUCKETS[bucket]}`,
  );
  return `${shownMoney(totalOf(report, 'collected'))} was collected and ${shownMoney(totalOf(report, 'expected'))} expected: ${parts.length === 0 ? 'they agree' : parts.join(', ')}.`;
};

/** Content security policy: the page cannot load or send anything; its one script is allowed by digest. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash('sha256').update(PAGE_SCRIPT).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Renders a chart with its title and the meaning of its colours. */
const figure = (
  chart: Html | undefined,
  title?: string,
  key: readonly (readonly [kind: string, words: string])[] = [],
): Html => {
  if (chart === undefined)
    return html`<p class="mut">No chart is drawn here: there are fewer than two figures to compare.</p>`;
  const meanings = key.map(([kind, words]) => html`<li><i class="tile ${kind}"></i>${words}</li>`);
  return html`<figure>${title ? html`<figcaption>${title}</figcaption>` : html``}${chart}${key.length === 0 ? html`` : html`<ul class="key">${meanings}</ul>`}</figure>`;
};

/** Renders how close each state is to its threshold, or why that is not known. */
const nexusPart = ({ nexus }: PeriodFiling, report: PeriodReport): Html =>
  nexus.length === 0
    ? html`<p class="mut">Not measured: no month with sales into a state with a threshold was closed here up to the end of this period.</p>`
    : figure(nexusMap(nexus, report), 'Nexus: share of the threshold', [
        ['under framed', 'Registered'],
        ['over', '▲ Crossed, not registered'],
        ['close', '△ Close'],
        ['even', 'Below'],
      ]);

/** Renders the lines that wait for a decision, and what else keeps the period from being filed. */
const decidePart = (report: PeriodReport): Html => {
  const lines = linesToDecide(report);
  const waiting = lines.filter(({ band }) => band === 'open' || band === 'gap');
  const apart = report.readiness.reasons.filter((reason) => linesOfReason(lines, reason).length === 0);
  const others = lines.length - waiting.length;
  return html`<h2 id="decide">Decide</h2>
${waiting.length === 0 ? html`<p class="mut">Nothing waits for a decision.</p>` : decideTable(waiting)}
${apart.length === 0 ? html`` : html`<ul class="apart">${apart.map(({ what, todo }) => html`<li>${what} ${todo}</li>`)}</ul>`}
${
  lines.length === 0
    ? html``
    : html`<p class="${waiting.length === 0 ? 'mut' : 'answer'}">Answer in a copy of open-items.csv beside tieout.yaml, named decisions.csv; then run <code>tieout close ${report.period.label}</code> again. ${others > 0 ? `Decide of variance.xlsx has ${shownNumber(others, 'more line')}: causes to correct in the shop, and what is decided.` : ''}</p>`
}`;
};
