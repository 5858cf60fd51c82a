import { statesText } from '../certificates/certificate.ts';
import type { CertificateReport, CertificateUsage } from '../certificates/certificate-report.ts';
import type { PeriodFiling } from '../figures/period-filing.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { type RolledRow, rolledRows } from '../figures/roll-forward.ts';
import { JOURNAL_LINES, type JournalEntry } from '../filing/journal.ts';
import { sourceNames } from '../filing/law-row.ts';
import type { NexusWatch } from '../filing/nexus.ts';
import { returnKey } from '../filing/state-figures.ts';
import type { PaidAccount, RollForward, TaxReturn } from '../filing/tax-return.ts';
import { rate as rateOf } from '../kernel/money.ts';
import { type Flag, formula } from '../workbook/cell.ts';
import { defineSheet, type FilledSheet, filled, type SheetTables } from '../workbook/sheet.ts';
import { count, counted, day, id, money, notZero, rate, summed, word, words, yesNo } from './parts.ts';
import { isPaidBefore } from './return-formulas.ts';

/** A hundredth of a percent in ten-millionths. */
const BASIS_POINT = 1_000;

/** Whether every part of the rule was seen in a source. */
const isSeen = ({ rule }: NexusWatch): boolean =>
  rule.verified !== false && rule.basisVerified && rule.marketplaceVerified;

const ruleText = ({ rule }: NexusWatch): string =>
  `${rule.window}; ${rule.basis} sales ${rule.marketplace ? 'with' : 'without'} marketplaces`;

/** How close the seller is to the duty to collect, state by state. */
const NEXUS_WATCH = defineSheet<NexusWatch>({
  name: 'Nexus',
  table: 'Nexus',
  title: 'Nexus: how close each state is to its threshold',
  note: 'Of every month as it was last closed here.',
  columns: [
    word('State', 8, ({ state }) => state),
    word('Status', 13, ({ status }) => status, {
      flag: ({ status }) => (status === 'crossed' || status === 'close' ? 'attention' : undefined),
    }),
    words('Rule', 50, (watch) =>
      [ruleText(watch), watch.rule.note?.replace(/\.$/, ''), isSeen(watch) ? '' : 'Not verified']
        .filter(Boolean)
        .join('. '),
    ),
    rate('Reached', 10, ({ reached }) => rateOf(reached * BASIS_POINT)),
    money('Sales that count', 13, ({ sales }) => sales),
    money('Sales threshold', 13, ({ rule }) => rule.sales),
    count('Number that counts', 10, ({ transactions }) => transactions),
    count('Number threshold', 11, ({ rule }) => rule.transactions),
    yesNo('Both needed', 9, ({ rule }) => (rule.transactions && rule.combine === 'and') || undefined),
    money('All sales', 13, ({ gross }) => gross),
    money('On marketplaces', 13, ({ marketplace }) => marketplace || undefined),
    words('Measured', 16, ({ first, last }) => `${first.slice(0, 7)}–${last.slice(0, 7)}`),
    count('Months missing', 9, ({ monthsMissing }) => monthsMissing),
  ],
});

export const nexusSheet = ({ nexus }: PeriodFiling) => {
  const sources = sourceNames(nexus.flatMap(({ rule }) => rule.sources));
  return filled({ ...NEXUS_WATCH, note: `${NEXUS_WATCH.note} Thresholds: ${sources}.` }, nexus);
};

type PrepaymentRow = RollForward & {
  readonly state: string;
  readonly kind: PaidAccount;
};

/** Builds the sheet of the prepayments of the returns that have any, used first, and of their credits. */
export const prepaymentsSheet = (returns: readonly TaxReturn[]): FilledSheet =>
  filled(
    PREPAYMENTS,
    returns.filter(isPaidBefore).flatMap((filed): readonly PrepaymentRow[] => {
      const state = returnKey(filed.figures);
      return [
        { ...filed.prepayments, state, kind: 'prepayments' },
        { ...filed.credits, state, kind: 'credits' },
      ];
    }),
  );

const PREPAYMENTS = defineSheet<PrepaymentRow>({
  name: 'Prepayments',
  table: 'Prepayments',
  title: 'Prepayments and credits: opening, added, used, closing',
  note: 'From the configuration. No more is used than is owed.',
  freeze: { columns: 2 },
  columns: [
    word('State', 14, ({ state }) => state),
    word('Kind', 14, ({ kind }) => kind),
    summed('Opening', 14, ({ opening }) => opening),
    summed('Added', 14, ({ added }) => added),
    summed('Used', 14, ({ used }) => used),
    summed('Closing', 14, ({ closing }) => closing, {
      formula: (at) => `ROUND(${at.cell('Opening')}+${at.cell('Added')}-${at.cell('Used')},2)`,
    }),
    money('Used later', 14, ({ usedLater }) => usedLater || undefined),
  ],
});

