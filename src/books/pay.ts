import { fullDay, longDay, periodName } from '../figures/day-words.ts';
import {
  fileText,
  finalText,
  isAmountKnown,
  isQualified,
  isUnderToPay,
  leftOutText,
  openChangeText,
  type PayList,
  type PayRow,
  paymentsIn,
  STATUS_TEXTS,
  shortPayByText,
  waitingIn,
} from '../figures/pay-list.ts';
import type { UnreturnedRow } from '../figures/pay-todo.ts';
import { type PeriodReport, waitingText } from '../figures/period-report.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { formatMoney, sum } from '../kernel/money.ts';
import { shownDollars, shownNumber } from '../kernel/text.ts';
import { formula } from '../workbook/cell.ts';
import {
  type Card,
  type Grid,
  type GridCell,
  type GridColumn,
  type GridRow,
  type LaidOutSheet,
  laidOut,
  type Tone,
  text,
} from '../workbook/sheet.ts';
import { knownText, oldRatesText, statusCard } from './parts.ts';
import { returnSheetName } from './return-formulas.ts';

const TABLE = 'Pay';
/** What is left to pay; of an amended return, what is due beyond the return before it. */
const TO_PAY = 'To pay';
const COLUMNS: readonly (GridColumn & { readonly width: number })[] = [
  { title: 'State', width: 7 },
  { title: 'Return', width: 23 },
  { title: 'Status', width: 18 },
  { title: TO_PAY, width: 12, align: 'right' },
  { title: 'Could change by', width: 11, align: 'right' },
  { title: 'Pay by', width: 27 },
  { title: 'Due', width: 13 },
  { title: 'Portal file', width: 40 },
  { title: 'Before you file', width: 54 },
];

/** Builds the first sheet of filing-summary.xlsx: the payments, their dates, and what is still in the way. */
export const paySheet = (report: PeriodReport, pay: PayList): LaidOutSheet =>
  laidOut({
    name: 'Pay',
    title: `What to pay for ${periodName(report.period.label)}`,
    subtitle: `${report.seller}  ·  sales of ${fullDay(report.period.first)} to ${fullDay(report.period.last)}`,
    orientation: 'landscape',
    tab: 'answer',
    widths: COLUMNS.map(({ width }) => width),
    freeze: { columns: 2 },
    cards: cardsOf(report, pay),
    lead: leadOf(report, pay),
    grids: [
      {
        name: TABLE,
        hasHeader: true,
        columns: COLUMNS,
        rows: pay.now.map(payRow),
        totals: [totalRow(pay)],
      },
      ...(pay.later.length === 0
        ? []
        : [
            {
              heading: 'Not due, or nothing to file',
              hasHeader: false,
              columns: COLUMNS,
              rows: pay.later.map(payRow),
            },
          ]),
      ...besideTheReturns(pay),
      ...leftOff(pay),
    ],
    findings: [...remarksOf(pay), knownText(report)],
  });

const payRow = (row: PayRow): GridRow => ({
  cells: [
    text(row.state, { bold: true }),
    text(row.form, { link: { sheet: returnSheetName(row.filed) } }),
    statusCell(row.status),
    isUnderToPay(row) ? { format: 'money', value: row.amount, bold: true } : text(''),
    isAmountKnown(row) ? changeCell(row) : text(''),
    text(shortPayByText(row.payBy, row.filed.figures.period), { bold: row.payBy.hour !== undefined }),
    text(fullDay(row.due), { grey: true }),
    fileCell(row),
    text(row.todo),
  ],
});

const fileCell = ({ status, file, instead }: PayRow): GridCell => {
  if (instead) return text(`With ${instead.form}`, { grey: true });
  if (!isUnderToPay({ status }) || status === 'UNCHANGED') return text('');
  if (!file) return text('Enter on the portal', { grey: true });
  return text(fileText(file), { link: { file: `upload/${file.name}` } });
};

/** Shows a change; a dash for zero, and text if it is not known. */
const changeCell = ({ change, isChangeOpen }: PayRow): GridCell => {
  if (!isChangeOpen) return { format: 'change', value: change };
  return text(openChangeText(change), { grey: true });
};

/** Returns the day of the last payment. */
const lastDay = ({ now }: PayList): CalendarDate | undefined => paymentsIn(now).at(-1)?.payBy.date;

/** Labels the total to pay: `To pay by November 30, 2026`. */
const totalLabel = (pay: PayList): string => {
  const last = lastDay(pay);
  const what = pay.preliminary === undefined ? 'To pay' : 'So far, to pay';
  return last === undefined ? what : `${what} by ${longDay(last)}`;
};

/** Formula of the total to pay, without returns that end in a credit. */
const toPay = (at: { column(table: string, title: string): string }): string =>
  `SUMIF(${at.column(TABLE, TO_PAY)},">0")`;

const totalRow = (pay: PayList): GridRow => ({
  kind: 'total',
  cells: [
    text(totalLabel(pay)),
    undefined,
    undefined,
    { format: 'dollars', value: formula(toPay, pay.total) },
    ...COLUMNS.slice(4).map(() => undefined),
  ],
});

const cardsOf = (report: PeriodReport, pay: PayList): readonly Card[] => {
  const { reasons } = report.readiness;
  const [first] = paymentsIn(pay.now);
  return [
    statusCard(report, text(statusRemark(pay, reasons.length))),
    {
      column: 3,
      label: totalLabel(pay),
      value: {
        format: 'status',
        value: formula((at) => `TEXT(${toPay(at)},"$#,##0.00")`, shownDollars(pay.total)),
      },
      remark: text(dueRemark(pay)),
    },
    {
      column: 5,
      label: 'First payment',
      value: text(first ? shortPayByText(first.payBy, report.period) : 'None'),
      remark: text(first ? `${first.name} ${first.form}, ${shownDollars(first.amount)}` : ''),
    },
    {
      column: 7,
      label: 'Waiting for a decision',
      value: text(waitingText(report)),
      remark: text(defaultsText(pay), { link: DECIDE }),
    },
  ];
};

