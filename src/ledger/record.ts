import type { TaxContent } from '../content/tax-content.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import {
  type CreateTransaction,
  DESCRIPTION_LENGTH_MAX,
  type Order,
  orderedRecord,
  PROVIDER_DEFAULT,
  type TransactionKind,
  type TransactionLine,
  type UpdateTransaction,
} from '../contract/transaction.ts';
import { withoutNulls } from '../contract/wire.ts';
import { checkZip, destinationOf, sentOriginOf } from '../engine/order.ts';
import { roundBigQuotient } from '../kernel/decimal.ts';
import { PRICES_PER_CENT, type Price, price, ZERO_PRICE } from '../kernel/money.ts';
import type { Account } from './account.ts';

/** The country in which a shipment starts when the caller does not name one. */
export const FROM_COUNTRY_DEFAULT = 'US';
const QUANTITY_DEFAULT = 1;

/**
 * Build the record of a draft. Whatever signs were sent, orders are positive and refunds negative; a discount is
 * positive on both. A line without an id gets its position, counted from 1.
 */
export const recordOf = (kind: TransactionKind, accountId: number, draft: Draft): Order => {
  const signed = signedFor(kind);
  return orderedRecord({
    ...draft,
    user_id: accountId,
    provider: providerOf(draft),
    amount: signed(draft.amount),
    shipping: signed(draft.shipping),
    sales_tax: signed(draft.sales_tax),
    line_items: (draft.line_items ?? []).map((line, index) => lineOf(line, index, signed)),
  });
};

/**
 * Return the record as it is answered: a shipment starts in the US unless another country was sent, and the destination
 * city is in capitals. The stored record keeps what was sent.
 */
export const answerOf = (record: Order): Order => ({
  ...record,
  from_country: record.from_country ?? FROM_COUNTRY_DEFAULT,
  to_city: record.to_city?.toUpperCase() ?? null,
});

const signedFor =
  (kind: TransactionKind) =>
  (amount: Price): Price =>
    price(kind === 'order' ? Math.abs(amount) : -Math.abs(amount));

const lineOf = (
  line: NonNullable<Draft['line_items']>[number],
  index: number,
  signed: (amount: Price) => Price,
): TransactionLine => ({
  id: line.id ?? String(index + 1),
  quantity: line.quantity ?? QUANTITY_DEFAULT,
  product_identifier: line.product_identifier ?? null,
  description: line.description ?? null,
  product_tax_code: line.product_tax_code ?? null,
  unit_price: signed(line.unit_price ?? ZERO_PRICE),
  discount: price(Math.abs(line.discount ?? ZERO_PRICE)),
  sales_tax: signed(line.sales_tax ?? ZERO_PRICE),
});

/** A transaction as its caller sends it for recording: decoded, but not yet checked, signed or completed. */
export type Draft = CreateTransaction;

/** Merge changes into a draft, except for its id; line items replace all previous ones. */
export const withChanges = (draft: Draft, changes: UpdateTransaction): Draft => ({
  ...draft,
  ...withoutNulls(changes),
  transaction_id: draft.transaction_id,
});

export const providerOf = (named: { readonly provider?: string | undefined }): string =>
  named.provider ?? PROVIDER_DEFAULT;

/** The input of a rule. */
export type Recording = {
  readonly kind: TransactionKind;
  readonly draft: Draft;
  readonly account: Account;
  readonly content: TaxContent;
};

/** A requirement for every recorded transaction. @throws {ServiceRefusal} when it is not met */
export type RecordingRule = (recording: Recording) => void;

/** Clients confuse a refund with its order when both have the same id, so it is a conflict like any other. */
const refundHasAnIdOfItsOwn: RecordingRule = ({ kind, draft }) => {
  if (kind === 'refund' && draft.transaction_id === draft.transaction_reference_id) {
    throw new ServiceRefusal(422, 'transaction_id must differ from transaction_reference_id');
  }
};

const descriptionsAreShort: RecordingRule = ({ draft }) => {
  for (const [index, { description }] of (draft.line_items ?? []).entries()) {
    if (description !== undefined && description.length > DESCRIPTION_LENGTH_MAX) {
      throw new ServiceRefusal(
        400,
        `line_items[${index}].description must be at most ${DESCRIPTION_LENGTH_MAX} characters`,
      );
    }
  }
};

