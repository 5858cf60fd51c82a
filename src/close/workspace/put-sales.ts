import { batchesOf } from '../../runtime/batches.ts';
import type { Sale } from '../sales/sale.ts';
import { deleteIn, rowsIn } from './queries.ts';
import {
  addChanges,
  changesOf,
  lineOfLeft,
  lineOfSale,
  linesOfChange,
  maySay,
  type SaleLine,
  salesOfLines,
} from './sale-changes.ts';
import { isWithin } from './sale-page.ts';
import { headsOfDay } from './sale-page-rows.ts';
import { salesOfPage } from './sale-pages.ts';
import type { SaleRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** Keys in one statement. */
const KEYS_AT_ONCE = 1_000;

/** A row of the index of sales, and the text of the sale itself, which goes into the page of its day. */
export type SaleWithText = { readonly row: SaleRow; readonly text: string };

/** The days of the sales that the workspace has, by key. */
type KnownDays = ReadonlyMap<string, Pick<SaleRow, 'business_date'>>;

/**
 * Store sales, replacing those with the same keys. A key must not be repeated.
 *
 * @param known what the workspace has for these keys, if the caller has read it already
 */
export const putSales = async (
  workspace: Workspace,
  sales: readonly SaleWithText[],
  known?: KnownDays,
): Promise<void> => {
  if (sales.length === 0) return;
  const rows = sales.map(({ row }) => row);
  const keys = rows.map(({ key }) => key);
  const before = known ?? (await daysOf(workspace, keys));
  const changed = new Map<string, SaleLine[]>();
  for (const { row, text } of sales) {
    const { key, digest, business_date: day } = row;
    const earlier = before.get(key)?.business_date ?? day;
    if (earlier !== day) addTo(changed, earlier, lineOfLeft(key));
    addTo(changed, day, lineOfSale(key, digest, text));
  }
  await workspace.upsert('sale', rows);
  await addChanges(workspace, changed);
};

const addTo = (changed: Map<string, SaleLine[]>, day: string, line: SaleLine): void => {
  const lines = changed.get(day);
  if (lines) lines.push(line);
  else changed.set(day, [line]);
};

/** Remove sales from the workspace. */
export const removeSales = async (workspace: Workspace, keys: readonly string[]): Promise<void> => {
  for (const some of batchesOf(keys, KEYS_AT_ONCE)) {
    const changed = new Map<string, SaleLine[]>();
    for (const [key, { business_date: day }] of await daysOf(workspace, some))
      addTo(changed, day, lineOfLeft(key));
    await addChanges(workspace, changed);
    await deleteIn(workspace, 'sale').where('key', 'in', some).execute();
  }
};

const daysOf = async (workspace: Workspace, keys: readonly string[]): Promise<KnownDays> => {
  const rows = await rowsIn(workspace, 'sale')
    // `digest` is selected because the index of days lacks it. Otherwise SQLite would scan that whole index instead of
    // looking up the keys.
    .select(['key', 'business_date', 'digest'])
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
};

/** Returns the sales with these keys as the exports state them; unknown keys are left out. */
export const salesByKey = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Sale>> => {
  const unread = new Map<string, Set<string>>();
  for (const some of batchesOf(keys, KEYS_AT_ONCE))
    for (const [key, { business_date: day }] of await daysOf(workspace, some))
      unread.set(day, (unread.get(day) ?? new Set()).add(key));
  const found = new Map<string, Sale>();
  await addChanged(workspace, unread, found);
  await addUnread(workspace, unread, found);
  return found;
};

/** Reads the sales that changed since the pages of these days were written. */
const addChanged = async (
  within: Workspace,
  unread: ReadonlyMap<string, Set<string>>,
  found: Map<string, Sale>,
): Promise<void> => {
  if (unread.size === 0) return;
  const changes = await changesOf(within, [...unread.keys()]);
  // The last change of a sale applies.
  for (const change of changes.toReversed()) {
    const wanted = unread.get(change.day) as Set<string>;
    if (![...wanted].some((key) => maySay(change, key))) continue;
    for (const { key, text } of await linesOfChange(within, change))
      if (wanted.delete(key)) for (const { sale } of salesOfLines(text)) found.set(key, sale);
  }
};

/** Reads the sales with these keys from the pages of their days, each page once. */
const addUnread = async (
  within: Workspace,
  unread: ReadonlyMap<string, Set<string>>,
  found: Map<string, Sale>,
): Promise<void> => {
  for (const [day, wanted] of unread) {
    if (wanted.size === 0) continue;
    for (const head of await headsOfDay(within, day)) {
      if (![...wanted].some((key) => isWithin(head, key))) continue;
      for (const { key, sale } of await salesOfPage(within, head))
        if (wanted.delete(key)) found.set(key, sale);
    }
  }
};
