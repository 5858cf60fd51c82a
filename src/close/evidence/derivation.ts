import type { TaxResult } from '../../contract/tax-result.ts';
import type { Order, Refund } from '../../contract/transaction.ts';
import { wireSent } from '../../contract/wire-transaction.ts';
import { digestOf, type Json } from '../../kernel/digest.ts';
import { type Money, negate } from '../../kernel/money.ts';
import { moneyOfPrice } from '../../kernel/price.ts';
import { ADDRESS_FIELDS, type FieldDifference, textDifference } from '../reconcile/compare-record.ts';
import { NOTHING_DUE } from '../reconcile/nothing-due.ts';
import { type ReconciledSale, reconcileSale } from '../reconcile/reconciled-sale.ts';
import { type Sale, taxLinesOf } from '../sales/sale.ts';
import { taxRequestOf } from '../sales/tax-request-of.ts';
import { recordOf, transactionOf } from '../sales/transaction-of.ts';
import type { Derivation } from './manifest.ts';

/** Shortens a digest to the mark that a log stores for content that is derived from its sale. */
export const markOf = (digest: string): string => digest.slice(0, 16);

export const requestOf = (sale: Sale, { shipFrom }: Derivation): Json => taxRequestOf(sale, shipFrom) as Json;

/** Returns the mark of a calculation, from the service and the request. */
export const requestMark = (sale: Sale, service: string, derivation: Derivation): string =>
  markOf(digestOf({ service, request: requestOf(sale, derivation) }));

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
 * Derives the figures of a sale that ties out, from the sale, its answer and its record: the answer is the expected
 * tax, and it equals the collected tax and the recorded tax. Any other information about a sale is in its log.
 */
export const derivedFigures = (
  sale: Sale,
  answer: TaxResult | undefined,
  { record, plain }: { readonly record: Order | Refund | undefined; readonly plain: Omit<Order, 'user_id'> },
): ReconciledSale =>
  reconcileSale({
    kind: sale.kind,
    state: sale.shipTo.state,
    collected: sale.salesTax,
    shipping: sale.shipping,
    amount: sale.amount,
    lines: sale.lines,
    partOf: sale.partOf,
    taxLines: taxLinesOf(sale),
    expectation: { basis: 'calculated', result: answer ?? NOTHING_DUE, alternatives: [] },
    recorded: record,
    differences: record ? addressDifferences(plain, record) : [],
    detail: '',
  });

/** Whether these figures equal those of `derivedFigures`. Checking this is cheaper than computing them. */
export const figuresFollow = (
  figures: ReconciledSale,
  sale: Sale,
  answer: TaxResult | undefined,
  { record, others, plain }: RecordFound,
): boolean => {
  const { status, hasNexus, expected, recorded, reasons, differences, detail } = figures;
  const isPlain =
    status === 'tied out' &&
    reasons.length === 0 &&
    detail === '' &&
    !BESIDE.some((name) => figures[name] !== undefined);
  const due = answer ?? NOTHING_DUE;
  return (
    isPlain &&
    hasNexus === due.has_nexus &&
    expected === signedFor(sale)(due.amount_to_collect) &&
    sale.salesTax === due.amount_to_collect &&
    recorded === moneyOfPrice(record.sales_tax) &&
    Object.keys(others).every((name) => PLAINLY_SHOWN.has(name)) &&
    sameJson(differences, addressDifferences(plain, record))
  );
};

/** A record, its fields that differ from what was sent, and the record as sent. */
export type RecordFound = {
  readonly record: Order | Refund;
  readonly others: OtherFields;
  readonly plain: Omit<Order, 'user_id'>;
};

/** Figures that do not come from the sale, its answer or its record. */
const BESIDE = ['hasTodaysRates', 'secondOpinion', 'shared', 'exemption'] as const;

/** Fields in which a record may differ without any effect beyond the difference itself. */
const PLAINLY_SHOWN: ReadonlySet<string> = new Set(['user_id', ...ADDRESS_FIELDS]);

const addressDifferences = (
  plain: Omit<Order, 'user_id'>,
  record: Order | Refund,
): readonly FieldDifference[] =>
  ADDRESS_FIELDS.flatMap((field) => textDifference(field, plain[field], record[field]) ?? []);

/** Returns the answer that a body was built with: a sale that counts as not calculated did not use its answer. */
export const countedAnswer = (
  answer: TaxResult | undefined,
  figures: ReconciledSale | null,
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
