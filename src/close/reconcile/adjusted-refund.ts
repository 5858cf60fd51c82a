import { acceptTransaction } from '../../contract/accept-transaction.ts';
import type { CreateRefund, NewTransaction, Order, Refund } from '../../contract/transaction.ts';
import { type Price, price, ZERO_PRICE } from '../../kernel/price.ts';
import { compareRecord, type FieldDifference } from './compare-record.ts';

/** Combine a recorded refund and its adjustments into one refund. The lines are those of the first one. */
export const adjustedRefund = (refund: Refund, adjustments: readonly Refund[]): Refund => {
  const total = (field: Figure): Price =>
    price([refund, ...adjustments].reduce((sum, record) => sum + record[field], 0));
  return { ...refund, amount: total('amount'), shipping: total('shipping'), sales_tax: total('sales_tax') };
};

/**
 * Compare a refund as sent with the record in the service, including its adjustments. If there are adjustments, only
 * the totals are compared: the lines of an adjustment are not lines of the shop.
 */
export const compareRefund = (
  sent: CreateRefund,
  refund: Refund,
  adjustments: readonly Refund[],
): readonly FieldDifference[] => {
  const differences = compareRecord(sent, adjustedRefund(refund, adjustments), 'refund');
  return adjustments.length === 0 ? differences : differences.filter((difference) => !isOfLines(difference));
};

/** Compares what was sent with what the service holds of it, the adjustments of a refund included. */
export const recordDifferences = (
  sent: NewTransaction,
  recorded: Order | Refund,
  adjustments: readonly Refund[],
): readonly FieldDifference[] =>
  sent.kind === 'order'
    ? compareRecord(acceptTransaction(sent), recorded, 'order')
    : compareRefund(acceptTransaction(sent), recorded, adjustments);

type Figure = 'amount' | 'shipping' | 'sales_tax';
const FIGURES: readonly string[] = ['amount', 'shipping', 'sales_tax'];

/** Whether a difference concerns single lines and not the totals. */
export const isOfLines = ({ field }: FieldDifference): boolean => field.startsWith('line_items');

/** The id of one adjustment of a refund, counted from 1. */
export const adjustmentId = (refundId: string, number: number): string => `${refundId}-adj-${number}`;

/** The first id that none of the adjustments of a refund has. */
export const nextAdjustmentId = (
  refundId: string,
  adjustments: readonly Pick<Refund, 'transaction_id'>[],
): string => {
  const taken = new Set(adjustments.map(({ transaction_id }) => transaction_id));
  let number = 1;
  while (taken.has(adjustmentId(refundId, number))) number += 1;
  return adjustmentId(refundId, number);
};

/**
 * The further refund that brings the recorded amounts to those of the export; `undefined` if none can. A refund can
 * only increase the refunded amount, because the service makes the amounts of every refund negative; and it can correct
 * amounts, not an address or a date.
 */
export const adjustmentOf = (
  sent: CreateRefund,
  recorded: Refund,
  given: { readonly id: string; readonly differences: readonly FieldDifference[] },
): CreateRefund | undefined => {
  const isOfFigures = given.differences.every(
    (difference) =>
      difference.kind === 'format' || FIGURES.includes(difference.field) || isOfLines(difference),
  );
  const more = (field: Figure): Price => price(-Math.abs(sent[field]) - recorded[field]);
  const goods = price(more('amount') - more('shipping'));
  const parts = [goods, more('shipping'), more('sales_tax')];
  const onlyAdds = parts.every((part) => part <= 0) && parts.some((part) => part < 0);
  if (!isOfFigures || !onlyAdds) return undefined;
  const { line_items: lines, ...rest } = sent;
  const code = onlyOne((lines ?? []).map(({ product_tax_code }) => product_tax_code));
  return {
    ...rest,
    transaction_id: given.id,
    amount: more('amount'),
    shipping: more('shipping'),
    sales_tax: more('sales_tax'),
    line_items: [
      {
        id: '1',
        quantity: 1,
        description: `Adjustment of refund ${sent.transaction_id}`,
        ...(code !== undefined && { product_tax_code: code }),
        unit_price: goods,
        discount: ZERO_PRICE,
        sales_tax: more('sales_tax'),
      },
    ],
  };
};

/** The common value, if all are equal. */
const onlyOne = (values: readonly (string | undefined)[]): string | undefined =>
  new Set(values).size === 1 ? values[0] : undefined;
