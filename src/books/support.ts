import type { PeriodFiling } from '../figures/period-filing.ts';
import { type PeriodReport, totalOf } from '../figures/period-report.ts';
import { type RolledRow, type RolledStatus, rolledRows } from '../figures/roll-forward.ts';
import type { JournalEntry } from '../filing/journal.ts';
import { JOURNAL_LINES } from '../filing/journal.ts';
import { sourceNames } from '../filing/law-row.ts';
import type { NexusWatch } from '../filing/nexus.ts';
import { returnKey } from '../filing/state-figures.ts';
import {
  amountOf,
  isUsedBeforeDiscount,
  type PaidAccount,
  type RollForward,
  type TaxReturn,
} from '../filing/tax-return.ts';
import { type Money, rate, subtract, sum } from '../kernel/money.ts';
import { type Cell, formula, quoted } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import { type Column, defineSheet, type FilledSheet, filled } from '../workbook/sheet.ts';
import { count, money, summed, word, words, yesNo } from './parts.ts';
import {
  availableFormula,
  discountCell,
  isPaidBefore,
  isUsedLater,
  roleCell,
  USED_LATER,
} from './return-formulas.ts';

/** A hundredth of a percent in ten-millionths. */
const BASIS_POINT = 1_000;

/** Names the parts of the rule that were not verified against a source. */
const unseen = ({ rule }: NexusWatch): string => {
  const parts = [
    rule.verified === false ? 'the threshold' : '',
    rule.basisVerified ? '' : 'which sales count',
    rule.marketplaceVerified ? '' : 'whether marketplace sales count',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `Not verified: ${parts.join(', ')}`;
};

const ruleText = ({ rule }: NexusWatch): string =>
  `${rule.window}; ${rule.basis} sales ${rule.marketplace ? 'with' : 'without'} marketplaces`;

/** How close the seller is to the duty to collect, state by state. */
const NEXUS_WATCH = defineSheet<NexusWatch>({
  name: 'Nexus',
  table: 'Nexus_watch',
  title: 'Nexus: how close each state is to its threshold',
  note: 'Of every month as it was last closed here.',
  freeze: { columns: 1 },
  columns: [
    word('State', 8, ({ state }) => state),
    word('Status', 13, ({ status }) => status, {
      flag: ({ status }) => (status === 'crossed' || status === 'close' ? 'attention' : undefined),
    }),
    {
      title: 'Reached',
      width: 10,
      format: 'percent',
      value: ({ reached }) => rate(reached * BASIS_POINT),
      formula: (at) => {
        const part = (count: string, limit: string) =>
          `INT(MAX(0,ROUND(${at.cell(count)}*10000/${at.cell(limit)},6)))/10000`;
        const sales = part('Sales that count', 'Sales threshold');
        const number = part('Number that counts', 'Number threshold');
        const both = `IF(${at.cell('Both needed')}=${quoted('Yes')},MIN(${sales},${number}),MAX(${sales},${number}))`;
        return `IF(${at.cell('Number threshold')}=0,${sales},${both})`;
      },
    },
    money('Sales that count', 13, ({ sales }) => sales),
    money('Sales threshold', 13, ({ rule }) => rule.sales),
    count('Number that counts', 10, ({ transactions }) => transactions),
    count('Number threshold', 11, ({ rule }) => rule.transactions),
    yesNo('Both needed', 9, ({ rule }) => (rule.transactions && rule.combine === 'and') || undefined),
    money('All sales', 13, ({ gross }) => gross),
    money('On marketplaces', 13, ({ marketplace }) => marketplace || undefined),
    words('Measured', 16, ({ first, last }) => `${first.slice(0, 7)}–${last.slice(0, 7)}`),
    count('Months missing', 9, ({ monthsMissing }) => monthsMissing),
    words('Rule', 60, (watch) =>
      [ruleText(watch), watch.rule.note?.replace(/\.$/, ''), unseen(watch)].filter(Boolean).join('. '),
    ),
  ],
});

export const nexusSheet = ({ nexus }: PeriodFiling) => {
  const sources = sourceNames(nexus.flatMap(({ rule }) => rule.sources));
  return filled({ ...NEXUS_WATCH, note: `${NEXUS_WATCH.note} Thresholds: ${sources}.` }, nexus);
};

type PrepaymentRow = RollForward & {
  readonly filed: TaxReturn;
  readonly kind: PaidAccount;
  /** Amount left to pay before this account is used. */
  readonly owed: Money;
  /** Row of the state's prepayments, which are used before its credits. */
  readonly firstRow: number;
};

/** Builds the rows of prepayments, used first, and credits. Any balance is carried forward. */
const prepaymentRows = (returns: readonly TaxReturn[]): readonly PrepaymentRow[] =>
  returns.flatMap((filed, position): readonly PrepaymentRow[] => {
    const firstRow = position * 2;
    const tax = amountOf(filed.lines, 'tax');
    const owedTo = (account: PaidAccount): Money =>
      isUsedBeforeDiscount(filed.form, account) ? tax : subtract(tax, filed.discount.claimed);
    const ofCredits = subtract(owedTo('credits'), filed.prepayments.used);
    return [
      { ...filed.prepayments, filed, kind: 'prepayments', owed: owedTo('prepayments'), firstRow },
      { ...filed.credits, filed, kind: 'credits', owed: ofCredits, firstRow },
    ];
  });

const USED_LATER_COLUMN: Column<PrepaymentRow> = {
  title: USED_LATER,
  width: 14,
  format: 'money',
  value: ({ usedLater }) => usedLater,
  total: 'sum',
  note: 'What later periods that are locked used of it. It stays there for them: it is not used here, and is a part of Closing.',
};

/** Builds the sheet of prepayments and credits of the returns that have any. */
export const prepaymentsSheet = (returns: readonly TaxReturn[]): FilledSheet => {
  const rows = prepaymentRows(returns.filter(isPaidBefore));
  return filled(definition(rows), rows);
};

const definition = (all: readonly PrepaymentRow[]) =>
  defineSheet<PrepaymentRow>({
    name: 'Prepayments',
    table: 'Prepayments',
    title: 'Prepayments and credits: opening, added, used, closing',
    note: 'What is there comes from the configuration; what is used is never more than is owed: the tax after the discount, and for credits after the prepayments too. Where a form takes off what was paid before it computes the discount, it is the tax before the discount.',
    freeze: { columns: 2 },
    columns: [
      word('State', 14, ({ filed }) => returnKey(filed.figures)),
      word('Kind', 14, ({ kind }) => kind),
      summed('Opening', 14, ({ opening }) => opening),
      summed('Added', 14, ({ added }) => added),
      money('Owed', 16, ({ filed, kind, owed, firstRow }) =>
        formula((at) => {
          const tax = roleCell(filed, 'tax', at);
          const less = isUsedBeforeDiscount(filed.form, kind) ? [] : [discountCell(filed, at)];
          // SUMIFS would include the cell that depends on this one (a circular reference), so this cites one cell.
          if (kind === 'credits') less.push(at.cellAt('Prepayments', 'Used', firstRow));
          return `ROUND(${[tax, ...less].join('-')},2)`;
        }, owed),
      ),
      ...(isUsedLater(all) ? [USED_LATER_COLUMN] : []),
      summed('Used', 14, ({ used }) => used, {
        formula: (at) => `MIN(MAX(0,${at.cell('Owed')}),${availableFormula(at.cell, all)})`,
      }),
      summed('Closing', 14, ({ closing }) => closing, {
        formula: (at) => `ROUND(${at.cell('Opening')}+${at.cell('Added')}-${at.cell('Used')},2)`,
      }),
    ],
  });

const TABLE = 'Roll_forward';
const CALCULATED = 'Closing balance, calculated';
const CLOSING = 'Closing balance of the accounts';
const UNSETTLED: readonly RolledStatus[] = ['● OPEN', '✕ MONTH MISSING'];

const amount = (title: string, value: (row: RolledRow) => Cell<'money'>): Column<RolledRow> => ({
  ...{ title, width: 15, format: 'money', value, total: 'sum' },
});

const text = (title: string, width: number, value: (row: RolledRow) => string): Column<RolledRow> => ({
  ...{ title, width, format: 'text', value, wrap: true },
});

const ROLL_FORWARD = defineSheet<RolledRow>({
  name: 'Roll-forward',
  table: TABLE,
  title: 'Roll-forward: sales tax payable beside your accounts',
  note: 'A liability: what is owed is positive. The opening balance, plus the tax collected by the sales of the period, less the returns that were due in it, plus adjustments, is the closing balance as calculated. Adjustments are what these returns paid beyond the tax collected or, as a minus, kept of it: discounts, rounding, use tax, prepayments and credits. Where the period before was not closed here, its returns are not known, and Paid is that of the accounts.',
  freeze: { columns: 1 },
  columns: [
    word('State', 14, ({ group }) => group),
    text('Accounts', 34, ({ accounts }) => accounts.join('; ')),
    amount('Opening balance', ({ opening }) => opening),
    amount('Collected', ({ collected }) => collected),
    amount('Paid', ({ paid }) => paid),
    amount('Adjustments', ({ adjustments }) => adjustments),
    {
      ...amount(CALCULATED, ({ calculated }) => calculated),
      formula: (at) =>
        `ROUND(${at.cell('Opening balance')}+${at.cell('Collected')}-${at.cell('Paid')}+${at.cell('Adjustments')},2)`,
    },
    amount(CLOSING, ({ closing }) => closing),
    {
      ...amount('Difference', ({ difference }) =>
        difference === undefined
          ? undefined
          : formula((at) => at.difference(at.cell(CALCULATED), at.cell(CLOSING)), difference),
      ),
      flagWhen: { attention: (cell) => `${cell}<>0` },
    },
    {
      ...word('Status', 18, ({ status }) => status),
      flagWhen: {
        good: (cell) => `LEFT(${cell})="✓"`,
        attention: (cell) => `OR(LEFT(${cell})="●",LEFT(${cell})="✕")`,
      },
    },
    text('Explanation', 40, ({ why }) => why),
    text('Returns paid', 26, ({ settled }) => settled.join('; ')),
  ],
});

/** Builds the sales tax payable of each state beside the seller's accounts; nothing without their balances. */
export const rollForwardSheet = (report: PeriodReport): readonly FilledSheet[] =>
  report.ledger ? [filled(ROLL_FORWARD, rolledRows(report))] : [];

/** Checks that the roll-forward has the tax of all sales, and that every difference is explained. */
export const rollForwardChecks = (report: PeriodReport): readonly Check[] => {
  if (!report.ledger) return [];
  const rows = rolledRows(report);
  const see = 'Roll-forward';
  return [
    {
      ...{ id: 'C11', format: 'money', see, right: totalOf(report, 'collected') },
      test: 'The tax collected in the roll-forward is that of all sales in variance.xlsx.',
      left: formula((at) => at.sum(TABLE, 'Collected'), sum(rows.map(({ collected }) => collected))),
    },
    {
      ...{ id: 'C12', format: 'count', see, right: 0 },
      test: 'Every material difference between the roll-forward and the accounts is explained.',
      left: formula(
        (at) => UNSETTLED.map((status) => at.countIfs(TABLE, { Status: quoted(status) })).join('+'),
        rows.filter(({ status }) => UNSETTLED.includes(status)).length,
      ),
    },
  ];
};

/** The journal entries of the returns, for the seller's ledger. */
export const JOURNAL = defineSheet<JournalEntry & { readonly state: string }>({
  name: 'Journal',
  table: 'Journal',
  title: 'Journal of the returns',
  note: 'Entries of the returns that are filed now; what stays in Sales tax payable is on the rows of Pay that are not due, and on those of no return. Of a return that is filed late, credit the discount to Due to tax authority instead, or to Prepaid sales tax or Sales tax credits where these pay it.',
  columns: [
    word('State', 8, ({ state }) => state),
    words('Account', 40, ({ line }) => JOURNAL_LINES[line].account),
    summed('Debit', 15, ({ debit }) => debit || undefined),
    summed('Credit', 15, ({ credit }) => credit || undefined),
    words('What for', 56, ({ memo }) => memo),
  ],
});
