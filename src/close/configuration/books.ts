import * as z from 'zod';
import { UsState } from './fields.ts';

const Account = z.strictObject({
  account: z
    .string()
    .min(1)
    .meta({
      description:
        'An account of sales tax payable as the ledger names it; with those above it, if there are several of a name.',
      examples: ['Texas State Comptroller Payable'],
    }),
  state: UsState.optional().describe(
    'The state whose tax it holds; left out for the one account of all states that no other names.',
  ),
});

/** The seller's own ledger, beside which the sales tax payable is rolled forward. */
export const Books = z.strictObject({
  files: z
    .array(z.string())
    .min(1)
    .meta({
      description: 'Exports of the general ledger: files, folders, patterns.',
      examples: [['general-ledger-*.csv']],
    }),
  accounts: z
    .array(Account)
    .min(1)
    .refine(
      (rows) => new Set(rows.map(({ account }) => account.toLowerCase())).size === rows.length,
      'must name each account once',
    )
    .describe('Which accounts of the ledger hold sales tax, and of which state.'),
});
