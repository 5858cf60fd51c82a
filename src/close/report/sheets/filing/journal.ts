import { ACCOUNTS, type JournalEntry } from '../../../filing/journal/journal-of.ts';
import { defineSheet } from '../../../workbook/sheet.ts';

/** What the returns mean for the ledger of the seller. */
export const JOURNAL = defineSheet<JournalEntry & { readonly state: string }>({
  name: 'Journal',
  table: 'Journal',
  title: 'Journal of the returns',
  note: 'Sales tax payable holds what was charged in the period and is brought to nothing. Returns of which the period is only a part have no entries yet.',
  columns: [
    { title: 'State', width: 8, format: 'status', value: ({ state }) => state },
    { title: 'Account', width: 34, format: 'text', value: ({ account }) => ACCOUNTS[account] },
    { title: 'Debit', width: 15, format: 'money', value: ({ debit }) => debit, total: 'sum' },
    { title: 'Credit', width: 15, format: 'money', value: ({ credit }) => credit, total: 'sum' },
    { title: 'What for', width: 54, format: 'text', value: ({ memo }) => memo },
  ],
});
