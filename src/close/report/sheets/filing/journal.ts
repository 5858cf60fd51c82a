import { JOURNAL_LINES, type JournalEntry } from '../../../filing/journal.ts';
import { defineSheet } from '../../../workbook/sheet.ts';
import { summed, word, words } from '../columns.ts';

/** The journal entries of the returns, for the seller's ledger. */
export const JOURNAL = defineSheet<JournalEntry & { readonly state: string }>({
  name: 'Journal',
  table: 'Journal',
  title: 'Journal of the returns',
  note: 'Entries of the returns that are filed now; what stays in Sales tax payable is listed below. Of a return that is filed late, credit the discount to Due to tax authority instead, or to Prepaid sales tax or Sales tax credits where these pay it.',
  columns: [
    word('State', 8, ({ state }) => state),
    words('Account', 40, ({ line }) => JOURNAL_LINES[line].account),
    summed('Debit', 15, ({ debit }) => debit || undefined),
    summed('Credit', 15, ({ credit }) => credit || undefined),
    words('What for', 56, ({ memo }) => memo),
  ],
});
