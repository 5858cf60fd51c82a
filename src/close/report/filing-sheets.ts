import type { AboutSheet } from './book-index.ts';

/** The sheets of filing-summary.xlsx, and what each is for. The sheets of the returns say it by their titles. */
export const FILING_SHEETS: readonly AboutSheet[] = [
  { sheet: 'Checks', purpose: 'Two ways to each figure, side by side, and one cell that sums them up.' },
  { sheet: 'Readiness', purpose: 'What to decide or to do before the period is filed.' },
  { sheet: 'Calendar', purpose: 'When each return and its payment are due, and why then.' },
  {
    sheet: 'Summary',
    purpose: 'From gross sales down to the tax, for each registered state.',
    control: 'Tax expected',
  },
  { sheet: 'Returns', purpose: 'What each return comes to and what is to be paid.', control: 'Due' },
  { sheet: 'Schedules', purpose: 'The parts of the returns by place, code or outlet.' },
  { sheet: 'Figures', purpose: 'What the lines of the returns are computed from.' },
  { sheet: 'Rates', purpose: 'The rates that the forms name, with their sources.' },
  {
    sheet: 'Jurisdictions',
    purpose: 'The same tax by state, county, city and special district.',
    control: 'Tax',
  },
  { sheet: 'Deductions', purpose: 'What is deducted from gross sales, and why.', control: 'Amount' },
  {
    sheet: 'Discounts',
    purpose: 'What may be kept for filing in time, and how it is worked out.',
    control: 'Claimed',
  },
  {
    sheet: 'Prepayments and credits',
    purpose: 'What was paid or credited before, used now and left.',
    control: 'Closing',
  },
  {
    sheet: 'Prior period',
    purpose: 'These returns beside the period before, and what it left over.',
    control: 'Tax now',
  },
  {
    sheet: 'Tax by period',
    purpose: 'The tax of this period beside that of the periods before, as a chart.',
  },
  {
    sheet: 'What-if',
    purpose: 'The same period under each remittance basis, side by side.',
    control: 'As filed',
  },
  { sheet: 'Nexus watch', purpose: 'How near the seller is to the thresholds of other states.' },
  { sheet: 'Upload files', purpose: 'The files for the portals, and what they were checked for.' },
  { sheet: 'Journal', purpose: 'The entries for the ledger.', control: 'Debit' },
];
