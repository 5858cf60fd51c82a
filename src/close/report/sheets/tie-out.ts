import { add, formatMoney, type Money, negate, sum, ZERO } from '../../../kernel/money.ts';
import { type PeriodReport, statesBefore, totalOf } from '../../figures/period-report.ts';
import type { Remittance } from '../../figures/remittance.ts';
import { LEFT_OUT } from '../../reconcile/detail-row.ts';
import { BUCKET_NAMES, BUCKETS, type Bucket, bucketsOf, codesIn } from '../../reconcile/period-totals.ts';
import { type Cell, formula, quoted, type References } from '../../workbook/cell.ts';
import { defineSheet, type FilledSheet, filled } from '../../workbook/sheet.ts';
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
  note: 'Sums are formulas over the lines above; ✓ compares with the sheet beside it.',
  columns: [
    id('Line', 10, ({ no }) => no),
    words('What', 72, ({ what }) => what, { wrap: true }),
    money('Tax', 16, ({ amount }) => amount),
    money('Period before', 16, ({ before }) => before),
    words('Where', 26, ({ where }) => where),
    word('Tick', 11, ({ tick }) => tick, { flagWhen: { attention: (cell) => `${cell}="✕"` } }),
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

/**
 * Builds the lead schedule of the book, from the exports to the amount due.
 *
 * @param isListed Whether Detail has a row for each sale, and not sums of files
 */
export const tieOutSheet = (report: PeriodReport, isListed: boolean): FilledSheet => {
  const { remittances, unposted, days, states } = report;
  const [collected, expected] = [totalOf(report, 'collected'), totalOf(report, 'expected')];
  const left = sum(unposted.map(({ tax }) => tax));
  const recorded = sum(days.map(({ recordedTax }) => recordedTax));
  const before = statesBefore(report);
  const beforeOf = (figure: 'collected' | 'expected') =>
    before.length === 0 ? undefined : sum(before.map((row) => row[figure]));
  const lines: TieLine[] = [];
  /** Adds a line, and returns its position. */
  const put = (line: TieLine): number => lines.push(line) - 1;
  const summed = (of: readonly number[]) => (at: References) =>
    `ROUND(${of.map((position) => at.cellAt(TABLE, 'Tax', position)).join('+')},2)`;

  const read = new Set(report.inputs.map(({ path }) => path));
  const exported = [...Map.groupBy(report.files, ({ channel }) => channel)].map(([channel, files]) => ({
    channel,
    tax: sum(files.filter(({ file }) => read.has(file)).map(({ tax }) => tax)),
  }));
  const byChannel = exported.map(({ channel, tax }) =>
    put({
      what: `Tax on sales of ${channel}, less refunds, from the files in Inputs`,
      amount: formula((at) => fromInputs(channel, report, isListed, at), tax),
      where: 'Inputs',
    }),
  );
  const stated = sum(exported.map(({ tax }) => tax));
  const charged = put({
    what: 'Tax charged',
    amount: formula(summed(byChannel), stated),
    where: 'Detail and Not posted',
    tick: tickOf(
      lines.length,
      stated,
      add(collected, left),
      (at) => `(${at.sum('Detail', 'Collected')}+${at.sum('Not_posted', 'Tax')})`,
    ),
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
    ...STEPS.map(([what, figure]) => [what, sum(remittances.map((each) => each[figure])), RETURNS] as const),
  ].filter(([, amount]) => amount !== ZERO);
  const total = sum([reached, ...steps.map(([, amount]) => amount)]);
  const stepLines = steps.map(([what, amount, where]) => put({ what, amount, where }));
  const toPay = sum(remittances.map((each) => each.due));
  put({
    what: 'Amount due of all returns',
    amount: formula(summed([due, ...stepLines]), total),
    where: RETURNS,
    tick: tickOf(lines.length, total, toPay),
  });
  return filled(
    TIE_OUT,
    lines.map((line, index) => ({ ...line, no: `T${String(index + 1).padStart(2, '0')}` })),
  );
};

/** Sums the tax of the rows of a channel that come from a file of Inputs: rows of any other file are missing in it. */
const fromInputs = (
  channel: string,
  { unposted }: PeriodReport,
  isListed: boolean,
  at: References,
): string => {
  const of = (table: string, title: string): string => {
    const [own, source] = [at.column(table, 'Channel'), 'File and line'];
    const isOfInput = (column: string): string =>
      `*ISNUMBER(MATCH(LEFT(${column},FIND(":",${column})-1),${at.column('Inputs', 'File')},0))`;
    const input = isListed || table === 'Not_posted' ? isOfInput(at.column(table, source)) : '';
    return `SUMPRODUCT((${own}=${quoted(channel)})${input}*${at.column(table, title)})`;
  };
  return `ROUND(${of('Detail', 'Collected')}${unposted.length === 0 ? '' : `+${of('Not_posted', 'Tax')}`},2)`;
};

const RETURNS = 'Returns of filing-summary.xlsx';

const SHOWN_ALWAYS: ReadonlySet<Bucket> = new Set(['over', 'under', 'notCollected', 'pennies']);

type FormulaText = (at: References) => string;

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
