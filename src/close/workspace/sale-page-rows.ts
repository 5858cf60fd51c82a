import type { CalendarDate } from '../../kernel/calendar.ts';
import { pageText } from './page-bytes.ts';
import type { OpenSlot } from './sale-page.ts';
import type { SalePageRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** The head of a page of stated sales, without the sales. */
export type SalePageHead = OpenSlot & Pick<SalePageRow, 'checksum' | 'content' | 'rows'>;

const HEAD = ['day', 'after', 'last', 'checksum', 'content', 'rows'] as const;

/** Returns the heads of the pages of these days as they were last written, in order. */
export const headsOfDays = async (
  workspace: Workspace,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<readonly SalePageHead[]> => {
  const rows = await workspace.tables
    .selectFrom('sale_page')
    .select(HEAD)
    .where('entity', '=', workspace.entity)
    .where('day', '>=', first)
    .where('day', '<=', last)
    .orderBy('day')
    .orderBy('after')
    .execute();
  return rows.map(headOf);
};

export const headsOfDay = (workspace: Workspace, day: string): Promise<readonly SalePageHead[]> =>
  headsOfDays(workspace, { first: day, last: day });

/** Returns the head of the page in a slot; `undefined` when it does not exist any more. */
export const salePageAt = async (
  workspace: Workspace,
  { day, after }: Pick<OpenSlot, 'day' | 'after'>,
): Promise<SalePageHead | undefined> => {
  const row = await workspace.tables
    .selectFrom('sale_page')
    .select(HEAD)
    .where('entity', '=', workspace.entity)
    .where('day', '=', day)
    .where('after', '=', after)
    .executeTakeFirst();
  return row && headOf(row);
};

const headOf = ({ day, ...row }: Pick<SalePageRow, (typeof HEAD)[number]>): SalePageHead => ({
  ...row,
  day: day as CalendarDate,
});

/** Returns the text of a page, with a line for each sale: its key, the digest of its content, and the sale. */
export const textOfPage = async (workspace: Workspace, page: PagePlace): Promise<string> =>
  textIn(workspace, page, await bodyOfPage(workspace, page));

type PagePlace = Pick<SalePageHead, 'day' | 'after'>;

export const bodyOfPage = async (
  { tables, entity }: Workspace,
  { day, after }: PagePlace,
): Promise<Uint8Array> => {
  const { body } = await tables
    .selectFrom('sale_page')
    .select('body')
    .where('entity', '=', entity)
    .where('day', '=', day)
    .where('after', '=', after)
    .executeTakeFirstOrThrow();
  return body;
};

export const textIn = ({ database }: Workspace, { day, after }: PagePlace, body: Uint8Array): string =>
  pageText(
    database,
    body,
    after === '' ? `the first page of sales of ${day}` : `the page of sales of ${day} behind ${after}`,
  );
