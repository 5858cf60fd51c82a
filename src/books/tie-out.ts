import type { PayList } from '../figures/pay-list.ts';
import { type PeriodReport, type Remittance, statesBefore, totalOf } from '../figures/period-report.ts';
import { lateOf } from '../filing/tax-return.ts';
import { LEFT_OUT } from '../judge/detail-row.ts';
import { BUCKET_NAMES, BUCKETS, type Bucket, bucketsOf, codesIn, type Span } from '../judge/period-totals.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import {
  add,
  formatMoney,
  lesser,
  type Money,
  moneyOfPrice,
  negate,
  subtract,
  sum,
  ZERO,
} from '../kernel/money.ts';
import { isWithin } from '../kernel/period.ts';
import {
  type Cell,
  type FormulaText,
  formula,
  quoted,
  type References,
  shownValue,
} from '../workbook/cell.ts';
import { defineSheet, type FilledSheet, filled } from '../workbook/sheet.ts';
import type { Check } from './checks-sheet.ts';
import { id, money, word, words } from './parts.ts';

const TABLE = 'Tie_out';

/** One line of the schedule: an amount of tax, where it stands, and whether another sheet has the same. */
type TieLine = {
  readonly what: string;
  readonly amount: Cell<'money'>;
  readonly before?: Money | undefined;
  readonly where: string;
  readonly tick?: Cell<'status'>;
};

const TIE_OUT = defineSheet<TieLine & { readonly no: string }>({
  name: 'Tie-out',
  table: TABLE,
  title: 'Tie-out: from the exports to the amount due',
  note: '✓: recomputed, and as on the sheet beside it.',
  columns: [
    id('Line', 10, ({ no }) => no),
    words('What', 50, ({ what }) => what, { wrap: true }),
    money('Tax', 13, ({ amount }) => amount),
    money('Period before', 13, ({ before }) => before),
    words('Where', 24, ({ where }) => where),
    word('Tick', 11, ({ tick }) => tick, {
      flag: ({ tick }) => (shownValue(tick) === '✕' ? 'attention' : undefined),
    }),
  ],
});

/** The steps from the tax expected to the amount due, as the returns have them. */
const STEPS = [
  ['Tax under local rates that Tieout lacks, paid over as collected', 'gaps'],
  ['Remittance rule of the states', 'adjustment'],
  ['Use tax on own purchases', 'useTax'],
  ['Fees on deliveries', 'fees'],
  ['Rounding of the forms', 'rounding'],
  ['Less: discounts for filing in time', 'discount'],
  ['Less: prepayments', 'prepayments'],
  ['Less: credits', 'credits'],
] as const satisfies readonly (readonly [string, keyof Remittance])[];

/** Formula of the sum of lines. */
const summed = (of: readonly number[]) => (at: References) =>
  `ROUND(${of.map((position) => at.cellAt(TABLE, 'Tax', position)).join('+')},2)`;

const CHARGED = 'Tax charged in the period, by the exports';

/** Builds the lines from the exports to the tax charged in the period, which is the last. */
const linesToCharged = (report: PeriodReport): TieLine[] => {
  const channels = new Set(report.files.map(({ channel }) => channel));
  const lines = [...channels].flatMap((channel) => exportLines(report, channel));
  const stated = sum(lines.map(amountOf));
  const amount = formula(summed([...lines.keys()]), stated);
  const tick = tickOf(lines.length, stated, listedTax(report), listedFormula);
  return [...lines, { what: CHARGED, amount, where: 'Detail and Not posted', tick }];
};

/** The tax of all sales of the period, posted or not. */
const listedTax = (report: PeriodReport): Money =>
  sum([totalOf(report, 'collected'), ...report.unposted.map(({ tax }) => tax)]);

const listedFormula = (at: References): string =>
  `(${at.sum('Detail', 'Collected')}+${at.sum('Not_posted', 'Tax')})`;

/** Checks that the exports lead to the tax of Detail and of what is not posted. */
export const chargedCheck = (report: PeriodReport): Check => {
  const lines = linesToCharged(report);
  const position = lines.length - 1;
  return {
    id: 'C04',
    test: `${CHARGED}, is that of Detail and Not posted.`,
    left: formula((at) => at.cellAt(TABLE, 'Tax', position), amountOf(lines[position])),
    right: formula(listedFormula, listedTax(report)),
    see: 'Tie-out',
  };
};