const defaultsText = ({ defaults }: PayList): string => {
  if (defaults === 0) return 'See Decide in variance.xlsx';
  return defaults === 1 ? '1 default of Decide holds' : `${defaults} defaults of Decide hold`;
};

const statusRemark = (pay: PayList, reasons: number): string => {
  const { now, later } = pay;
  const waiting = waitingIn(pay).length;
  if (waiting > 0) return `${waiting} of ${shownNumber(now.length + later.length, 'return')} could change`;
  if (reasons > 0) return `No return could change; see Checks for ${shownNumber(reasons, 'reason')}`;
  if (now.length === 0) return 'No return is due';
  if (!isQualified(pay)) return finalText(pay);
  return pay.preliminary === undefined ? 'Final, with the limits below' : 'Not final, with the limits below';
};

/** Describes the conditions on the amounts, in one line. */
const leadOf = (report: PeriodReport, pay: PayList): string => {
  // What decisions leave off has a line of its own.
  const rest = { ...pay, leftOut: [] };
  return [
    ...(pay.preliminary === undefined ? [] : [pay.preliminary]),
    ...(pay.now.length > 0 && isQualified(rest) ? [`${finalText(rest)}.`] : []),
    ...keptTexts(report),
    oldRatesText(report),
    'If paid late, see `tieout status`.',
  ]
    .filter(Boolean)
    .join(' ');
};

/** Says which records are at the service and on no return, because somebody answered to keep them. */
const keptTexts = ({ exceptions }: PeriodReport): readonly string[] => {
  const kept = exceptions.filter(({ decision }) => decision?.verdict === 'keep');
  const files = kept.filter(({ code }) => code === 'export-gone');
  const records = kept.filter(({ code }) => code !== 'export-gone');
  const texts = files.map(({ origin, message }) => `${origin.file}: ${message}.`);
  if (records.length === 0) return texts;
  const tax = shownDollars(sum(records.map(({ effect }) => effect)));
  return [
    ...texts,
    `${shownNumber(records.length, 'record')} kept at the service, on no return: ${tax} tax.`,
  ];
};

const dueRemark = ({ now, later }: PayList): string => {
  const states = later.map(({ key }) => key).join(', ');
  const rest = later.length === 0 ? '' : `; without ${states}`;
  return `${shownNumber(now.length, 'return')}${rest}`;
};

const remarksOf = ({ now, later, rolled }: PayList): readonly string[] => {
  const credits = now.filter(({ amount }) => amount < 0);
  return [
    'To pay: after discount, prepayments and credits; of an amended return, beyond the return before it. BLOCKED: a decision could still change it, by the tax shown.',
    ...(rolled.length === 0
      ? []
      : [
          `Sales tax payable that your accounts have otherwise, on Roll-forward: ${rolled.map(({ group }) => group).join(', ')}.`,
        ]),
    ...([...now, ...later].every(({ payBy }) => payBy.isVerified)
      ? []
      : ['Not verified: Tieout has no source for this date. Look it up in the state’s own words.']),
    ...(credits.length === 0
      ? []
      : [
          `Returns that end in a credit are not part of the total: ${credits.map(({ key, amount }) => `${key} ${formatMoney(amount)}`).join(', ')}.`,
        ]),
  ];
};

/** A status as a cell, in the colour of its sign. */
const statusCell = (status: keyof typeof STATUS_TEXTS): GridCell => {
  const value = STATUS_TEXTS[status];
  return { format: 'status', value, tone: TONES[value.charAt(0)] ?? 'idle' };
};

const TONES: Readonly<Record<string, Tone>> = { '✓': 'good', '✕': 'attention', '●': 'attention' };

/** The link to the sheet on which a line is decided. */
const DECIDE = { file: 'variance.xlsx#Decide!A1' };

/** Builds the table of amounts on no return. */
const besideTheReturns = ({ unreturned }: PayList): readonly Grid[] =>
  unreturned.length === 0
    ? []
    : [
        {
          heading: 'Collected, but on no return',
          hasHeader: false,
          columns: COLUMNS,
          rows: unreturned.map(unreturnedRow),
        },
      ];

/** The lines of Decide that are named; the others are counted. */
const NAMED_MAX = 12;

/** Builds the line of what decisions leave off the returns. */
const leftOff = ({ leftOut }: PayList): readonly Grid[] => {
  if (leftOut.length === 0) return [];
  const named = leftOut.slice(0, NAMED_MAX).map(({ no }) => no);
  const more = leftOut.length > NAMED_MAX ? ` and ${leftOut.length - NAMED_MAX} more` : '';
  const line = `${leftOutText(leftOut)}. ${named.join(', ')}${more} in Decide of variance.xlsx.`;
  return [
    { hasHeader: false, columns: COLUMNS, rows: [{ kind: 'note', cells: [text(line, { bold: true })] }] },
  ];
};

const unreturnedRow = ({ state, amount, status, todo }: UnreturnedRow): GridRow => ({
  cells: [
    text(state, { bold: true }),
    text('No registration', { grey: true }),
    statusCell(status),
    { format: 'money', value: amount, bold: true },
    ...Array.from({ length: 4 }, () => undefined),
    text(todo),
  ],
});
