import { type Money, negate, subtract, sum, ZERO } from '../../../kernel/money.ts';
import type { SettledReturn } from '../registration.ts';
import { amountDue, feesOf, returnTitle, type TaxReturn } from '../return/tax-return.ts';

/** The accounts of the entries, as named in the seller's ledger. */
export const ACCOUNTS = {
  payable: 'Sales tax payable',
  expense: 'Sales tax expense',
  useTax: 'Use tax expense',
  rounding: 'Sales tax rounding',
  discount: 'Timely-filing discount income',
  prepayments: 'Prepaid sales tax',
  credits: 'Sales tax credits',
  fees: 'Delivery fees payable',
  due: 'Due to tax authority',
  notRemitted: 'Tax collected and not remitted',
} as const;
export type Account = keyof typeof ACCOUNTS;

export type JournalEntry = {
  readonly account: Account;
  readonly debit: Money;
  readonly credit: Money;
  readonly memo: string;
};

/**
 * Builds the entries that settle a return. They clear sales tax payable of the tax charged in the period. Tax paid
 * beyond that is an expense; charged tax that is not remitted stays a liability. The form's rounding is an entry of its
 * own, so that debits equal credits to the cent. A return that completes shorter ones settles what these have left, and
 * what they settled beyond its tax becomes a prepayment.
 */
export const journalOf = (filed: TaxReturn): readonly JournalEntry[] => {
  const { figures, prepayments, credits, registration } = filed;
  // The entries of the shorter returns that it completes have moved their part already.
  const before = registration.completes?.returns ?? [];
  const rest = (amount: Money, part: keyof Omit<SettledReturn, 'period'>): Money =>
    subtract(amount, sum(before.map((each) => each[part])));
  const collected = rest(figures.collected, 'collected');
  const remittance = rest(filed.remittance, 'remitted');
  const useTax = rest(filed.useTax, 'useTax');
  const what = `${returnTitle(filed)} ${figures.period.label}`;
  const beyond = subtract(remittance, collected);
  const settled: readonly Draft[] = [
    ['payable', collected, `Tax charged, ${what}`],
    beyond > 0
      ? ['expense', beyond, `Tax due that was not charged, ${what}`]
      : ['notRemitted', beyond, `Tax charged that is not paid over, ${what}`],
    ['useTax', useTax, `Use tax on purchases, ${what}`],
    ['discount', negate(filed.discount.claimed), `Timely-filing discount, ${what}`],
    ['prepayments', negate(rest(prepayments.used, 'settled')), `Prepayments used, ${what}`],
    ['credits', negate(credits.used), `Credits used, ${what}`],
    ['fees', rest(feesOf(filed), 'fees'), `Delivery fees, ${what}`],
    ['due', negate(amountDue(filed)), `Due with the return, ${what}`],
  ];
  const rounding = negate(sum(settled.map(([, amount]) => amount)));
  const drafts: readonly Draft[] = [...settled, ['rounding', rounding, `Form rounding, ${what}`]];
  return drafts
    .filter(([, amount]) => amount !== 0)
    .map(([account, amount, memo]) => ({
      account,
      debit: amount > 0 ? amount : ZERO,
      credit: amount > 0 ? ZERO : negate(amount),
      memo,
    }));
};

/** A draft entry: a positive amount is a debit, a negative one a credit. */
type Draft = readonly [account: Account, amount: Money, memo: string];
