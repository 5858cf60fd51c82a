import { sum } from '../../kernel/money.ts';
import { type PayList, payListOf } from '../figures/pay-list.ts';
import type { PeriodFiling } from '../figures/period-filing.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { amountDue, type TaxReturn } from '../filing/return/tax-return.ts';
import { returnKey } from '../filing/state-figures.ts';
import type { UploadFile } from '../filing/upload/upload-parts.ts';
import { cellOf, formula } from '../workbook/cell.ts';
import { checksSheet, passes } from '../workbook/checks-sheet.ts';
import { filled } from '../workbook/sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import { aboutLines } from './about-lines.ts';
import {
  type BookSection,
  type BookSheet,
  entry,
  type LeftOut,
  leftOutOf,
  numbered,
  propertiesOf,
  sheetsOf,
  stack,
} from './book.ts';
import { contentsSheet } from './contents-sheet.ts';
import { filingChecks } from './filing-checks.ts';
import { uploadNotes } from './readiness-lines.ts';
import { returnsChecks, salesCheck } from './returns-checks.ts';
import { DELIVERY_FEES, feeRows } from './sheets/filing/delivery-fees.ts';
import { DISCOUNTS } from './sheets/filing/discounts.ts';
import { DUE_DATES, dueRows } from './sheets/filing/due-dates.ts';
import { FIGURES_SHEET, figureRows } from './sheets/filing/figures.ts';
import { JOURNAL } from './sheets/filing/journal.ts';
import { nexusSheet } from './sheets/filing/nexus.ts';
import { paySheet, toPay } from './sheets/filing/pay.ts';
import { prepaymentsSheet } from './sheets/filing/prepayments.ts';
import { priorPeriodSheet } from './sheets/filing/prior-period.ts';
import { RATES, rateRows } from './sheets/filing/rates.ts';
import { toPayFormula } from './sheets/filing/return-formulas.ts';
import { returnSheet } from './sheets/filing/return-sheet.ts';
import { returnsSheet } from './sheets/filing/returns.ts';
import { rollForwardChecks, rollForwardSheet } from './sheets/filing/roll-forward.ts';
import {
  otherReturnsSheets,
  payableCheck,
  stillPayableSheet,
  takenOutSheets,
} from './sheets/filing/still-payable.ts';
import { RETURNS_TABLE } from './sheets/filing/to-by-state.ts';
import { WHAT_IF } from './sheets/filing/what-if.ts';
import { JURISDICTIONS, type JurisdictionOfReturn, NO_RETURN } from './sheets/jurisdictions.ts';
import { readinessSheet, stillOpen } from './sheets/readiness.ts';

/** Builds filing-summary.xlsx: the payments and returns for each registered state. */
export const filingBook = (report: PeriodReport, filing: PeriodFiling): WorkbookContent => {
  const sections = numbered('F', sectionsOf(report, filing));
  const contents = contentsSheet(report, {
    reference: 'F2',
    sections,
    leftOut: leftOutOf(sections, LEFT_OUT),
    method: methodOf(report),
  });
  return {
    properties: propertiesOf(report, `Sales tax filing summary ${report.period.label}: ${report.seller}`),
    sheets: sheetsOf(sections, contents),
  };
};

