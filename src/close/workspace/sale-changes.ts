import { sha256 } from '../../kernel/digest.ts';
import type { Sale } from '../sales/sale.ts';
import { nameOfKey } from '../sales/sale-name.ts';
import { type ContentList, type PositionList, saleOfLists } from '../sales/sale-text.ts';
import { pageText } from './page-bytes.ts';
import { compareKeys } from './sale-key.ts';
import type { OpenSlot } from './sale-page.ts';
import type { SaleChangeRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/**
 * A line of a page: a JSON list of the key of a sale, the digest of its content, its content and its position in the
 * export; for a sale that left the day, the key alone.
 */
export type SaleLine = { readonly key: string; readonly text: string };

/** A sale as the exports state it, with the digest of its content. */
export type StatedSale = { readonly key: string; readonly digest: string; readonly sale: Sale };

/** Returns the sales of these lines, all of which have one. */
export const salesOfLines = (text: string): readonly StatedSale[] => {
  const lines = JSON.parse(`[${text.replaceAll('\n', ',')}]`) as [
    string,
    string,
    ContentList,
    PositionList,
  ][];
  return lines.map(([key, digest, content, position]) => ({
    key,
    digest,
    sale: saleOfLists(nameOfKey(key), content, position),
  }));
};

export const hasLeft = ({ text }: SaleLine): boolean => text.endsWith('"]');

/** Returns the text of the lines of a page or of a change. */
export const textOfLines = (lines: readonly SaleLine[]): string =>
  `${lines.map(({ text }) => text).join('\n')}\n`;

export const linesIn = (text: string): readonly SaleLine[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => ({ key: keyOfLine(line), text: line }));

/** Returns a digest of the content of these sales, wherever they were found. */
export const contentOfLines = (lines: readonly SaleLine[]): string =>
  sha256(lines.map(({ text }) => /^\[(?:"(?:[^"\\]|\\.)*",?){2}/.exec(text)?.[0]).join('\n'));

const keyOfLine = (line: string): string => {
  const plain = line.slice(2, line.indexOf('"', 2));
  if (!plain.includes('\\')) return plain;
  const [quoted = ''] = /^\[("(?:[^"\\]|\\.)*")/.exec(line)?.slice(1) ?? [];
  return JSON.parse(quoted) as string;
};

/** Sales of a day that changed together and are not in a page yet. */
export type SaleChange = Pick<SaleChangeRow, 'day' | 'number' | 'first' | 'last'>;

/** Returns the changes of these days, oldest first. */
export const changesOf = (
  { tables, entity }: Pick<Workspace, 'tables' | 'entity'>,
  days: readonly string[],
): Promise<readonly SaleChange[]> =>
  tables
    .selectFrom('sale_change')
    .select(['day', 'number', 'first', 'last'])
    .where('entity', '=', entity)
    .where('day', 'in', days)
    .orderBy('day')
    .orderBy('number')
    .execute();

/** Whether a change may contain sales with keys after `after` and up to `last`. */
export const maySayWithin = (
  { first, last: end }: SaleChange,
  { after, last }: Pick<OpenSlot, 'after' | 'last'>,
): boolean => compareKeys(end, after) > 0 && (last === '' || compareKeys(first, last) <= 0);

/** Returns the lines of a change. */
export const linesOfChange = async (
  { database, tables, entity }: Workspace,
  { day, number }: SaleChange,
): Promise<readonly SaleLine[]> => {
  const { body } = await tables
    .selectFrom('sale_change')
    .select('body')
    .where('entity', '=', entity)
    .where('day', '=', day)
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  return linesIn(pageText(database, Buffer.from(body, 'base64'), `change ${number} of the sales of ${day}`));
};
