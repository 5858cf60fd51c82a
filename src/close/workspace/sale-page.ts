import { createHash } from 'node:crypto';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { digestOf } from '../../kernel/digest.ts';
import type { Sale } from '../sales/sale.ts';
import { compareKeys } from './sale-key.ts';

/** A sale as it stands in the workspace, with the digest of its content. */
export type StoredSale = {
  readonly sale: Sale;
  readonly digest: string;
  readonly posting: string;
  /** Of a sale that a lock holds: its reconciled figures as JSON, `null` when it was not posted. Nothing changes it. */
  readonly filed?: { readonly figures: string | null };
  /** Of a sale that came late for a locked period. */
  readonly late?: LateNote;
  /** The day with which it counts, where that is not its own. */
  readonly filedOn?: string;
};

export type LateNote = {
  /** The locked period that it belongs to by its date. */
  readonly source: string;
  /** The record it stands for, or corrects, by its key. */
  readonly corrects: string;
  /** Of a record that takes back a filed one: the figures of that one as JSON. */
  readonly reversedFigures: string | null;
};

/** Whether a correction takes a filed record back: a refund does so with an order, and an order with a refund. */
export const takesRecordBack = (
  { channel, kind }: Pick<Sale, 'channel' | 'kind'>,
  corrects: string,
): boolean => !corrects.startsWith(`${channel}/${kind}/`);

/**
 * A page of sales. What stages find about them is kept under its slot: of open sales the day and the keys between which they
 * lie, of sales that came late or are filed where they are filed and the key of the last one.
 */
export type SalesPage<Stored extends StoredSale = StoredSale> = {
  readonly slot: string;
  readonly sales: readonly Stored[];
  /** Digests of everything that is known of its sales, and of where they stand in the exports, where none has to be read for it. */
  readonly content?: string | undefined;
  readonly places?: string | undefined;
};

/** A page whose sales are decoded when they are asked for. */
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

/** Open sales of one day whose keys are behind `after` and not behind `last`; empty limits are none. */
export type OpenSlot = { readonly day: CalendarDate; readonly after: string; readonly last: string };

export const slotOf = ({ day, after, last }: OpenSlot): string => JSON.stringify([day, after, last]);

/** The slot of sales that no export places: `late` ones, `filed` ones, and `undecided` ones. */
export const slotOfKind = (kind: 'late' | 'filed' | 'undecided', where: string, last: string): string =>
  JSON.stringify([kind, where, last]);

/** How the slots of a day, or of such a kind, begin. */
export const beginningOf = (...first: readonly string[]): string => JSON.stringify(first).slice(0, -1);

/** What an open slot is about; `undefined` for another one. */
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

/** Whether a sale of the day with this key lies in a page. */
export const isWithin = ({ after, last }: Pick<OpenSlot, 'after' | 'last'>, key: string): boolean =>
  isBehind(key, after) && (last === '' || !isBehind(key, last));

const isBehind = (key: string, other: string): boolean => compareKeys(key, other) > 0;

/**
 * One key in 256 ends a page, chosen by its hash, so that a sale that is put in changes one page and none behind it. With what
 * stages find about them, the sales of a page take about a hundred kilobytes compressed.
 */
export const SALES_OF_PAGE = 256;

/** Whether a page ends behind this key. It depends on the key alone. */
export const endsPage = (key: string): boolean => {
  let hash = 2_166_136_261;
  for (let index = 0; index < key.length; index += 1)
    hash = Math.imul(hash ^ key.charCodeAt(index), 16_777_619);
  return ((hash ^ (hash >>> 15)) & (SALES_OF_PAGE - 1)) === 0;
};

/** Digest of everything that is known of the sales of a page. */
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

/** Digest of where the sales of a page stand in the exports. */
export const placesOfPage = (page: SalesPage): string =>
  page.places ?? digestOf(page.sales.map(({ sale }) => [{ ...sale.origin }, sale.rows]));
