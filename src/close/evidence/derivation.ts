import type { TaxResult } from '../../contract/tax-result.ts';
import type { Order, Refund } from '../../contract/transaction.ts';
import { wireSent } from '../../contract/wire.ts';
import { digestOf, type Json } from '../../kernel/json.ts';
import { type Money, negate } from '../../kernel/money.ts';
import { type FieldDifference, recordDifferences } from '../reconcile/compare-record.ts';
import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import type { Sale } from '../sales/sale.ts';
import { taxRequestOf } from '../sales/tax-request-of.ts';
import { recordOf, transactionOf } from '../sales/transaction-of.ts';
import type { Derivation } from './manifest.ts';

/** Shortens a digest to the mark that a log stores for content that is derived from its sale. */
export const markOf = (digest: string): string => digest.slice(0, 16);

export const requestOf = (sale: Sale, { shipFrom }: Derivation): Json => taxRequestOf(sale, shipFrom) as Json;

/** Returns the mark of a calculation, from the service and the request. */
export const requestMark = (sale: Sale, derivation: Derivation): string =>
  markOf(digestOf({ service: derivation.service, request: requestOf(sale, derivation) }));

/**
 * Returns the body that was sent to record a sale. An answer that was not used must be left out: see `countedAnswer`.
 */
export const bodyOf = (sale: Sale, answer: TaxResult | undefined, derivation: Derivation): Json =>
  wireSent(transactionOf(sale, providerIn(derivation, sale), derivation.shipFrom, answer)) as Json;

export const bodyMark = (sale: Sale, answer: TaxResult | undefined, derivation: Derivation): string =>
  markOf(digestOf(bodyOf(sale, answer, derivation)));

/** Returns the source under which the service keeps the records of the sale's channel. */
export const providerIn = ({ providers }: Derivation, { channel }: Pick<Sale, 'channel'>): string =>
  providers[channel] ?? channel;

/** Builds the record of a sale as it would be read back if the service kept every field as sent. */
export const plainRecordOf = (
  sale: Sale,
  answer: TaxResult | undefined,
  derivation: Derivation,
): Omit<Order, 'user_id'> => recordOf(sale, providerIn(derivation, sale), derivation.shipFrom, answer);

/** The fields of a record that differ from what was sent. */
export type OtherFields = Partial<Order>;

export const otherFieldsOf = (record: Order | Refund, plain: Omit<Order, 'user_id'>): OtherFields => {
  const others: Record<string, unknown> = {};
  for (const name in record) {
    const value: unknown = record[name as keyof typeof record];
    if (!sameJson(value, plain[name as keyof typeof plain])) others[name] = value;
  }
  return others;
};

/**
 * Compares what the service holds of a sale, and further refunds of it, with what was sent.
 *
 * @param answer as in `countedAnswer`
 */
export const differencesOf = (
  sale: Sale,
  answer: TaxResult | undefined,
  { record, further }: { readonly record: Order | Refund; readonly further: readonly Refund[] },
  derivation: Derivation,
): readonly FieldDifference[] => {
  const transaction = transactionOf(sale, providerIn(derivation, sale), derivation.shipFrom, answer);
  return recordDifferences({ kind: sale.kind, transaction }, record, further);
};

/** Returns the answer that a body was built with: a sale that counts as not calculated did not use its answer. */
export const countedAnswer = (
  answer: TaxResult | undefined,
  figures: ReconciledSale | null | undefined,
): TaxResult | undefined => (figures?.expected === null ? undefined : answer);

/** Returns a function that gives amounts the sign they have in figures: negative for refunds. */
export const signedFor =
  ({ kind }: Pick<Sale, 'kind'>) =>
  (amount: Money): Money =>
    kind === 'refund' ? negate(amount) : amount;

/** Whether two values have the same JSON, in any order of keys. */
const sameJson = (left: unknown, right: unknown): boolean => {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [one, other] = [left as Fields, right as Fields];
  let more = 0;
  for (const key in one) {
    if (!sameJson(one[key], other[key])) return false;
    more += 1;
  }
  for (const _ in other) more -= 1;
  return more === 0;
};

type Fields = Readonly<Record<string, unknown>>;
