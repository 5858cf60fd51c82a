import type { SetDigest } from '../../kernel/set-digest.ts';
import type { Sale } from '../sales/sale.ts';
import { statedInMonth } from './exports-digest.ts';

/**
 * Add what the source of a sale states of it to the digest. One that is not posted counts, too: it may hold the period,
 * and the books list it.
 */
export const addStated = (stated: SetDigest, sale: Sale): void =>
  stated.add(JSON.stringify([sale.key, statedInMonth(sale)]));
