import type { SalesProfile } from '../../../sales/profile.ts';
import type { Sale } from '../../../sales/sale.ts';
import { nameOfKey } from '../../../sales/sale-name.ts';

/** What a place of a refund says that may be different in another refund of the order. */
type ToldRefund = Pick<Sale, 'businessDate' | 'amount' | 'salesTax'>;

const FACTS = ['businessDate', 'amount', 'salesTax'] as const;

/** Whether refunds have neither a number of their own nor parts, so that all of an order are called by its number. */
export const lacksNumbers = ({ map, shape }: SalesProfile): boolean =>
  map.refundId === undefined && !shape.parts;

/** Whether this is such a refund, of which no newer statement can be told from a further refund of the order. */
export const isUnnumbered = (profile: SalesProfile, key: string): boolean =>
  nameOfKey(key).kind === 'refund' && lacksNumbers(profile);

/** Whether a record may be a further refund of its order beside one that was read before. */
export const mayBeFurther = (
  profile: SalesProfile,
  key: string,
  [one, other]: readonly [ToldRefund, ToldRefund],
): boolean => isUnnumbered(profile, key) && FACTS.some((fact) => one[fact] !== other[fact]);
