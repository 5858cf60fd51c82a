import type { Money } from '../../../kernel/money.ts';
import { shownMoney } from '../../../kernel/text.ts';
import { openChangeText } from '../../figures/pay-change.ts';
import {
  fileText,
  isAmountKnown,
  isUnderToPay,
  type PayList,
  type PayRow,
  payByText,
  STATUS_TEXTS,
} from '../../figures/pay-list.ts';
import type { PageTable } from './page-table.ts';

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

/** The most words of a row of Pay: the sheet of the return has all of them. */
const WORDS_MAX = 15;

const firstWords = (text: string): string => {
  const words = text.split(' ');
  return words.length <= WORDS_MAX ? text : `${words.slice(0, WORDS_MAX - 1).join(' ')} …`;
};

/** Keeps a date on one line, and likewise a time after it. */
const unbroken = (text: string): string => text.replace(/ (?!\d+:)/g, '\u00a0');

/** Builds the table of the returns by the day of payment, with the words of the sheet Pay. */
export const payTable = ({ now, later, unreturned }: PayList): PageTable<PayLine> => ({
  id: 'pay-list',
  isStacked: true,
  caption:
    'In the order in which payment is due. BLOCKED: a decision could still change the amount. NOT DUE: the return is of a longer period. What ends in … stands in full on Pay of filing-summary.xlsx.',
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
      form: `No registration: ${shownMoney(row.amount)} collected`,
      status: STATUS_TEXTS[row.status],
      amount: undefined,
      change: undefined,
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
    { title: 'Status', cell: ({ status }) => ({ status: unbroken(status) }) },
    { title: 'To pay', cell: ({ amount }) => (amount === undefined ? '' : { amount }) },
    { title: 'Could change by at most, before discount', cell: (row) => changeCell(row) },
    { title: 'Pay by', cell: ({ payBy }) => unbroken(payBy) },
    { title: 'Before you file', cell: ({ todo }) => firstWords(todo) },
    { title: 'Portal file', cell: ({ file }) => ({ name: file }) },
  ],
});
