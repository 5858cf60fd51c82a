import type { TableRow } from '../close/sales/files/table-row.ts';
import type { SalesProfile } from '../close/sales/profile.ts';
import { addsUpRows } from '../close/sales/read-amount.ts';
import type { Sale, SetAside } from '../close/sales/sale.ts';
import { sha256 } from '../kernel/json.ts';
import { negate } from '../kernel/money.ts';
import type { KnownPart } from './record-parts.ts';

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
