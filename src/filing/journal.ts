import { type Money, negate, subtract, sum, ZERO } from '../kernel/money.ts';
import type { SettledPart } from './registration.ts';
import { amountToPay, feesChargedOn, feesOf, filedBefore, lateOf, type TaxReturn } from './tax-return.ts';

export type JournalEntry = ReturnType<typeof entriesOf>[number];

/**
 * Builds the entries that settle a return. They clear sales tax payable of the tax charged in the period, and fees
 * payable of the fees charged. What is paid beyond that is an expense; charged tax that is not remitted stays a
 * liability. The form's rounding is an entry of its own, so that debits equal credits to the cent. A return that
 * completes shorter ones settles what these have left, and what they settled beyond its tax becomes a prepayment. One that
 * is amended settles the difference to the return before it.
 */
export const journalOf = (filed: TaxReturn): readonly JournalEntry[] => {
  const { figures, prepayments, credits, registration } = filed;
  // The entries of the shorter returns that it completes, and of the return that it amends, have moved their part already.
  const shorter = registration.completes?.returns ?? [];
  const amended = filedBefore(filed);
  const before = [...shorter, ...(amended ? [amended] : [])];
  const rest = (amount: Money, part: SettledPart): Money =>
    subtract(amount, sum(before.map((each) => each[part])));
  const beyondAmended = (amount: Money, part: 'discount' | 'prepayments' | 'credits'): Money =>
    subtract(amount, amended?.[part] ?? ZERO);
  const collected = rest(figures.collected, 'collected');
  const remittance = rest(filed.remittance, 'remitted');
  const useTax = rest(filed.useTax, 'useTax');
  const what = filed.form.form;
  const beyond = subtract(remittance, collected);
  const fees = rest(feesOf(filed), 'fees');
  const feesCharged = rest(feesChargedOn(filed), 'feesCharged');
  const late = subtract(lateOf(filed.values), lateOf(amended?.late));
  const prepaid = subtract(prepayments.used, sum(shorter.map((each) => each.settled)));
  const settled: readonly Draft[] = [
    ['payable', collected],
    [beyond > 0 ? 'expense' : 'notRemitted', beyond],
    ['useTax', useTax],
    ['discount', negate(beyondAmended(filed.discount.claimed, 'discount'))],
    ['prepayments', negate(beyondAmended(prepaid, 'prepayments'))],
    ['credits', negate(beyondAmended(credits.used, 'credits'))],
    ['fees', feesCharged],
    ['feeExpense', subtract(fees, feesCharged)],
    ['late', late],
    ['due', negate(amountToPay(filed))],
  ];
  const rounding = negate(sum(settled.map(([, amount]) => amount)));
  return entriesOf([...settled, ['rounding', rounding]], what);
};

const entriesOf = (drafts: readonly Draft[], what: string) =>
  drafts
    .filter(([, amount]) => amount !== 0)
    .map(([line, amount]) => ({
      line,
      debit: amount > 0 ? amount : ZERO,
      credit: amount > 0 ? ZERO : negate(amount),
      memo: `${JOURNAL_LINES[line].text}, ${what}`,
    }));

/** Penalty and interest that the books of a locked return lack; negative where these have more. */
export type LaterCharge = {
  readonly return: string;
  readonly period: string;
  readonly amount: Money;
};

/** Builds the entries of a charge that a locked return lacks. */
export const journalOfLater = ({ amount, period }: LaterCharge): readonly JournalEntry[] =>
  entriesOf(
    [
      ['late', amount],
      ['due', negate(amount)],
    ],
    period,
  );

/** A draft entry: a positive amount is a debit, a negative one a credit. */
type Draft = readonly [line: JournalLine, amount: Money];

/** The lines of a return's journal: the account that each belongs to in the seller's ledger, and what it says. */
export const JOURNAL_LINES = {
  payable: { account: 'Sales tax payable', text: 'Tax charged' },
  expense: { account: 'Sales tax expense', text: 'Tax due that was not charged' },
  notRemitted: { account: 'Tax collected and not remitted', text: 'Tax charged that is not paid over' },
  useTax: { account: 'Use tax expense', text: 'Use tax on purchases' },
  discount: { account: 'Timely-filing discount income', text: 'Timely-filing discount' },
  prepayments: { account: 'Prepaid sales tax', text: 'Prepayments used' },
  credits: { account: 'Sales tax credits', text: 'Credits used' },
  fees: { account: 'Delivery fees payable', text: 'Delivery fees charged' },
  feeExpense: { account: 'Delivery fee expense', text: 'Delivery fees due that were not charged' },
  late: { account: 'Penalties and interest', text: 'Penalty and interest' },
  due: { account: 'Due to tax authority', text: 'Due with the return' },
  rounding: { account: 'Sales tax rounding', text: 'Form rounding' },
} as const;
export type JournalLine = keyof typeof JOURNAL_LINES;
