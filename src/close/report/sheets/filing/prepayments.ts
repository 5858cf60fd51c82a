import { type Money, subtract } from '../../../../kernel/money.ts';
import { returnKey } from '../../../filing/state-figures.ts';
import {
  amountOf,
  isUsedBeforeDiscount,
  type PaidAccount,
  type RollForward,
  type TaxReturn,
} from '../../../filing/tax-return.ts';
import { formula } from '../../../workbook/cell.ts';
import { type Column, defineSheet, type FilledSheet, filled } from '../../../workbook/sheet.ts';
import { money, summed, word } from '../columns.ts';
import {
  availableFormula,
  discountCell,
  isPaidBefore,
  isUsedLater,
  roleCell,
  USED_LATER,
} from './return-formulas.ts';

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
