import { isWritable } from '../kernel/calendar.ts';
import type { Price } from '../kernel/money.ts';
import { accept, ENTRIES_MAX } from './accept.ts';
import { ExemptionType, isKeepable, TRANSACTION_ID } from './scalars.ts';
import { isQuantity } from './tax-request.ts';
import {
  CODE_MAX,
  CreateOrder,
  CreateRefund,
  DESCRIPTION_READ_MAX,
  type NewTransaction,
  TEXT_MAX,
  type TransactionKind,
  UpdateOrder,
  UpdateRefund,
  ZIP_MAX,
} from './transaction.ts';
import { wireSent } from './wire-transaction.ts';

const SCHEMAS = {
  order: { create: CreateOrder, update: UpdateOrder },
  refund: { create: CreateRefund, update: UpdateRefund },
} as const;

/**
 * Accept a decoded transaction as the schema of the interface would accept its wire form: texts trimmed, codes in
 * capitals. Nearly all have that form already, and checking it is ten times as fast as writing and reading. The schema
 * reads the others.
 *
 * @throws {ServiceRefusal} 406, 422, as for the same transaction on the wire
 */
export const acceptTransaction = ({ kind, transaction }: NewTransaction): CreateRefund =>
  hasAll(transaction) && isAsRead(kind, transaction)
    ? transaction
    : accept(SCHEMAS[kind].create, wireSent(transaction));

/** Accept decoded changes of a transaction in the same way. @throws {ServiceRefusal} 406, 422 */
export const acceptChanges = (kind: TransactionKind, changes: UpdateRefund): UpdateRefund =>
  isAsRead(kind, changes) ? changes : accept(SCHEMAS[kind].update, wireSent(changes));

const hasAll = (sent: UpdateRefund & { readonly transaction_id: string }): boolean =>
  sent.transaction_id.length <= TEXT_MAX &&
  TRANSACTION_ID.test(sent.transaction_id) &&
  sent.transaction_date !== undefined &&
  sent.to_country !== undefined &&
  sent.to_zip !== undefined &&
  sent.to_state !== undefined &&
  sent.amount !== undefined &&
  sent.shipping !== undefined &&
  sent.sales_tax !== undefined;

/** Whether writing these fields and reading them back gives the same fields. */
const isAsRead = (kind: TransactionKind, sent: UpdateRefund): boolean =>
  (sent.transaction_date === undefined || isWritable(sent.transaction_date)) &&
  (kind === 'order'
    ? sent.transaction_reference_id === undefined
    : isText(sent.transaction_reference_id, TEXT_MAX)) &&
  isText(sent.provider, CODE_MAX) &&
  sent.provider === sent.provider?.toLowerCase() &&
  isCountry(sent.from_country) &&
  isText(sent.from_zip, ZIP_MAX) &&
  isState(sent.from_state) &&
  isText(sent.from_city, TEXT_MAX) &&
  isText(sent.from_street, TEXT_MAX) &&
  isCountry(sent.to_country) &&
  isText(sent.to_zip, ZIP_MAX) &&
  isState(sent.to_state) &&
  isText(sent.to_city, TEXT_MAX) &&
  isText(sent.to_street, TEXT_MAX) &&
  isAmount(sent.amount) &&
  isAmount(sent.shipping) &&
  isAmount(sent.sales_tax) &&
  isText(sent.customer_id, TEXT_MAX) &&
  (sent.exemption_type === undefined || ExemptionType.options.includes(sent.exemption_type)) &&
  (sent.line_items === undefined ||
    (sent.line_items.length <= ENTRIES_MAX && sent.line_items.every(isLineAsRead)));

type Line = NonNullable<UpdateRefund['line_items']>[number];

const isLineAsRead = (line: Line): boolean =>
  isText(line.id, TEXT_MAX) &&
  (line.quantity === undefined || isQuantity(line.quantity)) &&
  isText(line.product_identifier, TEXT_MAX) &&
  isText(line.description, DESCRIPTION_READ_MAX) &&
  isText(line.product_tax_code, CODE_MAX) &&
  isAmount(line.unit_price) &&
  isAmount(line.discount) &&
  isAmount(line.sales_tax);

const isText = (text: string | undefined, lengthMax: number): boolean =>
  text === undefined || (text !== '' && text.length <= lengthMax && text === text.trim() && isKeepable(text));

const COUNTRY = /^[A-Z]{2}$/;

const isCountry = (text: string | undefined): boolean => text === undefined || COUNTRY.test(text);

const isState = (text: string | undefined): boolean => isText(text, CODE_MAX) && text === text?.toUpperCase();

const isAmount = (amount: Price | undefined): boolean => amount === undefined || Number.isSafeInteger(amount);
