import { cell, cents, type Group } from './shopify-file.ts';

/**
 * What a group of rows is, decided from its cells alone. It says nothing about ZIPs of another state, which takes a
 * table of ZIPs, and nothing about groups that come twice.
 */
export const classifyGroup = ({ head }: Group): string => {
  if (head === undefined) return 'rejected orphan-row';
  const status = cell(head, 'Financial Status');
  if (cell(head, 'Payment Method') === 'bogus') return 'ignored test-order';
  if (status === 'voided') return 'ignored voided';
  if (status === 'pending') return 'ignored unpaid';
  if (!['paid', 'refunded', 'partially_refunded'].includes(status)) return 'rejected unmapped-status';
  if (Number.isNaN(cents(cell(head, 'Total')))) return 'rejected bad-cell';
  if (status === 'paid' && cell(head, 'Cancelled at') !== '') return 'review cancelled-but-paid';
  if (cell(head, 'Shipping Country') === 'CA') return 'outside foreign';
  if (cell(head, 'Shipping Country') !== '') {
    return /^'\d{5}$/.test(cell(head, 'Shipping Zip')) ? 'accepted' : 'warning zip-zero-restored';
  }
  return cell(head, 'Source') === 'pos' ? 'warning sold-in-person' : 'warning billing-address-used';
};
