import { fullDay, hourWords, shortDay, weekDay } from '../figures/day-words.ts';
import { isAmountKnown, type PayRow, STATUS_TEXTS } from '../figures/pay-list.ts';
import type { StateReturn } from '../figures/period-filing.ts';
import { earlyNote, type PeriodReport } from '../figures/period-report.ts';
import { sourceNames } from '../filing/law-row.ts';
import { returnKey } from '../filing/state-figures.ts';
import {
  filedBefore,
  isUnverified,
  linesToCheck,
  type ReturnLine,
  type ReturnSchedule,
  type ScheduleRow,
  type TaxReturn,
} from '../filing/tax-return.ts';
import type { UploadFile } from '../filing/upload-files.ts';
import { formatMoney, formatPercent, type Money } from '../kernel/money.ts';
import { shownMoney } from '../kernel/text.ts';
import { formula, quoted, type References } from '../workbook/cell.ts';
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
  computedFormula,
  expressionFormula,
  feesTable,
  figuresTable,
  levelsTable,
  returnSheetName,
  returnTable,
  roleCell,
  ruleFormula,
  scheduleTable,
  toPayFormula,
  type WorkedOut,
  workedOutCell,
  workedOutOn,
} from './return-formulas.ts';

const WIDTHS = [11, 46, 24, 65, 13];
const columnsOf = (pay: PayRow): readonly GridColumn[] => [
  { title: 'Line' },
  {
    title:
      isOfClosedPeriod(pay) || pay.instead ? 'Line of the form, not filed from this close' : 'What to enter',
  },
  { title: 'Amount', align: 'right' },
  { title: 'Where the figure comes from' },
  { title: '▲ Check' },
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
    instead || !isUnverified(filed, line) ? undefined : UNCHECKED,
  ],
});

const UNCHECKED: GridCell = { format: 'status', value: '▲', tone: 'attention' };

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
    row.listedAt === '' ? { format: 'id', value: row.code || unknown } : UNCHECKED,
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

/** Builds the tables below the lines of a return that its formulas refer to. */
export const tablesBelow = (filed: TaxReturn): readonly Grid[] => [
  ...(workedOutOn(filed).length === 0 ? [] : [figuresGrid(filed)]),
  ...(filed.figures.kind === 'fee' ? [] : [levelsGrid(filed)]),
  ...(filed.figures.fees.length === 0 ? [] : [feesGrid(filed)]),
];

const WORKINGS: Readonly<Partial<Record<WorkedOut, (filed: TaxReturn, at: References) => string>>> = {
  computed: computedFormula,
  adjustment: (filed, at) => {
    const collected = at.sumIfs('Returns', 'Collected', { State: quoted(returnKey(filed.figures)) });
    return ruleFormula(filed, `ROUND(${collected}-${workedOutCell(filed, 'computed', at)},2)`);
  },
  discount_base: (filed, at) =>
    filed.form.discountBase
      ? expressionFormula(filed, filed.form.discountBase.expression, 'cents')(at)
      : roleCell(filed, 'tax', at),
};

const figuresGrid = (filed: TaxReturn): Grid => ({
  heading: 'Remittance rule and discount',
  name: figuresTable(filed),
  hasHeader: true,
  columns: [
    { title: '' },
    { title: 'Meaning' },
    { title: 'Amount', align: 'right' },
    { title: 'How' },
    { title: '' },
  ],
  rows: workedOutOn(filed).map((name): GridRow => {
    const working = WORKINGS[name];
    const amount = amountOfFigure(filed, name);
    return {
      cells: [
        undefined,
        text(MEANINGS[name]),
        { format: 'money', value: working ? formula((at) => working(filed, at), amount) : amount },
        text(howOf(filed, name), { grey: true }),
      ],
    };
  }),
});

const MEANINGS: Readonly<Record<WorkedOut, string>> = {
  computed: 'Tax by the lines of the form',
  adjustment: 'Added by the remittance rule',
  discount_base: 'Base of the discount',
  discount: 'Discount for filing on time',
};

const amountOfFigure = ({ values, discount }: TaxReturn, name: WorkedOut): Money => {
  if (name === 'discount') return discount.claimed;
  return name === 'discount_base' ? discount.base : values[name];
};

const howOf = ({ discount: { rule, why }, basis }: TaxReturn, name: WorkedOut): string => {
  if (name === 'adjustment') return basis;
  return name === 'discount'
    ? [why, rule?.cap?.note, rule?.note, sourceNames(rule?.sources ?? [])].filter(Boolean).join(' ')
    : '';
};

/** The tax that each body levies, per rate, whose tax this return takes. */
const levelsGrid = (filed: TaxReturn): Grid => ({
  heading: 'Jurisdictions of this return',
  name: levelsTable(filed),
  hasHeader: true,
  columns: [
    { title: 'Level' },
    { title: 'Jurisdiction' },
    { title: 'Taxable', align: 'right' },
    { title: 'Rate' },
    { title: 'Tax', align: 'right' },
  ],
  rows: filed.figures.jurisdictions.map(
    ({ level, name, rate, taxable, tax }): GridRow => ({
      cells: [
        text(level),
        text(name),
        { format: 'money', value: taxable },
        { format: 'rate', value: rate },
        { format: 'money', value: tax },
      ],
    }),
  ),
});

const feesGrid = (filed: TaxReturn): Grid => ({
  heading: 'Fees on deliveries, beside the tax',
  name: feesTable(filed),
  hasHeader: true,
  columns: [
    { title: 'Orders' },
    { title: 'Fee' },
    { title: 'Due', align: 'right' },
    { title: 'Charged, and what it rests on' },
    { title: 'Above it', align: 'right' },
  ],
  rows: filed.figures.fees.map(({ rule, sales, due, charged, excess }): GridRow => {
    const each = rule.amount === undefined ? 'no source shows the amount' : formatMoney(rule.amount);
    const amount: GridCell = { format: 'money', value: due };
    return {
      cells: [
        { format: 'count', value: sales },
        text(`${rule.name}, ${each} since ${rule.from}`),
        amount,
        text(`${formatMoney(charged)} was charged. ${rule.limits} ${sourceNames(rule.sources)}`, {
          grey: true,
        }),
        { format: 'money', value: excess },
      ],
    };
  }),
});
