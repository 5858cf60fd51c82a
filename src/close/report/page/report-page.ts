import { createHash } from 'node:crypto';
import { type Money, subtract, ZERO } from '../../../kernel/money.ts';
import { shownMoney, shownNumber } from '../../../kernel/shown-figures.ts';
import { longDay, verifiedWords } from '../../figures/day-words.ts';
import { earlyNote } from '../../figures/early-note.ts';
import { openChangeText } from '../../figures/pay-change.ts';
import {
  fileText,
  finalText,
  isAmountKnown,
  isUnderToPay,
  type PayList,
  type PayRow,
  payByText,
  payListOf,
  paymentsIn,
  STATUS_TEXTS,
  waitingIn,
} from '../../figures/pay-list.ts';
import type { PeriodFiling } from '../../figures/period-filing.ts';
import {
  acceptedExceptions,
  linesToDecide,
  openExceptions,
  type PeriodReport,
  totalOf,
} from '../../figures/period-report.ts';
import { hasReversals } from '../../reconcile/period-totals.ts';
import { readinessLine, readinessWord } from '../../reconcile/readiness.ts';
import { splitVariance, VARIANCE_PART_NAMES, VARIANCE_PARTS } from '../../reconcile/variance-part.ts';
import { notMeasured } from '../nexus-words.ts';
import { bridgeBars } from './bridge-bars.ts';
import { type Html, html, trusted } from './html.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-script.ts';
import { linked, type PageTable, pageTable } from './page-table.ts';
import {
  causesTable,
  decideTable,
  exceptionsTable,
  jurisdictionsTable,
  readinessTable,
  reasonsTable,
  statesTable,
} from './page-tables.ts';
import { nexusMap, varianceMap } from './state-maps.ts';

type PayLine = {
  readonly state: string;
  readonly form: string;
  readonly status: string;
  /** Empty if nothing is to be paid with the return, or the amount follows from the close of another period. */
  readonly amount: Money | undefined;
  /** Empty if the amount follows from the close of another period. */
  readonly change: Money | undefined;
  readonly isChangeOpen: boolean;
  /** The last day to pay an amount due, for the page's script: whether it is overdue depends on the reader's clock. */
  readonly payOn: string;
  readonly isVerified: boolean;
  readonly payBy: string;
  readonly todo: string;
  readonly file: string;
};

/** Renders the payments and their dates, with the rows and words of the sheet Pay. */
const payPart = (pay: PayList): Html => html`<h2 id="pay">Pay</h2>
<p class="about">${summaryOf(pay)}</p>
<p id="overdue" hidden></p>
${pageTable(payTable(pay))}`;

const summaryOf = (pay: PayList): string => {
  const { now, later, total } = pay;
  if (now.length === 0) return 'No return is paid from this close; each row says why.';
  const payments = paymentsIn(now);
  const [first] = payments;
  const last = payments.at(-1);
  const amount =
    first && last
      ? `$${shownMoney(total)} to pay by ${longDay(last.payBy.date)}${verifiedWords(last.payBy)}, the first by ${payByText(first.payBy)}`
      : 'Nothing to pay with these returns';
  const waiting = waitingIn(pay).length;
  const state =
    waiting === 0
      ? `${finalText(pay)}.`
      : `${waiting} of ${shownNumber(now.length + later.length, 'return')} could still change.`;
  return `${amount}. ${state} The sheet Pay of filing-summary.xlsx has the same list.`;
};

/** Shows an unknown change as text; only a change that is really zero is shown as zero. */
const changeCell = ({ change, isChangeOpen }: PayLine) => {
  if (change === undefined) return '';
  return isChangeOpen ? openChangeText(change) : { amount: change };
};

const fileWords = (row: PayRow): string => {
  if (row.instead) return `With ${row.instead.form}`;
  if (!isUnderToPay(row) || row.status === 'UNCHANGED') return '';
  return row.file ? fileText(row.file) : 'Enter on the portal';
};

/** Keeps a date on one line, and likewise a time after it. */
const unbroken = (text: string): string => text.replace(/ (?!\d+:)/g, '\u00a0');

