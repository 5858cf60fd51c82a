import { describeDamagedExports } from './damaged-exports.ts';

/** One with a header that is found by its columns, one with places of business. */
describeDamagedExports('shopify.orders', 'square.items');
