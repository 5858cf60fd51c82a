import type { SaleRow } from './tables.ts';

/** A sale as the workspace has it, with the load that last found it. */
export type KnownSale = Pick<SaleRow, (typeof KNOWN_COLUMNS)[number]>;
const KNOWN_COLUMNS = [
  'key',
  'business_date',
  'digest',
  'load',
  'instant',
  'controls',
  'refunded',
  'file',
] as const;
