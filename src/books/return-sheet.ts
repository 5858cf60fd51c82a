import { fullDay, hourWords, shortDay, weekDay } from '../figures/day-words.ts';
import { isAmountKnown, type PayRow, STATUS_TEXTS } from '../figures/pay-list.ts';
import type { StateReturn } from '../figures/period-filing.ts';
import { earlyNote, type PeriodReport } from '../figures/period-report.ts';
import {
  checkedOn,
  filedBefore,
  isUnverified,
  linesToCheck,
  type ReturnLine,
  type ReturnSchedule,
  type ScheduleRow,
  type TaxReturn,
} from '../filing/tax-return.ts';
import type { UploadFile } from '../filing/upload-files.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { formatPercent, type Money } from '../kernel/money.ts';
import { shownMoney } from '../kernel/text.ts';
import { formula } from '../workbook/cell.ts';
import {
  type Card,
  type Grid,
  type GridCell,
  type GridColumn,
  type GridRow,
  type LaidOutSheet,
  laidOut,
  text,
} from '../workbook/sheet.ts';
import { aboutReturn } from './about-return.ts';
import {
  expressionFormula,
  returnSheetName,
  returnTable,
  scheduleTable,
  toPayFormula,
} from './return-formulas.ts';
import { tablesBelow } from './return-tables.ts';

const NOT_REQUIRED = 'Line of the form, not required this month';
const NOT_OF_THIS_CLOSE = 'Line of the form, not filed from this close';
const WIDTHS = [11, 46, 24, 65, 13];
/** Returns the columns. On a return that is not required, nothing is entered and no line is compared with the form. */
const columnsOf = ({ status, instead }: PayRow): readonly GridColumn[] => [
  { title: 'Line' },
  { title: isOfClosedPeriod({ status }) ? NOT_OF_THIS_CLOSE : instead ? NOT_REQUIRED : 'What to enter' },
  { title: 'Amount', align: 'right' },
  { title: 'Where the figure comes from' },
  { title: instead ? '' : '▲ Check' },
];

/** Builds the sheet of one state's return in the form's order: what to enter, and below it how it was computed. */
export const returnSheet = (
  report: PeriodReport,
  given: StateReturn,
  pay: PayRow,
  uploads: readonly UploadFile[],
): LaidOutSheet => {
  const { filed, dueDate } = given;
  const preliminary = earlyNote(report);
  return laidOut({
    name: returnSheetName(filed),
    title: `${pay.name} ${pay.form}`,
    subtitle: `${filed.form.title}  ·  ${isAmountKnown(pay) ? dueDate.period.label : filed.figures.period.label}  ·  account ${filed.registration.account || 'not given'}${pay.payee === '' ? '' : `  ·  pay to ${pay.payee}`}`,
    orientation: 'portrait',
    widths: WIDTHS,
    cards: cardsOf(pay),
    ...(preliminary !== undefined && { lead: preliminary }),
    grids: [
      {
        name: returnTable(filed),
        hasHeader: true,
        columns: columnsOf(pay),
        rows: filed.lines.map((line) => lineRow(filed, line, pay)),
      },
      ...filed.schedules.map((schedule) => scheduleGrid(filed, schedule)),
      {
        heading: 'About this return',
        hasHeader: false,
        columns: columnsOf(pay),
        rows: aboutReturn(report, given, pay, uploads, isInCard(pay) ? [] : pay.steps),
      },
      ...tablesBelow(filed),
    ],
    findings: [],
  });
};

/** Returns the remark on the payment date: the return that includes the tax, or the due date if payment has an hour. */
const besideDay = ({ instead, payBy, due }: PayRow): readonly string[] => {
  const unverified = payBy.isVerified ? [] : ['not verified: look it up'];
  if (instead) return [`with ${instead.form}`, ...unverified];
  return [...(payBy.hour ? [`due ${shortDay(due)}`] : []), ...unverified];
};

const cardsOf = (pay: PayRow): readonly Card[] => {
  const { filed, amount, payBy, status, steps } = pay;
  return [
    {
      column: 0,
      label: amountLabel(pay),
      value: {
        format: 'status',
        value: formula((at) => `TEXT(${toPayFormula(filed, at)},"$#,##0.00")`, dollars(amount)),
      },
      remark: amountRemark(pay),
    },
    {
      column: 2,
      label: 'Pay by',
      value: text(fullDay(payBy.date)),
      remark: text(
        [payBy.hour ? hourWords(payBy.hour) : weekDay(payBy.date).slice(0, 3), ...besideDay(pay)].join('; '),
      ),
    },
    {
      column: 3,
      label: 'This return is',
      value: text(
        `${STATUS_TEXTS[status].replace(' ', '  ')}${['READY', 'PRELIMINARY'].includes(status) && filed.form.verified === false && linesToCheck(filed).length > 0 ? ', form not verified' : ''}`,
      ),
      remark: text(isInCard(pay) ? steps.join(' ') || 'Nothing is left to do by hand' : 'See “To do” below'),
      isAlarm: status === 'NOT READY',
    },
  ];
};

