import { hourWords, shortDay, weekDay } from '../figures/day-words.ts';
import { isAmountKnown, type PayRow, STATUS_TEXTS } from '../figures/pay-list.ts';
import type { StateReturn } from '../figures/period-filing.ts';
import { earlyNote, type PeriodReport } from '../figures/period-report.ts';
import type { DueDate } from '../filing/dates.ts';
import { sourceNames } from '../filing/law-row.ts';
import { gapNote } from '../filing/return-notes.ts';
import { hasGap, returnKey } from '../filing/state-figures.ts';
import {
  checkedOn,
  checkPasses,
  filedBefore,
  isUnverified,
  linesToCheck,
  type ReturnLine,
  type ReturnSchedule,
  type ScheduleRow,
  type TaxReturn,
} from '../filing/tax-return.ts';
import type { UploadFile } from '../filing/upload-files.ts';
import { formatMoney, formatPercent, type Money, subtract } from '../kernel/money.ts';
import { shownMoney } from '../kernel/text.ts';
import { type Cell, formula, quoted, type References } from '../workbook/cell.ts';
import { defineSheet, type FilledSheet, filled, type TableSheet } from '../workbook/sheet.ts';
import { count, id, money, rate, summed, word, words } from './parts.ts';
import {
  computedFormula,
  expressionFormula,
  returnSheetName,
  roleCell,
  ruleFormula,
  scheduleTable,
  tableOf,
  type WorkedOut,
  workedOutCell,
  workedOutOn,
} from './return-formulas.ts';

/** Builds the sheet of one state's return in the form's order: what to enter, and below it how it was computed. */
export const returnSheet = (report: PeriodReport, given: StateReturn, pay: PayRow) => {
  const { filed } = given;
  const name = returnSheetName(filed);
  const isEntered = !isOfClosedPeriod(pay) && !pay.instead;
  const checkOf = ({ line }: ReturnLine): string | undefined => {
    if (pay.instead || !isUnverified(filed, line)) return undefined;
    const on = checkedOn(filed, line);
    return on === undefined ? UNCHECKED : `✓ ${on}`;
  };
  const lines = defineSheet<ReturnLine>({
    name,
    table: tableOf('Return', filed),
    title: `${pay.name} ${pay.form}`,
    note: notesOf(report, given, pay),
    columns: [
      id('Line', 13, ({ line }) => (line.working ? 'working' : line.line)),
      words(isEntered ? 'What to enter' : 'Line of the form, not filed from this close', 54, labelOf),
      money('Amount', 15, (line) => lineCell(filed, line)),
      words('Where the figure comes from', 60, ({ provenance, line }) =>
        [provenance, line.note].filter(Boolean).join('. '),
      ),
      word('▲ Check', 14, checkOf, {
        flag: (line) => (checkOf(line) === UNCHECKED ? 'attention' : undefined),
      }),
    ],
  });
  return [
    filled(lines, filed.lines),
    ...filed.schedules.map((schedule) => scheduleSheet(filed, schedule)),
    filled({ ...ABOUT, table: `About_${tableOf('Return', filed)}` }, aboutReturn(report, given, pay)),
    ...tablesBelow(filed),
  ] as const;
};

const labelOf = ({ line }: ReturnLine): string => line.label;

/** The amount of a line, live; nothing refers to a line of which nothing is known. */
const lineCell = (filed: TaxReturn, { line, amount, round }: ReturnLine): Cell<'money'> =>
  line.formula.expression.kind === 'nothing'
    ? amount
    : formula(expressionFormula(filed, line.formula.expression, round), amount);

/** The mark of a line that a person must compare with the form. */
const UNCHECKED = 'compare';

const ABOUT = defineSheet<Note>({
  name: 'About',
  title: 'About this return',
  columns: [word('About', 13, ([label]) => label), words('What to know', 54, ([, text]) => text)],
});

