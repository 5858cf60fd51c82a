import type { Database } from '../../database/database.ts';
import { type StatedSale, salesOfLines } from './sale-changes.ts';
import { bodyOfPage, headsOfDays, type SalePageHead, textIn } from './sale-page-rows.ts';
import type { Workspace } from './workspace.ts';
import { writeSalePages } from './write-sale-pages.ts';

/** Returns the heads of the pages of these days, in order. Before that, writes the pages of days with changes. */
export const salePageHeads = async (
  workspace: Workspace,
  days: Parameters<typeof headsOfDays>[1],
): Promise<readonly SalePageHead[]> => {
  await writeSalePages(workspace);
  return headsOfDays(workspace, days);
};

/**
 * Reads a page and returns a function that decodes its sales. A page that has not changed is often not decoded at all.
 *
 * @param isKept whether the decoded sales stay in memory for the next reader, as for a small month, which every stage
 * reads
 * @param states when given, sales to other states may be left out; they are for a page that is not kept in memory
 */
export const readSalePage = async (
  workspace: Workspace,
  head: SalePageHead,
  isKept = false,
  states?: readonly string[],
): Promise<() => readonly StatedSale[]> => {
  const kept = decoded.get(workspace.database) ?? new Map<string, readonly StatedSale[]>();
  decoded.set(workspace.database, kept);
  const known = kept.get(head.checksum);
  if (known) return () => known;
  const body = await bodyOfPage(workspace, head);
  return () => {
    const text = textIn(workspace, head, body).trimEnd();
    if (!isKept) return salesOfLines(states ? linesOfStates(text, states) : text);
    const sales = salesOfLines(text);
    // The cache is full of pages of another month.
    if (kept.size === DECODED_PAGES) kept.clear();
    kept.set(head.checksum, sales);
    return sales;
  };
};

/** Returns the lines that name one of these states: a search takes a tenth of the time of decoding. */
const linesOfStates = (text: string, states: readonly string[]): string => {
  const named = new RegExp(`"(?:${states.join('|')})"`);
  return text
    .split('\n')
    .filter((line) => named.test(line))
    .join('\n');
};

/** The most pages that stay decoded in memory, because stages read them repeatedly: about 12,000 sales. */
export const DECODED_PAGES = 48;

/** Decoded pages by checksum. */
const decoded = new WeakMap<Database, Map<string, readonly StatedSale[]>>();