const TABLE = 'Roll_forward';
const CALCULATED = 'Closing balance, calculated';
const CLOSING = 'Closing balance of the accounts';
const FLAGS: Readonly<Record<string, Flag>> = { '✓': 'good', '●': 'attention', '✕': 'attention' };

const ROLL_FORWARD = defineSheet<RolledRow>({
  name: 'Roll-forward',
  table: TABLE,
  title: 'Roll-forward: sales tax payable beside your accounts',
  note: 'What is owed is positive. Closing = opening + collected − paid + adjustments. Adjustments: what the returns due in the period paid beyond the tax collected or, as a minus, kept of it. Where the period before was not closed here, Paid is that of the accounts.',
  freeze: { columns: 1 },
  columns: [
    word('State', 14, ({ group }) => group),
    words('Accounts', 34, ({ accounts }) => accounts.join('; '), { wrap: true }),
    summed('Opening balance', 15, ({ opening }) => opening),
    summed('Collected', 15, ({ collected }) => collected),
    summed('Paid', 15, ({ paid }) => paid),
    summed('Adjustments', 15, ({ adjustments }) => adjustments),
    summed(CALCULATED, 15, ({ calculated }) => calculated, {
      formula: (at) =>
        `ROUND(${at.cell('Opening balance')}+${at.cell('Collected')}-${at.cell('Paid')}+${at.cell('Adjustments')},2)`,
    }),
    summed(CLOSING, 15, ({ closing }) => closing),
    summed(
      'Difference',
      15,
      ({ difference }) =>
        difference === undefined
          ? undefined
          : formula((at) => at.difference(at.cell(CALCULATED), at.cell(CLOSING)), difference),
      notZero(({ difference }) => difference ?? 0),
    ),
    word('Status', 18, ({ status }) => status, {
      flag: ({ status }) => FLAGS[status.charAt(0)],
    }),
    words('Explanation', 40, ({ why }) => why, { wrap: true }),
    words('Returns paid', 26, ({ settled }) => settled.join('; '), { wrap: true }),
  ],
});

/** Builds the sales tax payable of each state beside the seller's accounts; nothing without their balances. */
export const rollForwardSheet = (report: PeriodReport): readonly SheetTables[] =>
  report.ledger ? [[filled(ROLL_FORWARD, rolledRows(report))]] : [];

/** The journal entries of the returns, for the seller's ledger. */
export const JOURNAL = defineSheet<JournalEntry & { readonly state: string }>({
  name: 'Journal',
  table: 'Journal',
  title: 'Journal of the returns',
  empty: 'No return of the period has an entry.',
  note: 'Of the returns that are filed now. Filed late: credit the discount to Due to tax authority, or to what pays it: Prepaid sales tax, Sales tax credits.',
  columns: [
    word('State', 8, ({ state }) => state),
    words('Account', 27, ({ line }) => JOURNAL_LINES[line].account),
    words('What for', 50, ({ memo }) => memo),
    summed('Debit', 15, ({ debit }) => debit || undefined),
    summed('Credit', 15, ({ credit }) => credit || undefined),
  ],
});

/** The certificates for the period's exempt sales, with the sales and the tax that each covers. */
const CERTIFICATES = defineSheet<CertificateUsage>({
  name: 'Certificates',
  table: 'Certificates',
  title: 'Certificates: what the exempt sales rely on',
  note: 'Certificates of the customers with exempt sales in the period.',
  freeze: { columns: 1 },
  columns: [
    id('Certificate', 14, ({ name }) => name),
    id('Customer', 12, (row) => row.certificate?.customer),
    words('States', 16, (row) => (row.certificate ? statesText(row.certificate) : undefined), { wrap: true }),
    words('Reason', 12, (row) => row.certificate?.reason),
    day('Valid from', 11, (row) => row.certificate?.validFrom),
    day('Valid to', 11, (row) => row.certificate?.validTo ?? undefined),
    word('Status', 14, ({ status }) => status, {
      flag: ({ status }) => (status === 'valid' ? undefined : 'attention'),
    }),
    counted('Sales', 9, ({ sales }) => sales),
    summed('Amount exempted', 12, ({ amount }) => amount),
    summed('Tax relieved', 14, ({ relieved }) => relieved),
    counted('Tax not known', 10, ({ unknown }) => unknown),
    words('Document', 15, (row) => row.certificate?.document ?? undefined),
    words('Register', 15, (row) => row.certificate?.origin.file),
    count('Line', 8, (row) => row.certificate?.origin.line),
  ],
});

export const certificatesSheet = ({ exempt, usages }: CertificateReport): FilledSheet =>
  filled(
    {
      ...CERTIFICATES,
      ...(exempt.unsupported.sales !== 0 && {
        empty: 'No exempt sale of the period relies on a certificate.',
      }),
    },
    usages,
  );
