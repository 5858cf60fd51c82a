import { createHash } from 'node:crypto';
import type { SetDigest } from '../../kernel/set-digest.ts';
import type { ChannelSetAside } from '../report/write-rejects.ts';
import type { Sale } from '../sales/sale.ts';
import { statedInMonth } from './exports-digest.ts';

/**
 * Add what the source of a sale states of it to the digest. One that is not posted counts, too: it may hold the period,
 * and the books list it.
 */
export const addStated = (stated: SetDigest, sale: Sale): void =>
  stated.add(JSON.stringify([sale.key, statedInMonth(sale)]));

/**
 * Returns one digest of everything that the sources state of a period.
 *
 * @param sales the digest of what they state of all its sales
 * @param asides the records of the period that were set aside; only rejected ones with a date count
 */
export const exportsDigestOf = (sales: SetDigest, asides: readonly ChannelSetAside[]): string => {
  const hash = createHash('sha256').update(sales.hex());
  for (const { channel, origin, outcome, reason, businessDate } of asides)
    if (outcome === 'rejected' && businessDate !== null)
      hash.update(`${JSON.stringify([channel, origin.record, reason.code, businessDate])}\n`);
  return hash.digest('hex');
};
