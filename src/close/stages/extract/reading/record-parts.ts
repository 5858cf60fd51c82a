import type { ReadRecord } from '../../../sales/read-sale.ts';
import type { Sale } from '../../../sales/sale.ts';
import { type KnownSale, numberedSales } from '../../../workspace/load-sales.ts';
import type { ChannelLoad } from './channel-load.ts';
import type { EarlierInstants } from './reading-zones.ts';

/** Returns the sale that a record was read as; `undefined` when it was set aside. */
export const saleOfRecord = (record: ReadRecord): Sale | undefined => {
  if ('order' in record) return record.order;
  return 'refund' in record ? record.refund : undefined;
};

/** `112-S2` is the second shipment of order 112, `112-refund-2` its second refund. */
const partMark = ({ kind }: Pick<Sale, 'kind'>): string => (kind === 'order' ? '-S' : '-');

/** Returns the further parts of records of which the workspace knows one, found by the prefix of their keys. */
export const otherShipments = async (
  { workspace }: ChannelLoad,
  sales: readonly Sale[],
): Promise<readonly KnownSale[]> => {
  const found: KnownSale[] = [];
  for (const sale of sales) found.push(...(await numberedSales(workspace, `${sale.key}${partMark(sale)}`)));
  return found;
};

/** How the parts of a record are recognised. */
export type KnownAgain = {
  readonly number: number;
  /** The instants that it had when it was read in other time zones. */
  readonly earlierInstants: EarlierInstants;
};

type KnownPart = Pick<KnownSale, 'key' | 'instant' | 'load'>;

/**
 * Returns a sale under the id of its part. An order that ships twice, or is refunded twice, has one id in its source.
 * Each part keeps the number with which it was first found. It is recognised by its instant, or by the instant it had
 * when an earlier load read it in another time zone.
 */
export const asShipment = (
  sale: Sale,
  known: Iterable<KnownPart>,
  { number, earlierInstants }: KnownAgain,
): Sale => {
  const mark = partMark(sale);
  const parts = [...known].filter(({ key }) => key === sale.key || key.startsWith(`${sale.key}${mark}`));
  if (parts.length === 0) return sale;
  const earlier: readonly number[] = earlierInstants(sale.instant);
  const same =
    parts.find(({ instant }) => instant === sale.instant) ??
    parts.find((part) => part.load !== number && earlier.includes(part.instant));
  if (same) return withKey(sale, same.key);
  const numbers = parts.map(({ key }) =>
    key === sale.key ? 1 : Number(key.slice(sale.key.length + mark.length)),
  );
  return withKey(sale, `${sale.key}${mark}${Math.max(...numbers) + 1}`);
};

const withKey = (sale: Sale, key: string): Sale => ({
  ...sale,
  key,
  id: `${sale.id}${key.slice(sale.key.length)}`,
});