/** Returns the lines above the form: for whom it is, the amount, by when to pay, and how it stands. */
const notesOf = (report: PeriodReport, { filed, dueDate }: StateReturn, pay: PayRow): string => {
  const { amount, payBy, due, payee, status } = pay;
  const label = isAmountKnown(pay) ? dueDate.period.label : filed.figures.period.label;
  const isPlain = ['READY', 'PRELIMINARY'].includes(status) && filed.form.verified === false;
  const when = [
    payBy.hour ? `${weekDay(payBy.date)}, ${hourWords(payBy.hour)}` : weekDay(payBy.date),
    payBy.hour && `due ${shortDay(due)}`,
    !payBy.isVerified && 'not verified: look it up',
  ];
  return [
    `${filed.form.title}  ·  ${label}  ·  account ${filed.registration.account || 'not given'}${payee === '' ? '' : `  ·  pay to ${payee}`}`,
    `${amountLabel(pay)}: ${dollars(amount)}`,
    `Pay by: ${when.filter(Boolean).join('; ')}`,
    `This return is ${STATUS_TEXTS[status]}${isPlain && linesToCheck(filed).length > 0 ? ', form not verified: lines that fit go into `checked` of filings.csv' : ''}`,
    earlyNote(report),
  ]
    .filter(Boolean)
    .join('\n');
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

/** Formats an amount like a number format: `$1,038.00`, `-$12.00`. */
const dollars = (amount: Money): string =>
  `${amount < 0 ? '-' : ''}$${shownMoney(Math.abs(amount) as Money)}`;

const scheduleSheet = (filed: TaxReturn, { schedule, rows }: ReturnSchedule): FilledSheet =>
  filled(
    defineSheet<ScheduleRow>({
      name: schedule.name,
      table: scheduleTable(filed, schedule.name),
      title: `${schedule.title}${schedule.tax === 'recorded' ? ', tax by sale' : ''}`,
      columns: [
        id('Code', 13, ({ code, listedAt }) => (listedAt === '' ? code || 'not known' : UNCHECKED), {
          flag: ({ listedAt }) => (listedAt === '' ? undefined : 'attention'),
        }),
        words('Place or body', 54, (row) =>
          row.listedAt === '' ? placeWords(row) : `${placeWords(row)}: ${row.listedAt} on the state’s list`,
        ),
        summed('Taxable', 15, ({ taxable }) => taxable),
        words('Rate', 60, (row) => formatPercent(row.rate)),
        summed('Tax', 14, ({ tax }) => tax),
      ],
    }),
    rows,
  );

const LEVELS = { state: 'state', county: 'county', city: 'city', special: 'district' } as const;

/**
 * Writes a place as people do: `Houston, Harris`, or with the level of the body that levies the tax: `Houston (city)`.
 */
export const placeWords = ({ name, level, isGap }: Pick<ScheduleRow, 'name' | 'level' | 'isGap'>): string => {
  if (isGap) return name;
  const [area = '', place] = name.split(' / ');
  const words = place === undefined || place === area ? area : `${place}, ${area}`;
  return level === undefined ? words : `${words} (${LEVELS[level]})`;
};

/** Builds the tables below the lines of a return that its formulas refer to. */
const tablesBelow = (filed: TaxReturn): readonly FilledSheet[] => [
  filled({ ...figuresSheet(filed), table: tableOf('Figures', filed) }, workedOutOn(filed)),
  filled({ ...LEVIED, table: tableOf('Levels', filed) }, filed.figures.jurisdictions),
  filled({ ...FEES, table: tableOf('Fees', filed) }, filed.figures.fees),
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

const figuresSheet = (filed: TaxReturn): TableSheet<WorkedOut> =>
  defineSheet<WorkedOut>({
    name: 'Remittance rule and discount',
    columns: [
      word('Line', 13, () => 'working'),
      words('Meaning', 54, (name) => MEANINGS[name]),
      money('Amount', 15, (name) => {
        const working = WORKINGS[name];
        const amount = amountOfFigure(filed, name);
        return working ? formula((at) => working(filed, at), amount) : amount;
      }),
      words('How', 60, (name) => howOf(filed, name)),
    ],
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
const LEVIED = defineSheet<TaxReturn['figures']['jurisdictions'][number]>({
  name: 'Jurisdictions of this return',
  columns: [
    word('Level', 13, ({ level }) => level),
    words('Jurisdiction', 54, ({ name }) => name),
    money('Taxable', 15, ({ taxable }) => taxable),
    rate('Rate', 60, (row) => row.rate),
    money('Tax', 14, ({ tax }) => tax),
  ],
});

const FEES = defineSheet<TaxReturn['figures']['fees'][number]>({
  name: 'Fees on deliveries, beside the tax',
  columns: [
    count('Orders', 13, ({ sales }) => sales),
    words('Fee', 54, ({ rule }) => {
      const each = rule.amount === undefined ? 'no source shows the amount' : formatMoney(rule.amount);
      return `${rule.name}, ${each} since ${rule.from}`;
    }),
    money('Due', 15, ({ due }) => due),
    words(
      'Charged, and what it rests on',
      60,
      ({ rule, charged }) =>
        `${formatMoney(charged)} was charged. ${rule.limits} ${sourceNames(rule.sources)}`,
    ),
    money('Above it', 14, ({ excess }) => excess),
  ],
});

/** What a person who files a return should know besides its lines: a label and a text. */
type Note = readonly [label: string, text: string];

/** Lists the notes of a return. */
const aboutReturn = (
  report: PeriodReport,
  { filed, dueDate }: StateReturn,
  { state, steps, instead, file }: PayRow,
): readonly Note[] => {
  const { form, figures, registration } = filed;
  const { secondary, doubts = [] } = registration;
  const names = new Set(figures.jurisdictions.map(({ name }) => name));
  const unsure = secondary?.names.filter((name) => names.has(name)) ?? [];
  const notes: readonly (readonly [label: string, text: string | false | undefined])[] = [
    ...steps.map((step): Note => ['To do', step]),
    ...ratesNotes(report, state),
    ['Rates', hasGap(figures) && gapNote(filed)],
    [
      'Rates',
      unsure.length > 0 && `${unsure.join(', ')}: from secondary sources, known until ${secondary?.until}.`,
    ],
    ...doubts.map((text): Note => ['Law', text]),
    ['Required', form.required && requiredText(form.required)],
    [
      'Form',
      `${form.form}, ${form.revision}. ${verifiedText(form.verified)} ${sourceNames(form.sources) || 'No form was seen.'}`,
    ],
    ['Due', dueText(instead?.dueDate ?? dueDate)],
    ...(file ? uploadNotes(file) : []),
    ...filed.notes.map((note, index): Note => [`Note ${index + 1}`, note]),
  ];
  return notes.filter((note): note is Note => typeof note[1] === 'string');
};

/** Says of which months the state wants the return. */
const requiredText = ({ above, months, note, sources }: NonNullable<TaxReturn['form']['required']>): string =>
  [
    `Only ${above === undefined ? '' : `above $${shownMoney(above)} of tax, `}for months ${months.join(', ')}.`,
    note,
    `Source: ${sourceNames(sources)}.`,
  ]
    .filter(Boolean)
    .join(' ');

/** Says where the rates of a state come from, and until when its local ones are known. */
const ratesNotes = ({ rateSources, period }: PeriodReport, state: string): readonly Note[] =>
  rateSources
    .filter((each) => each.state === state)
    .map(({ source, until }) => {
      const old = until < period.last ? ', before the period ends: compare them with the state’s' : '';
      return ['Rates', `${source}${until === '' ? '' : `; local rates known until ${until}${old}`}.`];
    });

const dueText = ({ working, isVerified }: DueDate): string =>
  `${working.join(' ')}${isVerified ? '' : ' This due date is not verified: look it up.'}`;

const verifiedText = (verified: string | false): string =>
  verified === false ? 'Its lines are not verified against the official form.' : `Last verified ${verified}.`;

const uploadNotes = ({ name, checks }: UploadFile): readonly Note[] => [
  ['Upload file', name],
  ...checks
    .filter((check) => !checkPasses(check))
    .map(
      ({ test, left, right }): Note => ['Differs', `${test} Difference ${shownMoney(subtract(left, right))}`],
    ),
];
