import { JOURNAL_LINES } from '../../../filing/journal/journal-lines.ts';
import type { JournalEntry } from '../../../filing/journal/journal-of.ts';
import { defineSheet } from '../../../workbook/sheet.ts';
import { summed, word, words } from '../columns.ts';

/** The journal entries of the returns, for the seller's ledger. */
export const JOURNAL = defineSheet<JournalEntry & { readonly state: string }>({
  name: 'Journal',
  table: 'Journal',
  title: 'Journal of the returns',
  note: 'For each return that is filed now: the tax charged leaves Sales tax payable, and what is paid becomes due to the tax authority. What stays in Sales tax payable is listed below. If a return with a discount is filed late, leave out the line Timely-filing discount income and credit its amount to Due to tax authority; if a balance of prepayments or credits pays it, to Prepaid sales tax or Sales tax credits.',
  columns: [
    word('State', 8, ({ state }) => state),
    words('Account', 40, ({ line }) => JOURNAL_LINES[line].account),
    summed('Debit', 15, ({ debit }) => debit),
    summed('Credit', 15, ({ credit }) => credit),
    words('What for', 62, ({ memo }) => memo),
  ],
});
