import { sha256 } from '../kernel/json.ts';
import { negate } from '../kernel/money.ts';
import type { SalesProfile } from '../sales/profile.ts';
import type { ReadRecord } from '../sales/read-sale.ts';
import { addsUpRows } from '../sales/row-reader.ts';
import type { Sale, SetAside } from '../sales/sale.ts';
import type { TableRow } from '../sales/table-row.ts';

/** Returns a record as ignored, because it counts where it stands as well. */
export const duplicateOf = (
  { origin, businessDate }: Pick<Sale, 'origin' | 'businessDate'>,
  rows: SetAside['rows'],
  earlier: Sale['origin'],
): SetAside => ({
  outcome: 'ignored',
  origin,
  businessDate,
  rows,
  reason: { code: 'duplicate', message: `the same record stands at ${earlier.file}:${earlier.line}` },
});

/**
 * Returns a record that stands in its file a second time with the same content. A single line, or none, apart from an equal one
 * may be a further line of the record, such as a second piece of an item, so it is rejected: a person must say whether
 * it is one or a copy. Everything else is a copy.
 */
export const repeatedLine = (sale: Sale, rows: SetAside['rows'], earlier: Sale['origin']): SetAside => {
  const duplicate = duplicateOf(sale, rows, earlier);
  if (sale.lines.length > 1) return duplicate;
  return {
    ...duplicate,
    outcome: 'rejected',
    reason: {
      code: 'repeated-line',
      message: `the same line of this ${sale.kind} stands at ${earlier.file}:${earlier.line}, apart from here, and only that one counts`,
    },
    ...stakesOf(sale),
  };
};

/**
 * Returns a rejected record as ignored if the same rows were rejected in another file, as in a copy of it.
 *
 * @param rejects the first place of each rejected record, by a digest of its cells
 */
export const onceRejected = (aside: SetAside, rejects: Map<string, Sale['origin']>): SetAside => {
  if (aside.outcome !== 'rejected') return aside;
  const cells = sha256(JSON.stringify([aside.reason.code, aside.rows.map((each) => each.cells)]));
  const first = rejects.get(cells);
  if (!first) rejects.set(cells, aside.origin);
  if (!first || first.file === aside.origin.file) return aside;
  const message = `the same rows stand at ${first.file}:${first.line}, and are rejected there`;
  const { state: _, tax: __, value: ___, ...same } = aside;
  return { ...same, outcome: 'ignored', reason: { code: 'duplicate', message } };
};

/** Returns a sale as rejected that another kind of report told at another time: it may be the same one. */
export const toldByOtherReport = (
  sale: Sale,
  rows: readonly TableRow[],
  { report }: Pick<KnownPart, 'report'>,
): SetAside => ({
  outcome: 'rejected',
  origin: sale.origin,
  businessDate: sale.businessDate,
  rows,
  reason: {
    code: 'other-report',
    message: `another kind of report (${report ?? 'without parts of orders'}) has told of this ${sale.kind} at another time, and only that counts`,
  },
  ...stakesOf(sale),
});

/** The state of a rejected sale, and the tax that the seller would owe. */
const stakesOf = ({
  kind,
  shipTo,
  currency,
  salesTax,
}: Pick<Sale, 'kind' | 'shipTo' | 'currency' | 'salesTax'>): Pick<SetAside, 'state' | 'tax'> =>
  shipTo.country === 'US' && currency === 'USD'
    ? { state: shipTo.state, tax: kind === 'refund' ? negate(salesTax) : salesTax }
    : {};

/**
 * Whether a line of a record can be lost unseen: each row is a line with its own tax, and no total of the order says how
 * many there are.
 */
export const mayBeApart = ({ shape, map }: SalesProfile): boolean =>
  (shape.kind === 'line-repeat' || shape.kind === 'jurisdiction') &&
  map.total === undefined &&
  addsUpRows(map.salesTax);

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