/** Builds the lines from the exports to the amount due of all returns, which is the last. */
const linesToDue = (report: PeriodReport): TieLine[] => {
  const { remittances, unposted, days, states } = report;
  const collected = totalOf(report, 'collected');
  const expected = totalOf(report, 'expected');
  const recorded = sum(days.map(({ recordedTax }) => recordedTax));
  const before = statesBefore(report);
  const beforeOf = (figure: 'collected' | 'expected') =>
    before.length === 0 ? undefined : sum(before.map((row) => row[figure]));
  const lines = linesToCharged(report);
  const charged = lines.length - 1;
  /** Adds a line, and returns its position. */
  const put = (line: TieLine): number => lines.push(line) - 1;
  for (const { channel, figure, stated: shown } of report.comparedTotals)
    if (figure === 'tax')
      put({
        what: `Of it, tax that the shop of ${channel} shows (expected)`,
        amount: shown as Money,
        where: 'The shop',
      });
  const notPosted = unposted.map(({ status, tax }) => {
    const [words, shown] =
      status === 'needs review'
        ? ['held for review, or left out by decision', [status, LEFT_OUT]]
        : [status, [status]];
    return put({
      what: `Less: not posted, ${words}`,
      amount: formula(
        (at) =>
          `-(${shown.map((each) => at.sumIfs('Not_posted', 'Tax', { Status: quoted(each) })).join('+')})`,
        negate(tax),
      ),
      where: 'Not posted, on Inputs',
    });
  });
  const inState = (figure: 'Collected' | 'Expected') => (at: References) => at.sum('By_state', figure);
  const taken = put({
    what: 'Tax collected',
    amount: formula(summed([charged, ...notPosted]), collected),
    before: beforeOf('collected'),
    where: 'By state',
    tick: tickOf(lines.length, collected, collected, inState('Collected')),
  });
  put({
    what: 'Tax that the service holds, read back record by record',
    amount: formula((at) => at.sum('Completeness', 'Tax recorded'), recorded),
    where: 'Inputs',
    tick: tickOf(lines.length, recorded, collected, inState('Collected')),
  });
  const buckets = bucketsOf(report.reasons);
  const shown = BUCKET_NAMES.filter((bucket) => SHOWN_ALWAYS.has(bucket) || buckets[bucket] !== ZERO);
  const explained = shown.map((bucket) =>
    put({
      what: `${buckets[bucket] < ZERO ? 'Add' : 'Less'}: ${BUCKETS[bucket]}`,
      amount: formula((at) => `-(${bucketFormula(bucket, report, at)})`, negate(buckets[bucket])),
      where: 'Reasons below',
    }),
  );
  const reached = sum([collected, ...shown.map((bucket) => negate(buckets[bucket]))]);
  const due = put({
    what: 'Tax expected',
    amount: formula(summed([taken, ...explained]), reached),
    before: beforeOf('expected'),
    where: 'By state',
    tick: tickOf(lines.length, reached, expected, inState('Expected')),
  });
  const isReturned = (state: string): boolean => remittances.some((each) => each.state === state);
  const onNoReturn = sum(states.map((row) => (isReturned(row.state) ? ZERO : row.expected)));
  const steps = [
    ['Less: states without a return', negate(onNoReturn), 'By state'] as const,
    ['Penalty and interest', sum(remittances.map(({ late }) => lateOf(late))), RETURNS] as const,
    ...STEPS.map(([what, figure]) => [what, sum(remittances.map((each) => each[figure])), RETURNS] as const),
  ].filter(([, amount]) => amount !== ZERO);
  const total = sum([reached, ...steps.map(([, amount]) => amount)]);
  const stepLines = steps.map(([what, amount, where]) => put({ what, amount, where }));
  const ofReturns = sum(remittances.map((each) => each.due));
  put({
    what: 'Amount due of all returns',
    amount: formula(summed([due, ...stepLines]), total),
    where: RETURNS,
    tick: tickOf(lines.length, total, ofReturns),
  });
  return lines;
};

/** Builds the lead schedule of the book, from the exports to what is to pay now. */
export const tieOutSheet = (report: PeriodReport, pay: PayList): FilledSheet => {
  const { remittances } = report;
  const lines = linesToDue(report);
  const duePosition = lines.length - 1;
  const total = amountOf(lines[duePosition]);
  const beyond = [
    ['Less: filed before, with the returns that these amend', negate(sum(remittances.map(filedDue)))],
    ['Less: returns that are not due now', negate(sum(pay.later.map(({ amount }) => amount)))],
    ['Add: credits to claim', negate(sum(pay.now.map(({ amount }) => lesser(amount, ZERO))))],
  ] as const;
  const less = beyond.filter(([, amount]) => amount !== ZERO);
  const lessLines = less.map(([what, amount]) => lines.push({ what, amount, where: RETURNS }) - 1);
  const toPay = sum([total, ...less.map(([, amount]) => amount)]);
  lines.push({
    what: 'To pay now',
    amount: formula(summed([duePosition, ...lessLines]), toPay),
    where: 'filing-summary: Pay',
    tick: tickOf(lines.length, toPay, pay.total),
  });
  return filled(
    TIE_OUT,
    lines.map((line, index) => ({ ...line, no: `T${String(index + 1).padStart(2, '0')}` })),
  );
};

/**
 * Leads from the tax in the files of a channel to the tax charged in the period: without rows that were ignored or rejected,
 * what is not the tax of an order, and other periods; refunds and late sales apart. What the files say of orders is counted
 * as they are read, so that a sale that Detail lacks, or has of another file, shows. Of locked days the books have what
 * was locked, whatever the files state by now: the difference is a line of its own.
 */
