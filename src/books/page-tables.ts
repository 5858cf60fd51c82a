import {
  isAmountKnown,
  isUnderToPay,
  openChangeText,
  type PayList,
  type PayRow,
  portalFile,
  STATUS_TEXTS,
  shortPayByText,
} from '../figures/pay-list.ts';
import { firstSentence } from '../figures/pay-todo.ts';
import { type PeriodReport, totalOf, varianceOf } from '../figures/period-report.ts';
import type { DecideLine } from '../judge/decide-lines.ts';
import { REASONS } from '../judge/reason.ts';
import type { Money } from '../kernel/money.ts';
import { shownDollars } from '../kernel/text.ts';
import { type StateRow, stateRows } from './by-state.ts';
import { coveredText } from './files-to-fill-in.ts';
import { amount, cellText, change, type Html, html, pageTable, prose, stateRow } from './page-html.ts';

/** The colours of a status, by its sign. */
const TAGS: Readonly<Record<string, string>> = { '✓': 'ok', '✕': 'no', '●': 'no' };

/** A status as a badge, with its sign, so that it does not depend on colour. */
const badge = (status: string): Html =>
  html`<span class="tag ${TAGS[status.slice(0, 1)] ?? 'idle'}">${status.replaceAll(' ', '\u00a0')}</span>`;

/** Renders a text with links to the lines of Decide that it names, where the page has them. */
const linked = (text: string, lines: readonly string[]): Html =>
  html`${text.split(/\b(D\d{2,})\b/).map((piece) => (lines.includes(piece) ? html`<a href="#${piece}">${piece}</a>` : prose(piece)))}`;

/** The total of the returns that are paid now, below their rows. */
type Total = { readonly label: string; readonly total: Money };

const isTotal = (row: PayRow | Total): row is Total => 'total' in row;

const paidWith = (row: PayRow): Html => {
  const { text, href } = portalFile(row);
  return href === undefined ? html`${text}` : html`<a href="${href}">${text}</a>`;
};

/** Shows an unknown change as text; only a change that is really zero is shown as zero. */
const changeCell = (row: PayRow): Html | string => {
  if (!isAmountKnown(row)) return '';
  return row.isChangeOpen ? openChangeText(row.change) : change(row.change);
};

/** Renders the returns by the day of payment, with the words of the sheet Pay. */
export const payTable = ({ now, later, total }: PayList, label: string): Html => {
  const only = (cell: (row: PayRow) => Html | string) => (row: PayRow | Total) =>
    isTotal(row) ? '' : cell(row);
  return pageTable<PayRow | Total>({
    id: 'pay-list',
    kind: 'stack pay',
    caption:
      'By day of payment; US dollars, after discount, prepayments and credits. BLOCKED: a decision could still change the amount.',
    groups: [
      { rows: now },
      { kind: 'total', rows: [{ label, total }] },
      ...(later.length === 0 ? [] : [{ kind: 'later', rows: later }]),
    ],
    traits: (row) =>
      isTotal(row)
        ? {}
        : {
            ...(row.status === 'NOT READY' && { kind: 'hot' }),
            // Whether an amount is overdue depends on the reader's clock.
            ...(now.includes(row) && {
              data: {
                [row.payBy.isVerified ? 'pay' : 'unverified']: row.payBy.date,
                return: `${row.state} ${row.form}`,
              },
            }),
          },
    columns: [
      {
        title: 'Return',
        kind: 'name',
        cell: (row) =>
          isTotal(row)
            ? row.label
            : html`<b>${row.state}</b> <span class="nm">${row.name}</span> <span class="mut">${row.form}</span>`,
      },
      { title: 'Status', kind: 'st', cell: only(({ status }) => badge(STATUS_TEXTS[status])) },
      {
        title: 'To pay',
        kind: 'num big',
        cell: (row) => {
          if (isTotal(row)) return shownDollars(row.total);
          return isUnderToPay(row) ? amount(row.amount) : '';
        },
      },
      { title: 'Could change by', kind: 'num chg', isLabelled: true, cell: only(changeCell) },
      {
        title: 'Pay by',
        kind: 'by',
        cell: only(({ payBy, filed }) => {
          const when = shortPayByText(payBy, filed.figures.period);
          return payBy.hour ? html`<b>${when}</b>` : when;
        }),
      },
      {
        title: 'Before you file, and the portal file',
        kind: 'todo',
        cell: only(
          (row) =>
            html`${linked(firstSentence(row.steps[0] ?? ''), row.waitsFor)}<div class="file">${paidWith(row)}</div>`,
        ),
      },
    ],
  });
};

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
    ? prose(cellText(line.means))
    : html`${prose(cellText(line.means))}<div class="file">Records: ${coveredText(line)}</div>`;

const FIGURES = ['gross', 'taxable', 'collected', 'expected', 'recorded'] as const;

/** The figures of all states, below their rows. */
type AllStates = { readonly isAll: true } & Pick<StateRow, (typeof FIGURES)[number] | 'variance'>;

/** Renders the states, the largest variance first, with what was collected, expected and recorded. */
export const statesTable = (report: PeriodReport): Html => {
  const rows = stateRows(report);
  const totals = Object.fromEntries(FIGURES.map((figure) => [figure, totalOf(report, figure)]));
  const all = { isAll: true, variance: varianceOf(report), ...totals } as AllStates;
  const only = (cell: (row: StateRow) => Html | string) => (row: StateRow | AllStates) =>
    'isAll' in row ? '' : cell(row);
  return pageTable<StateRow | AllStates>({
    id: 'by-state',
    kind: 'wide',
    caption: 'Largest variance first. Recorded: what the tax service holds. ▲: material.',
    groups: [{ rows }, { kind: 'total', rows: [all] }],
    traits: (row) => ('isAll' in row ? {} : { id: stateRow(row.state) }),
    columns: [
      { title: 'State', cell: (row) => ('isAll' in row ? 'All' : html`<b>${row.state}</b>`) },
      { title: 'Registered', cell: only(({ since }) => since || 'no') },
      ...FIGURES.map((figure) => ({
        title: `${figure.charAt(0).toUpperCase()}${figure.slice(1)}`,
        kind: 'num',
        cell: (row: StateRow | AllStates) => amount(row[figure]),
      })),
      { title: 'Variance', kind: 'num big', cell: ({ variance }) => change(variance) },
      {
        title: 'Main reason',
        cell: only((row) => `${row.isMaterial ? '▲ ' : ''}${row.mainReason ?? ''}`),
      },
    ],
  });
};
