import { type Money, ZERO } from '../../../kernel/money.ts';
import { shownMoney } from '../../../kernel/shown-figures.ts';
import { longDay } from '../../figures/day-words.ts';
import { openChangeText } from '../../figures/pay-change.ts';
import { fileText, finalText, type PayList, payByText, STATUS_TEXTS } from '../../figures/pay-list.ts';
import { type Html, html } from './html.ts';
import { type PageTable, pageTable } from './page-table.ts';

type PayLine = {
  readonly state: string;
  readonly form: string;
  readonly status: string;
  readonly amount: Money;
  readonly change: Money;
  readonly isChangeOpen: boolean;
  /** The day by which to pay what is due already, for the script of the page: only a reader has a clock. */
  readonly payOn: string;
  readonly payBy: string;
  readonly todo: string;
  readonly file: string;
};

/** What to pay, by when: the rows and words of the sheet Pay. */
export const payPart = (pay: PayList): Html => html`<h2 id="pay">Pay</h2>
<p class="about">${summaryOf(pay)}</p>
<p id="overdue" hidden></p>
${pageTable(payTable(pay))}`;

const summaryOf = (pay: PayList): string => {
  const { now, total } = pay;
  const [first] = now;
  const last = now.at(-1);
  if (!first || !last) return 'No return of this period is due yet.';
  const waiting = now.filter(({ status }) => status === 'NOT READY').length;
  const state =
    waiting === 0 ? `${finalText(pay)}.` : `${waiting} of ${now.length} returns could still change.`;
  return `$${shownMoney(total)} to pay by ${longDay(last.payBy.date)}, the first by ${payByText(first.payBy)}. ${state} The sheet Pay of filing-summary.xlsx has the same list.`;
};

/** What is not known is said; nothing is an amount of nothing. */
const changeCell = ({ change, isChangeOpen }: PayLine) =>
  isChangeOpen ? openChangeText(change) : { amount: change };

/** A day stays in one line, and so does an hour behind it. */
const unbroken = (text: string): string => text.replace(/ (?!\d+:)/g, '\u00a0');

const payTable = ({ now, later, unreturned }: PayList): PageTable<PayLine> => ({
  id: 'pay-list',
  isStacked: true,
  caption:
    'What to pay, the earliest payment first. READY: nothing waits for a decision; defaults hold unless you change them. NOT READY: a decision could still change the amount. NOT DUE: the state wants a return of a longer period, and this is what the month adds to it. NOT REQUIRED: the state wants no return of this month. Amounts are after discount, prepayments and credits, for filing and paying on time; after that the discount is lost, and `tieout status` has the amount to pay today.',
  rows: [
    ...[...now, ...later].map((row) => ({
      ...row,
      payOn: now.includes(row) ? row.payBy.date : '',
      status: STATUS_TEXTS[row.status],
      payBy: payByText(row.payBy),
      file: row.instead ? `With ${row.instead.form}` : row.file ? fileText(row.file) : 'Enter on the portal',
    })),
    ...unreturned.map((row) => ({
      ...row,
      form: 'No registration',
      status: STATUS_TEXTS[row.status],
      change: ZERO,
      isChangeOpen: false,
      payOn: '',
      payBy: '',
      file: '',
    })),
  ],
  keys: ({ state, status, payOn }) => ({
    state,
    status: status.slice(2),
    ...(payOn !== '' && { pay: payOn }),
  }),
  columns: [
    { title: 'State', cell: ({ state }) => state },
    { title: 'Return', cell: ({ form }) => form },
    { title: 'Status', cell: ({ status }) => ({ name: unbroken(status) }) },
    { title: 'Amount due', cell: ({ amount }) => ({ amount }) },
    { title: 'Could change by at most, before discount', cell: (row) => changeCell(row) },
    { title: 'Pay by', cell: ({ payBy }) => unbroken(payBy) },
    { title: 'Before you file', cell: ({ todo }) => todo },
    { title: 'Portal file', cell: ({ file }) => ({ name: file }) },
  ],
});
