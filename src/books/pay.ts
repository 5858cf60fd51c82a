import { fullDay, longDay, periodName, verifiedWords } from '../figures/day-words.ts';
import {
  finalText,
  isAmountKnown,
  isQualified,
  isUnderToPay,
  leftOutText,
  openChangeText,
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
import { knownText, oldRatesText, readyText, statusCard } from './parts.ts';
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

const fileCell = (row: PayRow): GridCell => {
  const { text: words, href } = portalFile(row);
  return text(words, href === undefined ? { grey: words !== '' } : { link: { file: href } });
};

/** Shows a change; a dash for zero, and text if it is not known. */
const changeCell = ({ change, isChangeOpen }: PayRow): GridCell => {
  if (!isChangeOpen) return { format: 'change', value: change };
  return text(openChangeText(change), { grey: true });
};

/** Labels the total to pay: `To pay by November 30`. */
export const totalLabel = ({ now, preliminary }: PayList): string => {
  const last = paymentsIn(now).at(-1);
  const what = preliminary === undefined ? 'To pay' : 'So far, to pay';
  return last ? `${what} by ${longDay(last.payBy.date)}${verifiedWords(last.payBy)}` : what;
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

/** A key figure in words, as sheet and page show it. */
type KeyFigure = {
  readonly label: string;
  readonly value: string;
  readonly remark: string;
};

/** Returns the four answers that a reader comes for: whether the period is ready, what to pay, by when, and what waits. */
export const keyFigures = (report: PeriodReport, pay: PayList): readonly KeyFigure[] => {
  const [first] = paymentsIn(pay.now);
  const { defaults, later } = pay;
  const rest = later.length === 0 ? '' : `; without ${later.map(({ key }) => key).join(', ')}`;
  return [
    {
      label: `${periodName(report.period.label)} is`,
      value: readyText(report),
      remark: statusRemark(pay, report.readiness.reasons.length),
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
      remark:
        defaults === 0
          ? 'See Decide in variance.xlsx'
          : `${shownNumber(defaults, 'default')} of Decide ${defaults === 1 ? 'holds' : 'hold'}`,
    },
  ];
};

/** The first column of each card. */
const CARD_COLUMNS = [0, 3, 5, 7];

const cardsOf = (report: PeriodReport, pay: PayList): readonly Card[] =>
  keyFigures(report, pay).map(({ label, value, remark }, index): Card => {
    const column = CARD_COLUMNS[index] ?? 0;
    if (index === 0) return statusCard(report, text(remark));
    if (index > 1)
      return { column, label, value: text(value), remark: text(remark, index > 2 ? { link: DECIDE } : {}) };
    const live = formula((at) => `TEXT(${toPay(at)},"$#,##0.00")`, value);
    return { column, label, value: { format: 'status', value: live }, remark: text(remark) };
  });

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
