import { join } from 'node:path';
import { type Json, packJson, unpackJson } from '../../kernel/json.ts';
import { type DetailLine, detailLineOf } from '../reconcile/detail-row.ts';
import { orderKeyOf } from '../reconcile/refund-link.ts';
import { entryProblem } from './check-entry.ts';
import { type Entry, readEntry, rowOf } from './entry.ts';
import { keyCollector, keyedOf } from './keys.ts';
import { readLines, readLog } from './log-file.ts';
import { logPath } from './logs.ts';
import type { Derivation } from './manifest.ts';
import { type SumsSettings, sumsOf } from './sums.ts';

/** Yields the entries of a folder in the order of Detail. */
export async function* readEntries(folder: string, derivation: Derivation): AsyncGenerator<Entry> {
  for await (const line of readLog(join(folder, logPath('entries')))) yield readEntry(line, derivation);
}

/** Yields the entries of orders and of their refunds. Other lines are not parsed. */
export async function* entriesOfOrders(
  folder: string,
  derivation: Derivation,
  orders: ReadonlySet<string>,
): AsyncGenerator<Entry> {
  if (orders.size === 0) return;
  for await (const line of readLines(join(folder, logPath('entries')))) {
    const [, key = ''] = KEY.exec(line) ?? [];
    const isOrder = orders.has(key);
    if (!isOrder && !key.includes('/refund/')) continue;
    const entry = readEntry(JSON.parse(line), derivation);
    const { channel, reference } = entry.sale;
    if (isOrder || orders.has(orderKeyOf({ channel, order: reference ?? '' }))) yield entry;
  }
}

/** The key of the sale at the begin of a line. */
const KEY = /^\{"sale":\{"key":"([^"\\]*)"/;

/** The settings for checking and summing lines of entries, as plain data. */
export type LinesSettings = SumsSettings & {
  readonly derivation: Derivation;
  /** The records of no sale, by provider, kind and id. */
  readonly strays: ReadonlySet<string>;
};

/** The sums of lines of entries, their rows of Detail in one line of text, and their keys, or the problem of the first that fails its checks. */
export type LinesSums = ReturnType<typeof sumsOfLines>;

export const sumsOfLines = (lines: readonly string[], { derivation, strays, ...settings }: LinesSettings) => {
  const entries = lines.map((line) => readEntry(JSON.parse(line), derivation));
  for (const entry of entries) {
    const problem = entryProblem(entry, derivation, strays);
    if (problem !== undefined) return `${entry.sale.key}: ${problem}`;
  }
  const detail = packJson(entries.map((entry) => detailLineOf(rowOf(entry))) as Json);
  const keys = keyCollector();
  for (const entry of entries) keys.add(keyedOf(entry));
  return { sums: sumsOf(entries, settings), detail, keys: keys.bytes() };
};

/** Yields the rows of Detail that were stored in a file, in the order of the log, one page per part. */
export async function* detailPages(path: string): AsyncGenerator<readonly DetailLine[]> {
  for await (const line of readLines(path)) yield unpackJson<DetailLine[]>(line);
}

/** Counts the lines of the log of entries, and returns the keys of the orders that its refunds belong to. */
export const refundedIn = async (folder: string): Promise<ReadonlySet<string>> => {
  const orders = new Set<string>();
  for await (const line of readLines(join(folder, logPath('entries')))) {
    if (!line.includes('/refund/')) continue;
    const { channel, reference } = (JSON.parse(line) as Entry).sale;
    orders.add(orderKeyOf({ channel, order: reference ?? '' }));
  }
  return orders;
};
