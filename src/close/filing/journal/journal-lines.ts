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
  due: { account: 'Due to tax authority', text: 'Due with the return' },
  rounding: { account: 'Sales tax rounding', text: 'Form rounding' },
} as const;
export type JournalLine = keyof typeof JOURNAL_LINES;

/** Returns the memo of a line for a return: `Tax charged, TX 01-114 2026-08`. */
export const journalMemo = (line: JournalLine, what: string): string =>
  `${JOURNAL_LINES[line].text}, ${what}`;

/** Returns the line for the tax that a return pays beyond the tax charged, or leaves of it if negative. */
export const lineBeyond = (beyond: number): JournalLine => (beyond > 0 ? 'expense' : 'notRemitted');
