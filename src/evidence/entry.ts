import {
  type TaxResult,
  UsBreakdown,
  type UsBreakdown as UsFigures,
  UsLineBreakdown,
  UsShippingBreakdown,
} from '../contract/tax-result.ts';
import type { CreateTransaction, Order, Refund } from '../contract/transaction.ts';
import { wireSent } from '../contract/wire.ts';
import { type DetailRow, detailRowOf } from '../judge/detail-row.ts';
import type { Asked } from '../judge/finding.ts';
import type { ReconciledSale } from '../judge/reconciled-sale.ts';
import { isUsBreakdown } from '../judge/tax-model.ts';
import type { Json } from '../kernel/json.ts';
import { type Money, moneyOfPrice, negate } from '../kernel/money.ts';
import { type Identity, postingOf, type Sale } from '../sales/sale.ts';
import type { LateVersion } from '../sales/sale-name.ts';
import { requestDigest, taxRequestOf, transactionOf } from '../sales/service-records.ts';
import type { Derivation } from './manifest.ts';

/**
 * All that is known of one sale in one period: a line of `evidence/entries.ndjson.gz`. Amounts are in cents.
 */
export type Entry = {
  /** After decisions, certificates and the links of refunds. */
  readonly sale: Sale;
  /** The first 16 digits of the digest of its statement as read. */
  readonly stated?: string;
  readonly identity?: Identity;
  /** Set for a record of a locked period: its figures stand as they were filed, and so do those of its reversal. */
  readonly filed?: true;
  readonly version?: LateVersion;
  readonly answer?: Answer;
  /** What else was asked about the sale: with one thing changed, to explain its variance or to price its exemption. */
  readonly asked?: readonly Question[];
  /** Absent where the service holds it. */
  readonly sent?: Sent;
  readonly recorded?: Recorded;
  /** Of posted sales alone; `null` where a posted sale has none. */
  readonly figures?: ReconciledSale | null;
};

/** A request to the tax service by the first 16 digits of the digest of service and request, and its result. */
export type Answer = {
  readonly request: string;
  readonly result: TaxResult;
};

/** A request that does not follow from the sale, so that it stands here in full. */
export type Question = {
  readonly code: string;
  readonly what: string;
  /** Digest of service and request. */
  readonly digest: string;
  readonly service: string;
  readonly request: Json;
  readonly result: TaxResult;
};

/** What became of a sale that the service does not hold as it was sent. */
export type Sent = {
  readonly state: string;
  /** Why; empty where the state says all. */
  readonly detail: string;
  /** The question about a record of its number that no export states. */
  readonly inUse?: Asked;
};

/** What the service holds of a sale, and the day, in the entity's time zone, on which it has it. */
export type Recorded = {
  readonly day: string;
  readonly record: Order | Refund;
  /** Further refunds, which bring the total of a refund to what its export states. */
  readonly further?: readonly Further[];
};

export type Further = {
  readonly day: string;
  readonly record: Refund;
};

/** Writes the line of an entry. */
export const entryText = (entry: Entry): string => {
  const { sale, stated, identity, filed, version, answer, ...rest } = entry;
  const packed = answer && { ...answer, result: packedAnswer(answer.result) };
  return JSON.stringify({
    sale,
    stated,
    identity,
    filed,
    version,
    answer: packed,
    ...rest,
  });
};

/** An entry with its line. */
export type EntryLine = {
  readonly entry: Entry;
  readonly text: string;
};

export const lineOf = (entry: Entry): EntryLine => ({ entry, text: entryText(entry) });

/** Reads the line of an entry for sums: without its answer, which they do not need. */
export const lineFrom = (text: string): EntryLine => {
  const { answer: _, ...entry } = JSON.parse(text) as Line;
  return { entry, text };
};

/** Reads the line of an entry, as parsed. */
export const readEntry = (line: unknown): Entry => {
  const { answer, ...entry } = line as Line;
  return answer ? { ...entry, answer: { ...answer, result: unpackedAnswer(answer.result) } } : entry;
};

/** An entry as its line has it. */
type Line = Omit<Entry, 'answer'> & {
  readonly answer?: Omit<Answer, 'result'> & { readonly result: PackedAnswer };
};

