import { fullDay, longDay, periodName, verifiedWords } from '../figures/day-words.ts';
import {
  isUnderToPay,
  type PayList,
  type PayRow,
  paymentsIn,
  portalFile,
  STATUS_TEXTS,
  shortPayByText,
  waitingIn,
} from '../figures/pay-list.ts';
import type { UnreturnedRow } from '../figures/pay-todo.ts';
import { type PeriodReport, waitingText } from '../figures/period-report.ts';
import type { Money } from '../kernel/money.ts';
import { shownDollars, shownNumber } from '../kernel/text.ts';
import { type Column, defineSheet, filled } from '../workbook/sheet.ts';
import { knownText, money, oldRatesText, readyText, summed, word, words } from './parts.ts';

/** A return, or tax on none, as a row of the sheet. */
type PayLine = Pick<UnreturnedRow, 'state' | 'todo'> & {
  readonly form: string;
  readonly status: keyof typeof STATUS_TEXTS;
  readonly amount: Money | undefined;
  readonly payBy?: string;
  readonly due?: string;
  readonly file?: string;
};

const lineOf = (row: PayRow): PayLine => ({
  state: row.state,
  form: row.form,
  status: row.status,
  amount: isUnderToPay(row) ? row.amount : undefined,
  payBy: shortPayByText(row.payBy, row.filed.figures.period),
  due: fullDay(row.due),
  file: portalFile(row).text,
  todo: row.steps.join(' '),
});

const unreturnedLine = ({ state, amount, status, todo }: UnreturnedRow): PayLine => ({
  ...{ state, amount, status, todo, form: 'No registration' },
});

const amountOf = ({ amount }: PayLine): Money | undefined => amount;

/** The columns of the tables, with what an amount means in each. */
const columnsOf = (...amounts: readonly Column<PayLine>[]): readonly Column<PayLine>[] => [
  word('State', 8, ({ state }) => state),
  words('Return', 23, ({ form }) => form),
  word('Status', 20, ({ status }) => STATUS_TEXTS[status], {
    flag: ({ status }) => (/^[✕●]/.test(STATUS_TEXTS[status]) ? 'attention' : undefined),
  }),
  ...amounts,
  words('Pay by', 27, ({ payBy }) => payBy),
  words('Due', 13, ({ due }) => due),
  words('Portal file', 34, ({ file }) => file),
  words('Before you file', 54, ({ todo }) => todo),
];

/** Builds the first sheet of filing-summary.xlsx: the payments, their dates, and what is still in the way. */
export const paySheet = (report: PeriodReport, pay: PayList) => {
  const figures = keyFigures(report, pay);
  const now = defineSheet<PayLine>({
    name: 'Pay',
    table: 'Pay',
    title: figures
      .slice(0, 2)
      .map(({ label, value }) => `${label}: ${value}`)
      .join('  ·  '),
    note: [
      `${report.seller}: sales of ${fullDay(report.period.first)} to ${fullDay(report.period.last)}`,
      ...figures.map(({ label, value, remark }) => `${label}: ${value}${remark && `  ·  ${remark}`}`),
      leadOf(report, pay),
      ...remarksOf(report, pay),
    ].join('\n'),
    empty: 'No return is due.',
    freeze: { columns: 2 },
    columns: columnsOf(
      summed('To pay', 13, ({ amount }) => (amount !== undefined && amount < 0 ? undefined : amount)),
      ...(pay.now.some(({ amount }) => amount < 0)
        ? [
            money<PayLine>('Credit', 13, ({ amount }) =>
              amount !== undefined && amount < 0 ? amount : undefined,
            ),
          ]
        : []),
    ),
  });
  const beside = (name: string, title: string, column: string): typeof now => ({
    ...{ name, title, table: name },
    columns: columnsOf(money(column, 13, amountOf)),
  });
  return [
    filled(now, pay.now.map(lineOf)),
    filled(beside('Later', 'Not due, or nothing to file', 'Amount'), pay.later.map(lineOf)),
    filled(
      beside('On_no_return', 'Collected, but on no return', 'Collected'),
      pay.unreturned.map(unreturnedLine),
    ),
  ] as const;
};

/** Labels the total to pay: `To pay by November 30`. */
export const totalLabel = ({ now, preliminary }: PayList): string => {
  const last = paymentsIn(now).at(-1);
  const what = preliminary === undefined ? 'To pay' : 'So far, to pay';
  return last ? `${what} by ${longDay(last.payBy.date)}${verifiedWords(last.payBy)}` : what;
};

/**
 * Returns the four answers that a reader comes for, in words, as sheet and page show them: whether the period is ready,
 * what to pay, by when, and what waits.
 */
export const keyFigures = (report: PeriodReport, pay: PayList) => {
  const [first] = paymentsIn(pay.now);
  const { later } = pay;
  const rest = later.length === 0 ? '' : `; without ${later.map(({ key }) => key).join(', ')}`;
  return [
    {
      label: periodName(report.period.label),
      value: readyText(report),
      remark: couldChange(pay),
    },
    {
      label: totalLabel(pay),
      value: shownDollars(pay.total),
      remark: `${shownNumber(pay.now.length, 'return')}${rest}`,
    },
    {
      label: 'First payment',
      value: first ? shortPayByText(first.payBy, report.period) : 'None',
      remark: first ? `${first.name} ${first.form}, ${shownDollars(first.amount)}` : '',
    },
    {
      label: 'Waiting for a decision',
      value: waitingText(report),
      remark: 'See Decide in variance.xlsx',
    },
  ];
};

const couldChange = (pay: PayList): string => {
  const waiting = waitingIn(pay).length;
  return waiting === 0
    ? ''
    : `${waiting} of ${shownNumber(pay.now.length + pay.later.length, 'return')} could change`;
};

/** Describes the conditions on the amounts, in one line. */
const leadOf = (report: PeriodReport, pay: PayList): string =>
  [pay.preliminary, oldRatesText(report), 'If paid late, see `tieout status`.'].filter(Boolean).join(' ');

const remarksOf = (report: PeriodReport, { now, later }: PayList): readonly string[] => [
  'To pay: after discount, prepayments and credits; of an amended return, beyond the return before it. BLOCKED: a decision could still change it.',
  ...([...now, ...later].every(({ payBy }) => payBy.isVerified)
    ? []
    : ['Not verified: Tieout has no source for this date. Look it up in the state’s own words.']),
  knownText(report),
];