/** Whether the amount is that of the closed period, and not of a return. */
const isOfClosedPeriod = ({ status }: Pick<PayRow, 'status'>): boolean =>
  !isAmountKnown({ status }) || status === 'NOT DUE';

const amountLabel = (pay: PayRow): string => {
  if (isOfClosedPeriod(pay)) return 'Of the closed period';
  if (pay.instead) return 'Tax of the month';
  if (pay.amount < 0) return 'Credit';
  return filedBefore(pay.filed) ? 'To pay beyond what was filed' : 'To pay';
};

const amountRemark = (pay: PayRow): GridCell => {
  const { instead, file } = pay;
  if (isOfClosedPeriod(pay)) return text('Not the amount of a return');
  if (pay.status === 'UNCHANGED') return text('Nothing to file: as filed before');
  if (instead) return text(`Not required this month; report it on ${instead.form}`);
  if (file === undefined) return text('Enter on the portal');
  return text(`${file.isDraft ? 'Draft: ' : ''}upload/${file.name}`, {
    link: { file: `upload/${file.name}` },
  });
};

/** Formats an amount like a number format: `$1,038.00`, `-$12.00`. */
const dollars = (amount: Money): string =>
  `${amount < 0 ? '-' : ''}$${shownMoney(Math.abs(amount) as Money)}`;

const CARD_LENGTH_MAX = 78;

/** Whether the steps fit the card, and need no place below the lines. */
const isInCard = ({ steps }: PayRow): boolean => steps.join(' ').length <= CARD_LENGTH_MAX;

const lineRow = (
  filed: TaxReturn,
  { line, amount, round, provenance }: ReturnLine,
  { instead }: PayRow,
): GridRow => ({
  ...(line.role === 'due' ? { kind: 'result' } : line.working ? { kind: 'working' } : {}),
  cells: [
    text(line.working ? 'working' : line.line, line.working ? {} : { bold: true }),
    text(line.label),
    {
      format: line.role === 'due' ? 'dollars' : 'money',
      // Nothing refers to a line of which nothing is known.
      value:
        line.formula.expression.kind === 'nothing'
          ? amount
          : formula(expressionFormula(filed, line.formula.expression, round), amount),
    },
    text([provenance, line.note].filter(Boolean).join('. '), { grey: true, bold: false }),
    instead || !isUnverified(filed, line) ? undefined : checkCell(checkedOn(filed, line)),
  ],
});

/** Shows the day on which a person checked a line, or a warning sign. */
const checkCell = (on: CalendarDate | undefined): GridCell =>
  on === undefined ? { format: 'status', value: '▲', tone: 'attention' } : text(`✓ ${on}`);

const scheduleGrid = (filed: TaxReturn, { schedule, rows, taxable, tax }: ReturnSchedule): Grid => {
  const name = scheduleTable(filed, schedule.name);
  const total = (title: string, amount: Money): GridCell => ({
    format: 'money',
    value: formula((at) => at.sum(name, title), amount),
  });
  return {
    heading: `${schedule.title}${schedule.tax === 'recorded' ? ', tax by sale' : ''}`,
    name,
    hasHeader: true,
    columns: [
      { title: 'Code' },
      { title: 'Place or body' },
      { title: 'Taxable', align: 'right' },
      { title: 'Rate' },
      { title: 'Tax', align: 'right' },
    ],
    rows: rows.map((row) => scheduleRow(row, filed.listed.length > 0 ? 'not known' : undefined)),
    totals: [
      {
        kind: 'subtotal',
        cells: [text(''), text('Total'), total('Taxable', taxable), undefined, total('Tax', tax)],
      },
    ],
  };
};

const scheduleRow = (row: ScheduleRow, unknown: string | undefined): GridRow => ({
  cells: [
    row.listedAt === '' ? { format: 'id', value: row.code || unknown } : checkCell(undefined),
    text(`${placeWords(row)}${row.listedAt === '' ? '' : `: ${row.listedAt} on the state’s list`}`),
    { format: 'money', value: row.taxable },
    text(formatPercent(row.rate), { grey: true }),
    { format: 'money', value: row.tax },
  ],
});

const LEVELS = { state: 'state', county: 'county', city: 'city', special: 'district' } as const;

/** Converts `MIAMI-DADE` to `Miami-Dade`; a name that has lower-case letters stays as it is. */
const named = (name: string): string =>
  name === name.toUpperCase()
    ? name
        .toLowerCase()
        .replace(
          /(^|[\s\-/(.])(\p{L})/gu,
          (_, before: string, letter: string) => before + letter.toUpperCase(),
        )
    : name;

/**
 * Writes a place as people do: `Houston, Harris`, or with the level of the body that levies the tax: `Houston (city)`.
 */
export const placeWords = ({ name, level, isGap }: Pick<ScheduleRow, 'name' | 'level' | 'isGap'>): string => {
  if (isGap) return name;
  const [area = '', place] = name.split(' / ');
  const words = place === undefined || place === area ? named(area) : `${named(place)}, ${named(area)}`;
  return level === undefined ? words : `${words} (${LEVELS[level]})`;
};