/** A country alone is not an address: every record gets the default one, which says nothing about the seller. */
const shipsFromSomewhere: RecordingRule = ({ draft, account }) => {
  const parts = [draft.from_zip, draft.from_state, draft.from_city, draft.from_street];
  const isGiven =
    parts.some((part) => part !== undefined) ||
    (draft.from_country ?? FROM_COUNTRY_DEFAULT) !== FROM_COUNTRY_DEFAULT;
  if (!isGiven && account.address === undefined) {
    throw new ServiceRefusal(
      400,
      'no from address was sent, and no address is on file: `tieout account add NAME --address` puts one there',
    );
  }
};

const zipsAreUsedInTheirStates: RecordingRule = ({ draft, content }) => {
  checkZip(content, 'to', destinationOf(draft), draft);
  checkZip(content, 'from', sentOriginOf(draft), draft);
};

const EXEMPT_TYPES: ReadonlySet<string> = new Set(['wholesale', 'government', 'other']);

/** Tax on an exempt sale is a contradiction: the caller has to decide which of the two is wrong. */
const exemptSalesCarryNoTax: RecordingRule = ({ draft }) => {
  const { exemption_type: type, sales_tax: tax, line_items: lines = [] } = draft;
  if (type === undefined || !EXEMPT_TYPES.has(type)) return;
  if (tax === 0 && lines.every((line) => (line.sales_tax ?? 0) === 0)) return;
  throw new ServiceRefusal(400, `sales_tax must be zero when exemption_type is ${type}`);
};

/** The rules of every version, in the order in which they are checked. */
export const RECORDING_RULES: readonly RecordingRule[] = [
  refundHasAnIdOfItsOwn,
  descriptionsAreShort,
  shipsFromSomewhere,
  zipsAreUsedInTheirStates,
  exemptSalesCarryNoTax,
];

/**
 * Check that the amount is the sum of the lines and the shipping. A line's price times its quantity can exceed 2^53, so
 * the sum uses big integers. Both sides are compared to the cent, because a unit price of four places rarely multiplies
 * to whole cents.
 */
const amountAddsUp: RecordingRule = ({ draft }) => {
  const lines = draft.line_items ?? [];
  if (lines.length === 0) return;
  let sum = magnitude(draft.shipping);
  for (const line of lines) {
    sum += magnitude(line.unit_price) * BigInt(line.quantity ?? 1) - magnitude(line.discount);
  }
  if (toCents(sum) === toCents(magnitude(draft.amount))) return;
  throw new ServiceRefusal(
    400,
    'amount must be equal to the sum of line items and shipping, excluding sales tax.',
  );
};

const magnitude = (amount: number | undefined): bigint => BigInt(Math.abs(amount ?? 0));
const toCents = (amount: bigint): bigint => roundBigQuotient(amount, BigInt(PRICES_PER_CENT));

const taxCodesAreKnown: RecordingRule = ({ draft, content }) => {
  const known = new Set(content.categories.map((category) => category.product_tax_code));
  const sent = (draft.line_items ?? []).flatMap(({ product_tax_code: code }) => code ?? []);
  const unknown = [...new Set(sent)].filter((code) => !known.has(code));
  if (unknown.length > 0) {
    throw new ServiceRefusal(400, `line_items include invalid tax codes: ${unknown.join(', ')}`);
  }
};

/** The rules of each dated version of the interface, in addition to those of all versions. */
export const RULES = {
  '2012-01-01': [],
  '2020-08-07': [amountAddsUp],
  '2022-01-24': [amountAddsUp, taxCodesAreKnown],
} as const satisfies Record<string, readonly RecordingRule[]>;
type ApiVersion = keyof typeof RULES;

/**
 * Return the version in force: the one that a request names, if it exists; otherwise that of new accounts of the live service
 * since July 2021.
 */
export const apiVersionInForce = (named = ''): ApiVersion =>
  Object.hasOwn(RULES, named) ? (named as ApiVersion) : '2020-08-07';
