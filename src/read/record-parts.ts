import type { ReadRecord } from '../close/sales/read-sale.ts';
import type { Sale } from '../close/sales/sale.ts';

/** Returns the sale that a record was read as; `undefined` when it was set aside. */
export const saleOfRecord = (record: ReadRecord): Sale | undefined => {
  if ('order' in record) return record.order;
  return 'refund' in record ? record.refund : undefined;
};

/** `112-S2` is the second shipment of order 112, `112-refund-2` its second refund. */
const partMark = ({ kind }: Pick<Sale, 'kind'>): string => (kind === 'order' ? '-S' : '-');

/** A known part, with the kind of report that told it: `undefined` for one whose records have no parts. */
export type KnownPart = Pick<Sale, 'key' | 'instant'> & { readonly report?: string | undefined };

/**
 * Returns a sale under the id of its part. An order that ships twice, or is refunded twice, has one id in its source.
 * Each part keeps the number with which it was first found, and is recognised by its instant.
 */
export const asShipment = (sale: Sale, known: Iterable<KnownPart>): Sale => {
  const mark = partMark(sale);
  const parts = partsOf(sale, known);
  if (parts.length === 0) return sale;
  const same = samePart(sale, parts);
  if (same) return withKey(sale, same.key);
  const numbers = parts.map(({ key }) =>
    key === sale.key ? 1 : Number(key.slice(sale.key.length + mark.length)),
  );
  return withKey(sale, `${sale.key}${mark}${Math.max(...numbers) + 1}`);
};

/** Returns a record under the id of its part; a record that is set aside as it is. */
export const asPart = (record: ReadRecord, known: Iterable<KnownPart>): ReadRecord => {
  if ('outcome' in record) return record;
  return 'order' in record
    ? { ...record, order: asShipment(record.order, known) }
    : { refund: asShipment(record.refund, known) };
};

const partsOf = (sale: Sale, known: Iterable<KnownPart>): readonly KnownPart[] =>
  [...known].filter(({ key }) => key === sale.key || key.startsWith(`${sale.key}${partMark(sale)}`));

const samePart = ({ instant }: Sale, parts: readonly KnownPart[]): KnownPart | undefined =>
  parts.find((part) => part.instant === instant);

/** Returns the known parts of a sale, if it is a further part. */
export const partsBeside = (sale: Sale, known: Iterable<KnownPart>): readonly KnownPart[] => {
  const parts = partsOf(sale, known);
  return samePart(sale, parts) ? [] : parts;
};

/**
 * Returns one of these parts that another kind of report told. Two reports tell a sale at two times, so a further part
 * from the other one may be the same sale once more.
 */
export const partOfOtherReport = (
  { origin: { report: own } }: Sale,
  parts: readonly KnownPart[],
): KnownPart | undefined => parts.find(({ report }) => report !== own);

const withKey = (sale: Sale, key: string): Sale => ({
  ...sale,
  key,
  id: `${sale.id}${key.slice(sale.key.length)}`,
});
