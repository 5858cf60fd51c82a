import { acceptTransaction } from '../contract/accept.ts';
import type { CreateTransaction, NewTransaction, Order, Refund } from '../contract/transaction.ts';
import { formatInstant } from '../kernel/calendar.ts';
import { formatPrice, type Price, price, ZERO_PRICE } from '../kernel/money.ts';

/** A field in which the record in the service differs from what was sent. */
export type FieldDifference = {
  readonly field: string;
  readonly sent: string;
  readonly recorded: string;
  /** `format`: the same value in a different notation. `value`: a different value. */
  readonly kind: 'format' | 'value';
};

/** The fields of both addresses, in the order of comparison. */
const ADDRESS_FIELDS = [
  ...(['to_country', 'to_zip', 'to_state', 'to_city', 'to_street'] as const),
  ...(['from_country', 'from_zip', 'from_state', 'from_city', 'from_street'] as const),
] as const;

/** Compare what was sent with what the service holds, field by field. Refunds are compared with their signs. */
export const compareRecord = (
  sent: CreateTransaction,
  recorded: Order | Refund,
  kind: 'order' | 'refund',
): readonly FieldDifference[] => {
  const sign = kind === 'refund' ? -1 : 1;
  const differences: FieldDifference[] = [];
  /** Path prefix of the current line item; empty for fields of the record itself. */
  let within = '';
  const text = (name: string, left: string | null | undefined, right: string | null | undefined) => {
    const sentText = left ?? '';
    const recordedText = right ?? '';
    if (sentText === recordedText) return;
    const isFormat = normalText(sentText) === normalText(recordedText);
    const difference = {
      sent: sentText,
      recorded: recordedText,
      kind: isFormat ? 'format' : 'value',
    } as const;
    differences.push({ field: within + name, ...difference });
  };
  const amount = (name: string, left: Price | undefined, right: Price, signed = true) => {
    const expected = price((signed ? sign : 1) * Math.abs(left ?? ZERO_PRICE));
    if (expected === right) return;
    const sentText = formatPrice(expected);
    const recordedText = formatPrice(right);
    differences.push({ field: within + name, sent: sentText, recorded: recordedText, kind: 'value' });
  };

  text('provider', sent.provider, recorded.provider);
  if (sent.transaction_date !== recorded.transaction_date)
    text('transaction_date', formatInstant(sent.transaction_date), formatInstant(recorded.transaction_date));
  if (kind === 'refund')
    text('transaction_reference_id', sent.transaction_reference_id, recorded.transaction_reference_id);
  // A service may answer none where no law of marketplaces applies; the amounts and the tax are compared anyway.
  if (sent.exemption_type === 'marketplace' && recorded.exemption_type === null)
    differences.push({ field: 'exemption_type', sent: 'marketplace', recorded: '', kind: 'format' });
  else text('exemption_type', exemptionText(sent.exemption_type), exemptionText(recorded.exemption_type));
  // An answer need not have the field; then nothing is known of it.
  if (recorded.customer_id !== undefined) text('customer_id', sent.customer_id, recorded.customer_id);
  for (const field of ADDRESS_FIELDS) text(field, sent[field], recorded[field]);
  amount('amount', sent.amount, recorded.amount);
  amount('shipping', sent.shipping, recorded.shipping);
  amount('sales_tax', sent.sales_tax, recorded.sales_tax);
  const lines = sent.line_items ?? [];
  text('line_items', String(lines.length), String(recorded.line_items.length));
  lines.forEach((line, index) => {
    const other = recorded.line_items[index];
    if (!other) return;
    within = `line_items[${index}].`;
    // Some services renumber the lines.
    if (!isPosition(other.id, index)) text('id', line.id ?? String(index + 1), other.id);
    text('quantity', String(line.quantity ?? ''), String(other.quantity ?? ''));
    text('product_identifier', line.product_identifier, other.product_identifier);
    text('description', line.description, other.description);
    text('product_tax_code', line.product_tax_code, other.product_tax_code);
    amount('unit_price', line.unit_price, other.unit_price);
    amount('discount', line.discount, other.discount, false);
    amount('sales_tax', line.sales_tax, other.sales_tax);
  });
  return differences;
};

const isPosition = (id: string, index: number): boolean => id === String(index) || id === String(index + 1);

/** Treat an explicit `non_exempt` as no exemption. */
const exemptionText = (type: string | null | undefined): string | null | undefined =>
  type === 'non_exempt' ? null : type;

const normalText = (text: string): string => text.trim().replace(/\s+/g, ' ').toUpperCase();

export const hasValueDifference = (differences: readonly FieldDifference[]): boolean =>
  differences.some(({ kind }) => kind === 'value');

/** Combine a recorded refund and its adjustments into one refund. The lines are those of the first one. */
export const adjustedRefund = (refund: Refund, adjustments: readonly Refund[]): Refund => {
  const total = (field: Figure): Price =>
    price([refund, ...adjustments].reduce((sum, record) => sum + record[field], 0));
  return { ...refund, amount: total('amount'), shipping: total('shipping'), sales_tax: total('sales_tax') };
};

/**
 * Compares what was sent with what the service holds of it, the adjustments of a refund included. If there are
 * adjustments, only the totals are compared: the lines of an adjustment are not lines of the shop.
 */
export const recordDifferences = (
  sent: NewTransaction,
  recorded: Order | Refund,
  adjustments: readonly Refund[],
): readonly FieldDifference[] => {
  const differences = compareRecord(
    acceptTransaction(sent),
    adjustedRefund(recorded, adjustments),
    sent.kind,
  );
  return adjustments.length === 0 ? differences : differences.filter((difference) => !isOfLines(difference));
};

type Figure = 'amount' | 'shipping' | 'sales_tax';
const FIGURES: readonly string[] = ['amount', 'shipping', 'sales_tax'];

/** Whether a difference concerns single lines and not the totals. */
const isOfLines = ({ field }: FieldDifference): boolean => field.startsWith('line_items');

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
  sent: CreateTransaction,
  recorded: Refund,
  given: {
    readonly id: string;
    readonly differences: readonly FieldDifference[];
  },
): CreateTransaction | undefined => {
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
