import { createHash } from 'node:crypto';
import { fullDay, longDay, periodName, verifiedWords } from '../figures/day-words.ts';
import {
  finalText,
  isQualified,
  type PayList,
  paymentsIn,
  shortPayByText,
  waitingIn,
} from '../figures/pay-list.ts';
import type { PeriodFiling } from '../figures/period-filing.ts';
import {
  earlyNote,
  linesToDecide,
  type PeriodReport,
  totalOf,
  waitingText,
} from '../figures/period-report.ts';
import { linesOfReason } from '../judge/decide-lines.ts';
import { BUCKET_NAMES, BUCKETS, bucketsOf, hasReversals } from '../judge/period-totals.ts';
import { readinessWord } from '../judge/readiness.ts';
import { ZERO } from '../kernel/money.ts';
import { shownChange, shownDollars, shownMoney, shownNumber } from '../kernel/text.ts';
import { bridgeBars, nexusMap, varianceMap } from './charts.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-script.ts';
import { type Html, html, pageTable, trusted } from './page-table.ts';
import { decideTable, payTable, reasonsTable, statesTable } from './page-tables.ts';
import { knownText, oldRatesText } from './parts.ts';

/** Renders the payments and their dates, with the rows and words of the sheet Pay. */
const payPart = (pay: PayList): Html => html`<h2 id="pay">Pay</h2>
${pageTable(payTable(pay))}
<p class="about">${remarksOf(pay)}</p>`;

/** What decisions keep off the returns, and for whom the amounts hold. */
const remarksOf = (pay: PayList): string =>
  [
    ...(pay.now.length > 0 && isQualified(pay) ? [`${finalText(pay)}.`] : []),
    ...pay.unreturned.map(
      ({ state, amount, todo }) => `${state}: ${shownMoney(amount)} collected, on no return. ${todo}`,
    ),
    'Amounts are after discount, prepayments and credits, for filing and paying on time; `tieout status` has the amount to pay today.',
  ].join(' ');

/** A key figure at the top of the page. */
type Card = {
  readonly label: string;
  readonly value: string;
  readonly remark: string;
  readonly kind?: string;
};

/** Renders the four answers that a reader comes for. */
const cardsPart = (report: PeriodReport, pay: PayList): Html => {
  const { now, later, total } = pay;
  const payments = paymentsIn(now);
  const [first] = payments;
  const last = payments.at(-1);
  const waiting = waitingIn(pay).length;
  const { ready, reasons } = report.readiness;
  const cards: readonly Card[] = [
    {
      label: `${periodName(report.period.label)} is`,
      value: `${ready ? (report.madeEarly ? '○' : '✓') : '✕'} ${readinessWord(report.readiness)}`,
      remark:
        waiting > 0
          ? `${waiting} of ${shownNumber(now.length + later.length, 'return')} could change`
          : ready
            ? finalText(pay)
            : `No return could change; ${shownNumber(reasons.length, 'reason')} below`,
      kind: ready ? 'card good' : 'card bad',
    },
    {
      label: last ? `To pay by ${longDay(last.payBy.date)}${verifiedWords(last.payBy)}` : 'To pay',
      value: shownDollars(total),
      remark: `${shownNumber(now.length, 'return')}${later.length > 0 ? `, and ${later.length} not due now` : ''}`,
    },
    {
      label: 'First payment',
      value: first ? shortPayByText(first.payBy) : 'None',
      remark: first ? `${first.name} ${first.form}, ${shownDollars(first.amount)}` : '',
    },
    { label: 'Waiting for you', value: waitingText(report), remark: 'on the tax of the returns' },
  ];
  return html`<div class="cards">
${cards.map(({ label, value, remark, kind = 'card' }) => html`<div class="${kind}"><span>${label}</span><b>${value}</b><span>${remark}</span></div>`)}
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
${earlyPart(report)}<p class="about">Sales of ${fullDay(report.period.first)} to ${fullDay(report.period.last)}, ${report.timeZone} · ${report.seller}</p>
${cardsPart(report, pay)}
${report.oldRates.length === 0 ? html`` : html`<p class="about">Local rates are ${oldRatesText(report)}.</p>`}
<p id="overdue" hidden></p>
<nav aria-label="Parts of this page"><ul>
<li><a href="#pay">Pay</a></li><li><a href="#decide">Decide</a></li><li><a href="#bridge">Variance</a></li><li><a href="#states">States</a></li><li><a href="#nexus">Nexus</a></li>
<li><a href="filing-summary.xlsx">filing-summary.xlsx</a></li><li><a href="variance.xlsx">variance.xlsx</a></li>
</ul></nav>
</header>
<main>
${payPart(pay)}
${decidePart(report)}
<h2 id="bridge">From expected to collected, reason by reason</h2>
<p class="about">${bridgeWords(report)}</p>
${figure(bridgeBars(report), `Each bar is what one reason adds to the tax collected, or takes from it. ${coloursOf(report)}. The last bar is what they come to.`)}
${pageTable(reasonsTable(report))}
<h2 id="states">States by variance and registration</h2>
${figure(varianceMap(report), `Each tile is a state. ${coloursOf(report)}; violet: mostly rates that Tieout lacks; grey: as expected; no fill: no sales. A thick frame: the seller is registered there.`)}
${pageTable(statesTable(report))}
<h2 id="nexus">States by nexus</h2>
${nexusPart(filing, report)}
<p class="about">Jurisdictions and exceptions: variance.xlsx.</p>
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

/** Says what the colours of amounts mean: a reversal moves the variance the other way than what it reverses. */
const coloursOf = ({ reasons }: PeriodReport): string =>
  hasReversals(reasons)
    ? 'Brown: charged too much, or too little that is reversed; blue: too little, or too much that is reversed'
    : 'Brown: charged too much; blue: too little';

/** Renders a chart with an explanation of how to read it. */
const figure = (chart: Html | undefined, caption: string): Html =>
  chart === undefined
    ? html`<p class="about">No chart is drawn here: there are fewer than two figures to compare.</p>`
    : html`<figure>${chart}<figcaption>${caption}</figcaption></figure>`;

/** Renders how close each state is to its threshold, or why that is not known. */
const nexusPart = ({ nexus }: PeriodFiling, report: PeriodReport): Html =>
  nexus.length === 0
    ? html`<p class="about">Not measured: no month with sales into a state with a threshold was closed here up to the end of this period.</p>`
    : figure(
        nexusMap(nexus, report),
        'How much of its threshold each state has reached. Blue with a thick frame: registered. Brown with ▲: crossed, and not registered. Yellow with △: close. Grey: below. No fill: no sales, or no threshold. The sheet Nexus of filing-summary.xlsx has the working.',
      );

/** Renders the lines to decide, as on the sheet Decide of variance.xlsx, and what else keeps the period from being filed. */
const decidePart = (report: PeriodReport): Html => {
  const lines = linesToDecide(report);
  const apart = report.readiness.reasons.filter((reason) => linesOfReason(lines, reason).length === 0);
  const rest =
    apart.length === 0
      ? html``
      : html`<ul class="apart">${apart.map(({ what, todo }) => html`<li>${what} ${todo}</li>`)}</ul>`;
  if (lines.length === 0)
    return html`<h2 id="decide">Decide</h2>
<p class="about">There is nothing to decide.</p>${rest}`;
  return html`<h2 id="decide">Decide</h2>
<p class="about">Answer in a copy of open-items.csv beside tieout.yaml, named decisions.csv, and close again. A default holds unless you change it.</p>${rest}
${pageTable(decideTable(lines))}`;
};