const exportLines = (report: PeriodReport, channel: string): readonly TieLine[] => {
  const { period, inputs, lockedDays } = report;
  const own = report.files.filter((file) => file.channel === channel);
  const sumOf = (figure: 'refunded' | 'carried' | 'locked'): Money => sum(own.map((file) => file[figure]));
  const [refunded, carried] = [sumOf('refunded'), sumOf('carried')];
  const line = (what: string, amount: Cell<'money'>, where: string): TieLine => ({ what, amount, where });
  const shown = (lines: readonly TieLine[]) =>
    lines.filter(({ amount }, index) => index === 0 || centsIn(amount) !== ZERO);
  const files = inputs.filter((input) => input.channel === channel && input.orderTax !== undefined);
  const days = files.flatMap(({ orderTax = {} }) => Object.entries(orderTax));
  const ofOrders = sum(days.map(([, tax]) => tax));
  const within = (spans: readonly Span[]): Money =>
    sum(days.map(([day, tax]) => (spans.some((span) => isWithin(span, day as CalendarDate)) ? tax : ZERO)));
  const elsewhere = subtract(ofOrders, within([period]));
  const today = within(lockedDays);
  const locked =
    today === ZERO
      ? 'Orders of locked months, as locked'
      : 'Less: late sales not decided yet, and what else locked months have otherwise';
  const behind = [
    line(locked, subtract(sumOf('locked'), today), 'Detail'),
    line('Refunds of the period', refunded, report.exceptions.length > 0 ? 'Exceptions' : 'Refunds'),
    line('Late: sales and corrections of locked periods', carried, 'Detail'),
  ];
  const columns = files.map((file) => file.columns.find(({ column }) => column === file.taxColumn));
  const measured = columns.flatMap((column) => column ?? []);
  const isMeasured = files.length > 0 && measured.length === files.length;
  const centsOf = (figure: 'whole' | 'ignored' | 'rejected'): Money =>
    sum(measured.map((column) => moneyOfPrice(column[figure])));
  const [whole, ignored, rejected] = [centsOf('whole'), centsOf('ignored'), centsOf('rejected')];
  const other = subtract(ofOrders, subtract(whole, add(ignored, rejected)));
  const control = (title: string) => (at: References) =>
    [...new Set(files.map(({ taxColumn = '' }) => taxColumn))]
      .map((column) =>
        at.sumIfs('Control_totals', title, { Channel: quoted(channel), Column: quoted(column) }),
      )
      .join('+');
  const head = isMeasured
    ? [
        line(
          `Tax in the exports of ${channel}: ${[...new Set(measured.map(({ column }) => column))].join(', ')}`,
          formula((at) => `ROUND(${control('In the file')(at)},2)`, whole),
          CONTROLS,
        ),
        ...[['Ignored', ignored] as const, ['Rejected', rejected] as const].map(([title, cents]) =>
          line(
            `Less: rows ${title.toLowerCase()}`,
            formula((at) => `-ROUND(${control(title)(at)},2)`, negate(cents)),
            CONTROLS,
          ),
        ),
        line('Less: in these columns, but not tax of an order as read', other, 'Inputs'),
      ]
    : [line(`Tax of the orders in the exports of ${channel}, as read`, ofOrders, 'Inputs')];
  return shown([...head, line('Less: orders of other periods', negate(elsewhere), 'Inputs'), ...behind]);
};

const CONTROLS = 'Control totals, on Inputs';

const centsIn = (cell: Cell<'money'>): Money => (shownValue(cell) as Money | undefined) ?? ZERO;

const amountOf = (line: TieLine | undefined): Money => (line ? centsIn(line.amount) : ZERO);

const RETURNS = 'filing-summary: Returns';

const SHOWN_ALWAYS: ReadonlySet<Bucket> = new Set(['over', 'under', 'notCollected', 'pennies']);

const filedDue = ({ filedBefore }: Remittance): Money => filedBefore?.due ?? ZERO;

/** Compares a line with the same amount elsewhere: by a formula, or by the amount itself where the other book has it. */
const tickOf = (position: number, value: Money, other: Money, text?: FormulaText): Cell<'status'> => {
  const shown = value === other ? '✓' : '✕';
  return formula((at) => {
    const right = text ? text(at) : formatMoney(other);
    return `IF(ROUND(${at.cellAt(TABLE, 'Tax', position)}-${right},2)=0,"✓","✕")`;
  }, shown);
};

/** Sums the reasons of a bucket from the table of reasons: by its sides where the bucket is one side of them. */
const bucketFormula = (bucket: Bucket, { reasons }: PeriodReport, at: References): string => {
  const parts = codesIn(bucket, reasons).map(({ code, side }) =>
    at.sumIfs('By_reason', side, { Code: quoted(code) }),
  );
  return parts.length === 0 ? '0' : parts.join('+');
};
