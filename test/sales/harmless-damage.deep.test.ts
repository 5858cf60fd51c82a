import { describeDamagedExports } from './damaged-exports.ts';

/** The other shapes of files: with a preamble, a footer and packed cells. */
describeDamagedExports(
  'amazon.date-range',
  'ebay.orders',
  'bigcommerce.orders',
  'tiktok.orders',
  'walmart.reconciliation',
  'xero.invoices',
);
