import { createHash } from 'node:crypto';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { digestOf } from '../../kernel/digest.ts';
import type { Sale } from '../sales/sale.ts';
import { compareKeys } from './sale-key.ts';

/** A sale as the workspace stores it, with the digest of its content. */
export type StoredSale = {
  readonly sale: Sale;
  readonly digest: string;
  readonly posting: string;
  /** Only for a filed sale: its reconciled figures as JSON, `null` when it was not posted. It never changes. */
  readonly filed?: { readonly figures: string | null };
  /** Only for a sale that is late for a locked period. */
  readonly late?: LateNote;
  /** The day on which it counts, when that is not its own. */
  readonly filedOn?: string;
};

export type LateNote = {
  /** The locked period that it belongs to by its date. */
  readonly source: string;
  /** The key of the late record, which may be its own. */
  readonly corrects: string;
  /** Only for the reversal of a filed record: the figures of that record as JSON. */
  readonly reversedFigures: string | null;
  /** Whether it is filed with an amended version of that period; otherwise it is carried into a later one. */
  readonly isAmended: boolean;
};

/**
 * A page of sales. Stages store their results for it under its slot. The slot of open sales is the day and the range of
 * their keys; the slot of late and filed sales is the place where they are filed and the last key.
 */
export type SalesPage<Stored extends StoredSale = StoredSale> = {
  readonly slot: string;
  readonly sales: readonly Stored[];
  /** Digests of the content of its sales, and of their places in the exports, when no sale has to be read for them. */
  readonly content?: string | undefined;
  readonly places?: string | undefined;
};

/** Returns a page whose sales are decoded on first access. */
export const lazyPage = <Stored extends StoredSale>(
  { slot, content, places }: Pick<SalesPage, 'slot' | 'content' | 'places'>,
  decode: () => readonly Stored[],
): SalesPage<Stored> => {
  let sales: readonly Stored[] | undefined;
  return {
    slot,
    content,
    places,
    get sales() {
      sales ??= decode();
      return sales;
    },
  };
};

/** Open sales of one day with keys after `after` and up to `last`; an empty bound means no limit. */
export type OpenSlot = { readonly day: CalendarDate; readonly after: string; readonly last: string };

export const slotOf = ({ day, after, last }: OpenSlot): string => JSON.stringify([day, after, last]);

/** Returns the slot of sales that do not belong to a page of open days: `late`, `filed` or `undecided` ones. */
export const slotOfKind = (kind: 'late' | 'filed' | 'undecided', where: string, last: string): string =>
  JSON.stringify([kind, where, last]);

/** Returns how the slots of a day, or of such a kind, begin. */
export const beginningOf = (...first: readonly string[]): string => JSON.stringify(first).slice(0, -1);

/** Returns the parts of an open slot; `undefined` for other slots. */
export const openSlotOf = (slot: string): OpenSlot | undefined => {
  const [day = '', after = '', last = ''] = JSON.parse(slot) as string[];
  return /^\d/.test(day) ? { day: day as CalendarDate, after, last } : undefined;
};

/** Whether two open slots of a day can have the same keys. */
export const overlaps = (one: string, other: string): boolean => {
  const [left, right] = [openSlotOf(one), openSlotOf(other)];
  return left !== undefined && right !== undefined && beginsBefore(left, right) && beginsBefore(right, left);
};

const beginsBefore = ({ after }: OpenSlot, { last }: OpenSlot): boolean =>
  last === '' || isBehind(last, after);

/** Whether the key of a sale of the day is in the range of a page. */
export const isWithin = ({ after, last }: Pick<OpenSlot, 'after' | 'last'>, key: string): boolean =>
  isBehind(key, after) && (last === '' || !isBehind(key, last));

const isBehind = (key: string, other: string): boolean => compareKeys(key, other) > 0;

/**
 * One key in 256 ends a page, chosen by its hash, so that an added sale changes one page and none after it. With the
 * results of the stages, the sales of a page take about a hundred kilobytes compressed.
 */
export const SALES_OF_PAGE = 256;

/** Whether a page ends after this key. It depends on the key alone. */
export const endsPage = (key: string): boolean => {
  let hash = 2_166_136_261;
  for (let index = 0; index < key.length; index += 1)
    hash = Math.imul(hash ^ key.charCodeAt(index), 16_777_619);
  return ((hash ^ (hash >>> 15)) & (SALES_OF_PAGE - 1)) === 0;
};

/** Returns a digest of everything that is known about the sales of a page. */
export const digestOfPage = (
  page: SalesPage<StoredSale & { readonly exemption?: object | undefined }>,
): string => {
  if (page.content !== undefined) return page.content;
  const hash = createHash('sha256');
  for (const { sale, digest, posting, late, filed, exemption } of page.sales)
    hash.update(
      `${JSON.stringify([sale.key, digest, posting, late ?? null, filed ?? null, exemption ?? null])}\n`,
    );
  return hash.digest('hex');
};

/** Returns a digest of the places of a page's sales in the exports. */
export const placesOfPage = (page: SalesPage): string =>
  page.places ?? digestOf(page.sales.map(({ sale }) => [{ ...sale.origin }, sale.rows]));
