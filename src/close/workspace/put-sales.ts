import type { Sale } from '../sales/sale.ts';
import { isWithin } from './sale-page.ts';
import { headsOfDay, salesOfPage } from './sale-pages.ts';
import type { SaleRow } from './tables.ts';
import type { Workspace, WorkspaceQueries } from './workspace.ts';

/** Keys in one statement. */
const KEYS_AT_ONCE = 1_000;

/** A row of the index of sales, and the sale itself as JSON, which goes into the page of its day. */
export type SaleWithText = { readonly row: SaleRow; readonly text: string };

/** Put sales into the workspace, in the place of what was known by their keys. A key must not be repeated. */
export const putSales = async (
  workspace: Workspace,
  sales: readonly SaleWithText[],
  tables: WorkspaceQueries,
): Promise<void> => {
  if (sales.length === 0) return;
  const { entity, upsert } = workspace;
  const known = await daysOf(
    workspace,
    sales.map(({ row }) => row.key),
    tables,
  );
  const moved = sales.flatMap(({ row: { key, business_date } }) => {
    const day = known.get(key);
    return day === undefined || day === business_date ? [] : [{ entity, day, key, body: '' }];
  });
  const changes = sales.map(({ row: { key, business_date: day }, text: body }) => ({
    entity,
    day,
    key,
    body,
  }));
  await upsert(
    'sale',
    sales.map(({ row }) => row),
    tables,
  );
  await upsert('sale_change', [...moved, ...changes], tables);
};

/** Take sales out of the workspace. */
export const removeSales = async (
  workspace: Workspace,
  keys: readonly string[],
  tables: WorkspaceQueries,
): Promise<void> => {
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE)
    await removeAtOnce(workspace, keys.slice(from, from + KEYS_AT_ONCE), tables);
};

const removeAtOnce = async (
  workspace: Workspace,
  keys: readonly string[],
  tables: WorkspaceQueries,
): Promise<void> => {
  const { entity, upsert } = workspace;
  const days = await daysOf(workspace, keys, tables);
  await upsert(
    'sale_change',
    [...days].map(([key, day]) => ({ entity, day, key, body: '' })),
    tables,
  );
  await tables.deleteFrom('sale').where('entity', '=', entity).where('key', 'in', keys).execute();
};

const daysOf = async (
  { entity }: Workspace,
  keys: readonly string[],
  tables: WorkspaceQueries,
): Promise<ReadonlyMap<string, string>> => {
  const rows = await tables
    .selectFrom('sale')
    // With a column that the index of days lacks: SQLite would walk through all of that instead of looking up the keys.
    .select(['key', 'business_date', 'digest'])
    .where('entity', '=', entity)
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map(({ key, business_date }) => [key, business_date]));
};

/** The sales with these keys as the exports state them; those that the workspace does not know are left out. */
export const salesByKey = async (
  workspace: Workspace,
  keys: readonly string[],
  tables: WorkspaceQueries = workspace.tables,
): Promise<ReadonlyMap<string, Sale>> => {
  const found = new Map<string, Sale>();
  const unread = new Map<string, Set<string>>();
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const some = keys.slice(from, from + KEYS_AT_ONCE);
    const changed = await changedSales(workspace, some, tables);
    for (const [key, day] of await daysOf(workspace, some, tables)) {
      // What changed since its page was written stands beside it.
      const sale = changed.get(`${day} ${key}`);
      if (sale) found.set(key, sale);
      else unread.set(day, (unread.get(day) ?? new Set()).add(key));
    }
  }
  await addUnread({ ...workspace, tables }, unread, found);
  return found;
};

/** The sales among these that changed since the pages were written, by day and key. */
const changedSales = async (
  { entity }: Workspace,
  keys: readonly string[],
  tables: WorkspaceQueries,
): Promise<ReadonlyMap<string, Sale>> => {
  const rows = await tables
    .selectFrom('sale_change')
    .select(['day', 'key', 'body'])
    .where('entity', '=', entity)
    .where('key', 'in', keys)
    .where('body', '<>', '')
    .execute();
  return new Map(rows.map(({ day, key, body }) => [`${day} ${key}`, JSON.parse(body) as Sale]));
};

/** Read the sales of these days with these keys from their pages, each page once. */
const addUnread = async (
  within: Workspace,
  unread: ReadonlyMap<string, Set<string>>,
  found: Map<string, Sale>,
): Promise<void> => {
  for (const [day, wanted] of unread) {
    for (const head of await headsOfDay(within, day)) {
      if (![...wanted].some((key) => isWithin(head, key))) continue;
      for (const { key, sale } of await salesOfPage(within, head))
        if (wanted.delete(key)) found.set(key, sale);
    }
  }
};