const sectionsOf = (report: PeriodReport, filing: PeriodFiling): readonly BookSection[] => {
  const returns = filing.returns.map(({ filed }) => filed);
  const pay = payListOf(report, filing);
  const checks = [
    ...filingChecks(report),
    ...returnsChecks(filing),
    payableCheck(report, filing),
    salesCheck(report, filing),
    ...rollForwardChecks(report),
  ];
  const count = { passed: checks.filter(passes).length, all: checks.length };
  return [
    {
      band: 'Answer',
      tab: 'answer',
      sheets: [
        {
          sheet: paySheet(report, pay, count),
          purpose: 'What to pay, by when, and what stands in the way',
          control: { label: 'To pay', value: cellOf('money', formula(toPay, pay.total)) },
        },
        {
          sheet: returnsSheet(report, returns, pay),
          purpose: 'From gross sales to the amount due, one row a return',
          control: {
            label: 'Amount due',
            value: cellOf(
              'money',
              formula((at) => at.sum(RETURNS_TABLE, 'Amount due'), sum(returns.map(amountDue))),
            ),
          },
        },
      ],
    },
    {
      band: 'Returns, one sheet each',
      tab: 'return',
      sheets: returnEntries(report, filing, pay),
    },
    {
      band: 'For your ledger',
      tab: 'answer',
      sheets: [
        stack(
          entry(filled(JOURNAL, filing.journal), 'Entries of the returns that are filed now', {
            title: 'Debit',
            label: 'Debits',
          }),
          [
            entry(stillPayableSheet(report, filing, pay), 'Tax charged that no return takes now', {
              title: 'Tax charged',
            }),
            ...takenOutSheets(filing).map((sheet) =>
              entry(sheet, 'Tax charged that earlier returns have taken', { title: 'Tax charged' }),
            ),
            ...otherReturnsSheets(filing).map((sheet) =>
              entry(sheet, 'Tax charged that the journals of other periods have', { title: 'Tax charged' }),
            ),
          ],
        ),
        rollForwardEntry(report, returns),
        entry(nexusSheet(report, filing), 'How close each state is to its threshold'),
        stack(
          entry(
            checksSheet(checks, { open: stillOpen(report.readiness) }),
            'Two ways to each figure, side by side',
          ),
          [entry(readinessSheet(report), 'What to decide or to do before the period is filed')],
        ),
      ],
    },
    { band: 'Support', tab: 'support', sheets: supportOf(report, filing) },
  ];
};

const returnEntries = (
  report: PeriodReport,
  filing: PeriodFiling,
  { now, later, preliminary }: PayList,
): readonly BookSheet[] =>
  filing.returns.flatMap((given): readonly BookSheet[] => {
    const { filed } = given;
    const row = [...now, ...later].find((each) => each.filed === filed);
    if (!row) return [];
    const uploads = filing.uploads.filter(({ state }) => state === row.key).map(withReadiness(report));
    return [
      {
        sheet: returnSheet(given, row, { uploads, preliminary }),
        purpose: filed.figures.kind === 'fee' ? `${filed.form.title}: a fee, not tax` : filed.form.title,
        control: {
          label: later.includes(row)
            ? row.status === 'UNCHANGED'
              ? 'Unchanged'
              : 'Not due yet, or not required'
            : 'To pay',
          value: cellOf(
            'money',
            formula((at) => toPayFormula(filed, at), row.amount),
          ),
        },
        reference: `F3.${row.key.replaceAll(' ', '-')}`,
      },
    ];
  });

const rollForwardEntry = (report: PeriodReport, returns: readonly TaxReturn[]): BookSheet => {
  const purpose = 'Prepayments and credits: opening, added, used, closing';
  const [rolled] = rollForwardSheet(report);
  // Without balances of the accounts, the sheet Roll-forward has only the prepayments.
  if (!rolled) return entry(prepaymentsSheet(returns, 'Roll-forward'), purpose, { title: 'Closing' });
  return stack(
    entry(rolled, 'Sales tax payable, opening to closing, beside your accounts', { title: 'Difference' }),
    [entry(prepaymentsSheet(returns, 'Prepayments'), purpose, { title: 'Closing' })],
  );
};

