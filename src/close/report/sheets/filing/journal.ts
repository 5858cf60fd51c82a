import { JOURNAL_LINES } from '../../../filing/journal/journal-lines.ts';
import type { JournalEntry } from '../../../filing/journal/journal-of.ts';
import { defineSheet } from '../../../workbook/sheet.ts';

/** The journal entries of the returns, for the seller's ledger. */
export const JOURNAL = defineSheet<JournalEntry & { readonly state: string }>({
  name: 'Journal',
  table: 'Journal',
  title: 'Journal of the returns',
  note: 'For each return that is filed now: the tax charged leaves Sales tax payable, and what is paid becomes due to the tax authority. What stays in Sales tax payable is listed below. If a return with a discount is filed late, leave out the line Timely-filing discount income and credit its amount to Due to tax authority; if a balance of prepayments or credits pays it, to Prepaid sales tax or Sales tax credits.',
  columns: [
    { title: 'State', width: 8, format: 'status', value: ({ state }) => state },
    { title: 'Account', width: 40, format: 'text', value: ({ line }) => JOURNAL_LINES[line].account },
    { title: 'Debit', width: 15, format: 'money', value: ({ debit }) => debit, total: 'sum' },
    { title: 'Credit', width: 15, format: 'money', value: ({ credit }) => credit, total: 'sum' },
    { title: 'What for', width: 62, format: 'text', value: ({ memo }) => memo },
  ],
});