const payTable = ({ now, later, unreturned }: PayList): PageTable<PayLine> => ({
  id: 'pay-list',
  isStacked: true,
  caption:
    'What to pay, the earliest payment first. PRELIMINARY: the period was not over when this was made. READY: nothing waits for a decision; defaults hold unless you change them. NOT READY: a decision could still change the amount. NOT DUE: the state wants a return of a longer period, and the amount is that of the closed period alone; where that return was filed before, the tax is under Before you file. NOT REQUIRED: the state wants no return of this month, and nothing is to be paid with it. OTHER PERIOD: the return is of another period, and a close of that period has its amount. UNCHANGED: no line of the amended return differs from the return before it. To pay is the amount due after discount, prepayments and credits, of an amended return what is due beyond the return before it. It is for filing and paying on time; after that the discount is lost, and `tieout status` has the amount to pay today.',
  rows: [
    ...[...now, ...later].map((row) => ({
      ...row,
      amount: isUnderToPay(row) ? row.amount : undefined,
      change: isAmountKnown(row) ? row.change : undefined,
      payOn: now.includes(row) ? row.payBy.date : '',
      isVerified: row.payBy.isVerified,
      status: STATUS_TEXTS[row.status],
      payBy: payByText(row.payBy),
      file: fileWords(row),
    })),
    ...unreturned.map((row) => ({
      ...row,
      form: 'No registration',
      status: STATUS_TEXTS[row.status],
      change: ZERO,
      isChangeOpen: false,
      payOn: '',
      isVerified: true,
      payBy: '',
      file: '',
    })),
  ],
  keys: ({ state, status, payOn, isVerified }) => ({
    state,
    status: status.slice(2),
    ...(payOn !== '' && { [isVerified ? 'pay' : 'unverified']: payOn }),
  }),
  columns: [
    { title: 'State', cell: ({ state }) => state },
    { title: 'Return', cell: ({ form }) => form },
    { title: 'Status', cell: ({ status }) => ({ name: unbroken(status) }) },
    { title: 'To pay', cell: ({ amount }) => (amount === undefined ? '' : { amount }) },
    { title: 'Could change by at most, before discount', cell: (row) => changeCell(row) },
    { title: 'Pay by', cell: ({ payBy }) => unbroken(payBy) },
    { title: 'Before you file', cell: ({ todo }) => todo },
    { title: 'Portal file', cell: ({ file }) => ({ name: file }) },
  ],
});

/** Says of books that were made while the period was not over when that was, whenever they are read. */
const earlyPart = (report: PeriodReport): Html => {
  const note = earlyNote(report);
  return note === undefined
    ? html``
    : html`<p id="preliminary">${note}</p>
`;
};

/** Renders `report.html`: the period on one page that needs only a browser. The same report produces the same text. */
export const reportPage = (report: PeriodReport, filing: PeriodFiling): string => {
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
${earlyPart(report)}<p class="about">${report.period.first} to ${report.period.last}, business dates in ${report.timeZone}. Tax service: ${report.service}. Made by ${report.program}.</p>
<nav aria-label="Parts of this page"><ul>
<li><a href="#pay">Pay</a></li><li><a href="#decide">Decide</a></li><li><a href="#figures">Figures</a></li><li><a href="#bridge">Bridge</a></li><li><a href="#states">States</a></li><li><a href="#nexus">Nexus</a></li>
<li><a href="#jurisdictions">Jurisdictions</a></li><li><a href="#exceptions-title">Exceptions</a></li>
</ul></nav>
</header>
<main>
${payPart(payListOf(report, filing))}
${decidePart(report)}
${figures(report)}
${readinessPart(report)}
<h2 id="bridge">From expected to collected, reason by reason</h2>
${figure(bridgeBars(report), `Each bar is what one reason adds to the tax collected, or takes from it. ${coloursOf(report)}. The last bar is what they come to.`)}
${pageTable(reasonsTable(report))}
<h2 id="states">States by variance and registration</h2>
${figure(varianceMap(report), `Each tile is a state. ${coloursOf(report)}; violet: mostly rates that Tieout lacks; grey: as expected; no fill: no sales. A thick frame: the seller is registered there.`)}
${pageTable(statesTable(report))}
<h2 id="nexus">States by nexus</h2>
${nexusPart(filing, report)}
<h2 id="jurisdictions">Jurisdictions</h2>
${pageTable(jurisdictionsTable(report))}
<h2 id="exceptions-title">Exceptions</h2>
${pageTable(causesTable(report))}
${pageTable(exceptionsTable(report))}
</main>
<script>${trusted(PAGE_SCRIPT)}</script>
</body>
</html>
`;
  return page.html;
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
    ? html`<p class="about">${notMeasured(report.period)}</p>`
    : figure(
        nexusMap(nexus, report),
        'How much of its threshold each state has reached. Blue with a thick frame: registered. Brown with ▲: crossed, and not registered. Yellow with △: close. Grey: below. No fill: no sales, or no threshold. The sheet Nexus of filing-summary.xlsx has the working.',
      );

/** Renders the variance split. */
const partFigures = ({ reasons }: PeriodReport): readonly (readonly [string, Html])[] => {
  const parts = splitVariance(reasons);
  return VARIANCE_PART_NAMES.map((part) => [
    VARIANCE_PARTS[part],
    linked({ href: '#by-reason', search: '' }, shownMoney(parts[part])),
  ]);
};

/** Renders the lines to decide, as on the sheet Decide of variance.xlsx. */
const decidePart = (report: PeriodReport): Html => {
  const lines = linesToDecide(report);
  if (lines.length === 0)
    return html`<h2 id="decide">Decide</h2>
<p class="about">There is nothing to decide.</p>`;
  return html`<h2 id="decide">Decide</h2>
<p class="about">Fill in the yellow cells of the sheet Decide in variance.xlsx, or decisions.csv; name the file in <code>decisions</code> of tieout.yaml, and close again. A default holds unless you change it.</p>
${pageTable(decideTable(lines))}`;
};

/** Renders the reasons why the period cannot be filed; empty if it is ready and no gaps are accepted. */
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