const supportOf = (report: PeriodReport, filing: PeriodFiling): readonly BookSheet[] => {
  const returns = filing.returns.map(({ filed }) => filed);
  const fees = feeRows(filing.returns);
  return [
    stack(
      entry(
        filled({ ...DUE_DATES, pagesWide: fees.length === 0 ? 1 : 2 }, dueRows(filing.returns)),
        'How each due date follows from its rule',
      ),
      fees.length === 0
        ? []
        : [
            entry(
              filled(DELIVERY_FEES, fees),
              'Fees that states charge on deliveries, with their due dates, and what the shop charged',
            ),
          ],
    ),
    entry(filled(JURISDICTIONS, filedWith(report, returns)), 'Tax by state, county, city and district', {
      title: 'Tax',
    }),
    stack(
      entry(filled(WHAT_IF, returns.filter(isOfTax)), 'These returns under each remittance rule', {
        title: 'By its rule',
      }),
      [
        ...priorPeriodSheet(report, returns).map((sheet) =>
          entry(sheet, 'These returns beside the period before', { title: 'Tax now' }),
        ),
      ],
    ),
    stack(
      // Two pages wide, because the discounts below have twice the columns.
      entry(
        filled({ ...FIGURES_SHEET, pagesWide: 2 }, figureRows(returns)),
        'What the lines of the returns are computed from',
      ),
      [
        entry(filled(RATES, rateRows(returns)), 'The rates that the forms name, with their sources'),
        entry(filled(DISCOUNTS, returns), 'What may be kept for paying on time, and how it is computed', {
          title: 'Claimed',
        }),
      ],
    ),
  ];
};

/** Whether a return is for tax; otherwise it is for a fee alone. */
const isOfTax = ({ figures }: TaxReturn): boolean => figures.kind !== 'fee';

/** Pairs each jurisdiction with the return that includes its tax. */
const filedWith = (
  { jurisdictions }: PeriodReport,
  returns: readonly TaxReturn[],
): readonly JurisdictionOfReturn[] => {
  const places = returns.map(({ figures }) => figures).filter(({ kind }) => kind === 'place');
  return jurisdictions.map((row) => {
    const place = places.find(
      ({ state, jurisdictions: own }) =>
        state === row.state && own.some(({ level, name }) => level === row.level && name === row.name),
    );
    const hasReturn = returns.some(({ figures }) => figures.state === row.state);
    return { ...row, filedWith: place ? returnKey(place) : hasReturn ? row.state : NO_RETURN };
  });
};

/** Tables that only some periods need, with the reason when a period does without. */
const LEFT_OUT: readonly LeftOut[] = [
  { sheet: 'Delivery fees', why: 'No registered state had a fee on deliveries in this period.' },
  { sheet: 'Prior period', why: 'The period before was not closed here.' },
];

/** Puts the consequences of a period that is not ready, or not over, before the other notes of an upload file. */
const withReadiness =
  (report: PeriodReport) =>
  (file: UploadFile): UploadFile => ({
    ...file,
    notes: [...uploadNotes(report, file.state), ...file.notes],
  });

const methodOf = (report: PeriodReport): readonly (readonly [string, string])[] => [
  ...aboutLines(report),
  [
    'Amount due',
    'Tax by the remittance rule, rounded as the form rounds, less discount, prepayments and credits. Each line of a return is a formula.',
  ],
  ['To pay', 'The amount due; of an amended return, what is due beyond the return before it.'],
  [
    'Gross sales',
    'Gross, taxable, expected and collected amounts are those of By state in variance.xlsx. Where a place has a return of its own, its part is taken out: sheet Jurisdictions, column Return.',
  ],
  ['✓ ✕ ○ ■', 'Ready or agrees; not ready or differs; not due; filed'],
  ['▲', 'Check: this was not verified against an official source'],
  ['Yellow', 'A cell for you to fill in. Everything else is calculated'],
  [
    'Limits',
    'Forms, due dates, discounts and thresholds are dated data with sources. A rule that is not verified against one is marked: such a discount is not claimed, and such a holiday moves no date. Verify every line marked ▲ on the form.',
  ],
  ['', 'Own purchases, prepayments and credits are known only as far as tieout.yaml states them.'],
  [
    '',
    'Tax of places whose local rate Tieout lacks is remitted as it was collected and shown in rows of its own.',
  ],
];