/** Returns the row of Detail of an entry. */
export const rowOf = ({ sale, figures }: Entry): DetailRow =>
  detailRowOf(sale, postingOf(sale), figures ?? undefined);

/** Shortens a digest to the mark that a log stores for content that is derived from its sale. */
export const markOf = (digest: string): string => digest.slice(0, 16);

/** Returns the mark of a calculation, from the service and the request. */
export const requestMark = (sale: Sale, derivation: Derivation): string =>
  markOf(requestDigest(derivation.service, taxRequestOf(sale, derivation.shipFrom)));

/** Returns the body that was sent to record the sale of an entry. */
export const bodyOf = (entry: Entry, derivation: Derivation): Json =>
  wireSent(sentOf(entry, derivation)) as Json;

/** Returns what was sent to record a sale. One that counts as not calculated did not use its answer. */
export const sentOf = ({ sale, answer, figures }: Entry, derivation: Derivation): CreateTransaction => {
  const counted = figures?.expected === null ? undefined : answer?.result;
  return transactionOf(sale, providerIn(derivation, sale), derivation.shipFrom, counted);
};

/** Returns the source under which the service keeps the records of the sale's channel. */
export const providerIn = (
  { providers }: Pick<Derivation, 'providers'>,
  { channel }: Pick<Sale, 'channel'>,
): string => providers[channel] ?? channel;

/** Returns a function that gives amounts the sign they have in figures: negative for refunds. */
export const signedFor =
  ({ kind }: Pick<Sale, 'kind'>) =>
  (amount: Money): Money =>
    kind === 'refund' ? negate(amount) : amount;

/** The records of an entry by day. A refund and its further refunds count as one record with the total of their amounts. */
export const recordedOf = ({ recorded }: Entry) =>
  (recorded ? [recorded, ...(recorded.further ?? [])] : []).map(({ day, record }, index) => ({
    day,
    records: index === 0 ? 1 : 0,
    amount: moneyOfPrice(record.amount),
    tax: moneyOfPrice(record.sales_tax),
  }));

/** Figures of an answer without their names: the values in the order of the interface. Other fields stay an object. */
type Values = readonly unknown[] | object;

/** An answer of the tax service as a log has it: the names of its many figures would be most of the log. */
export type PackedAnswer = Omit<TaxResult, 'breakdown'> & {
  readonly breakdown?: TaxResult['breakdown'];
  /** The breakdown of a sale in the United States. */
  readonly us?: {
    readonly order: Values;
    readonly lines?: readonly Values[];
    readonly shipping?: Values;
  };
};

const ORDER = namesOf(UsBreakdown).filter((name) => name !== 'shipping' && name !== 'line_items');
const LINE = namesOf(UsLineBreakdown);
const SHIPPING = namesOf(UsShippingBreakdown);

function namesOf({ shape }: { readonly shape: object }): readonly string[] {
  return Object.keys(shape);
}

export const packedAnswer = ({ breakdown, ...result }: TaxResult): PackedAnswer => {
  if (!breakdown) return result;
  if (!isUsBreakdown(breakdown)) return { ...result, breakdown };
  const { shipping, line_items: lines, ...order } = breakdown;
  const us = {
    order: valuesOf(order, ORDER),
    ...(lines && { lines: lines.map((line) => valuesOf(line, LINE)) }),
    ...(shipping && { shipping: valuesOf(shipping, SHIPPING) }),
  };
  return { ...result, us };
};

/** Restores the answer as the service gave it. */
export const unpackedAnswer = ({ us, ...result }: PackedAnswer): TaxResult => {
  if (!us) return result;
  const { order, lines, shipping } = us;
  const breakdown = {
    ...fieldsOf(order, ORDER),
    ...(shipping && { shipping: fieldsOf(shipping, SHIPPING) }),
    ...(lines && { line_items: lines.map((line) => fieldsOf(line, LINE)) }),
  } as UsFigures;
  return { ...result, breakdown };
};

const valuesOf = (fields: object, names: readonly string[]): Values => {
  const own = Object.keys(fields);
  const hasNames = own.length === names.length && names.every((name, index) => name === own[index]);
  return hasNames ? Object.values(fields) : fields;
};

const fieldsOf = (values: Values, names: readonly string[]): object =>
  Array.isArray(values) ? Object.fromEntries(names.map((name, index) => [name, values[index]])) : values;
