import { pagesBy } from '../../database/pages.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';
import { hasKeyIn, lacksKeyIn, rowsIn } from './queries.ts';
import { isOf } from './sale-key.ts';
import type { OpenSlot } from './sale-page.ts';
import type { SaleRow } from './tables.ts';
import { BATCH_ROWS, type Workspace } from './workspace.ts';

/** Which sales the exports have, and on which days, without what they say. */

type Days = Pick<FilingPeriod, 'first' | 'last'>;

/** Keys in one read: they are short. */
const KEYS_AT_ONCE = 5_000;

/** The index of the sales that the exports date on some days, of one channel where one is named. */
export const salesOfDays = (workspace: Workspace, { first, last }: Days, channel?: string) =>
  rowsIn(workspace, 'sale')
    .where('business_date', '>=', first)
    .where('business_date', '<=', last)
    .$if(channel !== undefined, (query) => query.where(isOf(channel ?? '')));

/** The refunds of some days that name their order, with the id of that. */
export const refundsOfDays = (
  workspace: Workspace,
  days: Days,
): Promise<readonly Pick<SaleRow, 'key' | 'reference'>[]> =>
  salesOfDays(workspace, days).select(['key', 'reference']).where('reference', '<>', '').execute();

/** Whether the exports date any sale on some days. */
export const hasSales = async (...asked: Parameters<typeof salesOfDays>): Promise<boolean> =>
  (await salesOfDays(...asked)
    .select('key')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** How many sales of some days are posted to the service, as the exports have them now. */
export const countPosted = async (workspace: Workspace, days: Days): Promise<number> =>
  counted(salesOfDays(workspace, days).where('posting', '=', 'posted'));

const counted = async (query: ReturnType<typeof salesOfDays>): Promise<number> => {
  const { sales } = await query
    .select(({ fn }) => fn.countAll<number>().as('sales'))
    .executeTakeFirstOrThrow();
  return Number(sales);
};

/** The last day before another one, and not before the first, on which a channel sold. */
export const lastSoldBetween = async (
  workspace: Workspace,
  channel: string,
  { first, before }: { readonly first: CalendarDate; readonly before: CalendarDate },
): Promise<CalendarDate | undefined> => {
  const found = await rowsIn(workspace, 'sale')
    .select('business_date as day')
    .where(isOf(channel))
    .where('business_date', '>=', first)
    .where('business_date', '<', before)
    .orderBy('business_date', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.day as CalendarDate | undefined;
};

/** The first sale, by its key, that is of none of these channels. */
export const strayAmong = (workspace: Workspace, channels: readonly string[]) =>
  rowsIn(workspace, 'sale')
    .select('key')
    .where(({ not, or }) => not(or(channels.map((name) => isOf(name)))))
    .orderBy('key')
    .limit(1)
    .executeTakeFirst();

/** How many sales of a channel the exports have. */
export const countOfChannel = (workspace: Workspace, channel: string): Promise<number> =>
  counted(rowsIn(workspace, 'sale').where(isOf(channel)));

/**
 * The days of those of these sales that the exports have, and whether they are posted. The days are not asked of the
 * database: SQLite would walk through all of them instead of looking up the keys.
 */
export const datedAmong = (
  workspace: Workspace,
  keys: readonly string[],
): Promise<readonly Pick<SaleRow, 'key' | 'business_date' | 'posting'>[]> =>
  rowsIn(workspace, 'sale').select(['key', 'business_date', 'posting']).where('key', 'in', keys).execute();

/** The sales that count where the exports have them: `hasLocks` where a lock may hold some of them. */
const openSales = (workspace: Workspace, hasLocks: boolean) =>
  rowsIn(workspace, 'sale')
    // What is filed, or carried, counts there and nowhere else, whatever day the exports give it now.
    .$if(hasLocks, (query) =>
      query.where(({ not, or }) =>
        not(or([hasKeyIn('sale', 'filed_sale'), hasKeyIn('sale', 'carried_sale')])),
      ),
    );

/** Those of these sales that no lock holds, and that are carried nowhere. */
export const openAmong = async (
  workspace: Workspace,
  keys: readonly string[],
  hasLocks: boolean,
): Promise<ReadonlySet<string>> => {
  const rows = await openSales(workspace, hasLocks).select('key').where('key', 'in', keys).execute();
  return new Set(rows.map(({ key }) => key));
};

/** The keys of the posted open sales of a page, in their order. */
export const postedIn = async (
  workspace: Workspace,
  { day, after, last }: OpenSlot,
  hasLocks: boolean,
): Promise<readonly string[]> => {
  const rows = await openSales(workspace, hasLocks)
    .select('key')
    .where('posting', '=', 'posted')
    // Both bounds of the key within its day, as PostgreSQL needs it. Written as two comparisons, they would have SQLite
    // take the index of keys, and walk through the sales of all other days as well.
    .where('business_date', '=', day)
    .$if(last === '', (query) => query.where('key', '>', after))
    .$if(last !== '', (query) =>
      query.where(({ between }) => between('key', after, last)).where('key', '<>', after),
    )
    .orderBy('key')
    .execute();
  return rows.map(({ key }) => key);
};

type DatedKey = Pick<SaleRow, 'business_date' | 'key' | 'posting' | 'instant'>;

/** The open sales of some days, by these and their keys; the posted ones of some channels and one kind where asked for. */
export const openKeys = (
  workspace: Workspace,
  { first, last }: Days,
  hasLocks: boolean,
  posted?: { readonly channels: readonly string[]; readonly kind: Sale['kind'] },
): AsyncGenerator<readonly DatedKey[]> =>
  pagesBy(
    openSales(workspace, hasLocks)
      .select(['business_date', 'key', 'posting', 'instant'])
      .$if(posted !== undefined, (query) =>
        query
          .where('posting', '=', 'posted')
          .where(({ or }) => or((posted?.channels ?? []).map((name) => isOf(name, posted?.kind)))),
      )
      .where('business_date', '<=', last),
    ['business_date', 'key'],
    KEYS_AT_ONCE,
    first,
  );

/** The posted sales of some days, channels and instants, wherever they count, by these days and their keys. */
export const postedKeys = (
  workspace: Workspace,
  { first, last }: Days,
  of: {
    readonly channels: readonly string[];
    readonly kind: Sale['kind'];
    readonly start: number;
    readonly end: number;
  },
): AsyncGenerator<readonly Pick<SaleRow, 'business_date' | 'key'>[]> =>
  pagesBy(
    rowsIn(workspace, 'sale')
      .select(['business_date', 'key'])
      .where('posting', '=', 'posted')
      .where('business_date', '<=', last)
      .where(({ or }) => or(of.channels.map((name) => isOf(name, of.kind))))
      .where('instant', '>=', of.start)
      .where('instant', '<', of.end),
    ['business_date', 'key'],
    KEYS_AT_ONCE,
    first,
  );

/** Sales that may be late, with the digest of what the exports say of each now, if it is a sale at all. */
export type Candidate = { readonly key: string; readonly digest: string | null };

/** Sales dated in a locked period that no lock holds. */
export const unfiledOf = (workspace: Workspace, days: Days): AsyncGenerator<readonly Candidate[]> =>
  pagesBy(
    salesOfDays(workspace, days).select(['key', 'digest']).where(lacksKeyIn('sale', 'filed_sale')),
    ['key'],
    BATCH_ROWS,
  );

/** Records of its own that a lock holds, and of which the exports say something else now, or nothing at all. */
export const filedOtherwise = (
  workspace: Workspace,
  labels: readonly string[],
): AsyncGenerator<readonly Candidate[]> =>
  pagesBy(
    rowsIn(workspace, 'filed_sale')
      .leftJoin('sale', (join) =>
        join.onRef('sale.entity', '=', 'filed_sale.entity').onRef('sale.key', '=', 'filed_sale.key'),
      )
      .select(['filed_sale.filed_on', 'filed_sale.key', 'sale.digest'])
      .where('filed_sale.label', 'in', labels)
      .where('filed_sale.posting', '=', 'posted')
      .where('filed_sale.corrects', '=', '')
      .where(({ or, eb }) =>
        or([eb('sale.key', 'is', null), eb('sale.digest', '<>', eb.ref('filed_sale.digest'))]),
      ),
    // The order of the pages in which their texts lie.
    ['filed_sale.filed_on', 'filed_sale.key'],
    BATCH_ROWS,
  );

/** Records of which something was carried, whether that is filed by now or not: the exports may say again what the lock holds. */
export const correctedOf = (workspace: Workspace, source: string): AsyncGenerator<readonly Candidate[]> =>
  pagesBy(
    rowsIn(workspace, 'carried_sale')
      .leftJoin('sale', (join) =>
        join.onRef('sale.entity', '=', 'carried_sale.entity').onRef('sale.key', '=', 'carried_sale.corrects'),
      )
      .distinct()
      .select(['carried_sale.corrects', 'carried_sale.corrects as key', 'sale.digest'])
      .where('carried_sale.source', '=', source),
    ['carried_sale.corrects'],
    BATCH_ROWS,
  );
