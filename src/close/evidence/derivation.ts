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

/** As much of a digest as a log has of what follows from its sale. */
export const markOf = (digest: string): string => digest.slice(0, 16);

export const requestOf = (sale: Sale, { shipFrom }: Derivation): Json => taxRequestOf(sale, shipFrom) as Json;

/** The mark of a calculation: of the service that was asked, and of what it was asked. */
export const requestMark = (sale: Sale, service: string, derivation: Derivation): string =>
  markOf(digestOf({ service, request: requestOf(sale, derivation) }));

/** What was sent to record a sale. An answer that nothing rests on does not count: see `countedAnswer`. */
export const bodyOf = (sale: Sale, answer: TaxResult | undefined, derivation: Derivation): Json =>
  wireSent(transactionOf(sale, providerIn(derivation, sale), derivation.shipFrom, answer)) as Json;

export const bodyMark = (sale: Sale, answer: TaxResult | undefined, derivation: Derivation): string =>
  markOf(digestOf(bodyOf(sale, answer, derivation)));

/** The source under which the service keeps the records of the sale's channel. */
export const providerIn = ({ providers }: Derivation, { channel }: Pick<Sale, 'channel'>): string =>
  providers[channel] ?? channel;

/** The record of a sale as it would be read back if the service kept every field as it was sent. */
export const plainRecordOf = (
  sale: Sale,
  answer: TaxResult | undefined,
  derivation: Derivation,
): Omit<Order, 'user_id'> => recordOf(sale, providerIn(derivation, sale), derivation.shipFrom, answer);

/** The fields of a record that are not as they were sent. */
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
 * The figures of a sale that ties out: its answer says what was due, that is what was collected, and the record of the
 * service has it. They follow from the three; whatever else is to be said of a sale stands in its log.
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
    taxLines: taxLinesOf(sale),
    expectation: { basis: 'calculated', result: answer ?? NOTHING_DUE, alternatives: [] },
    recorded: record,
    differences: record ? addressDifferences(plain, record) : [],
    detail: '',
  });

/** Whether these figures are the ones that `derivedFigures` comes to, which is cheaper to see than to compute. */
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

/** A record, the fields of it that are not as they were sent, and all of them as they were sent. */
export type RecordFound = {
  readonly record: Order | Refund;
  readonly others: OtherFields;
  readonly plain: Omit<Order, 'user_id'>;
};

/** Figures that come from elsewhere than the sale, its answer and its record. */
const BESIDE = ['hasTodaysRates', 'secondOpinion', 'shared', 'exemption'] as const;

/** Fields in which a record may differ and nothing else be to say than that. */
const PLAINLY_SHOWN: ReadonlySet<string> = new Set(['user_id', ...ADDRESS_FIELDS]);

const addressDifferences = (
  plain: Omit<Order, 'user_id'>,
  record: Order | Refund,
): readonly FieldDifference[] =>
  ADDRESS_FIELDS.flatMap((field) => textDifference(field, plain[field], record[field]) ?? []);

/** The answer that a body was made with: where a sale counts as not calculated, its answer was not used. */
export const countedAnswer = (
  answer: TaxResult | undefined,
  figures: ReconciledSale | null,
): TaxResult | undefined => (figures?.expected === null ? undefined : answer);

/** Amounts of refunds are negative in figures. */
export const signedFor =
  ({ kind }: Pick<Sale, 'kind'>) =>
  (amount: Money): Money =>
    kind === 'refund' ? negate(amount) : amount;

/** Whether two values would be written as the same JSON, whatever the order of their keys. */
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
