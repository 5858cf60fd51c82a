import { pagesBy } from '../../database/pages.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';
import { hasKeyIn, lacksKeyIn, rowsIn } from './queries.ts';
import { betweenChannels, isOf, isZeroLed } from './sale-key.ts';
import type { OpenSlot } from './sale-page.ts';
import type { SaleRow } from './tables.ts';
import { BATCH_ROWS, type Workspace } from './workspace.ts';

/** Which sales the exports have, and on which days, without their content. */

type Days = Pick<FilingPeriod, 'first' | 'last'>;

/** Keys in one read. They are short. */
const KEYS_AT_ONCE = 5_000;

/** Selects index rows of the sales that the exports date on these days, optionally of one channel. */
export const salesOfDays = (workspace: Workspace, { first, last }: Days, channel?: string) =>
  rowsIn(workspace, 'sale')
    .where('business_date', '>=', first)
    .where('business_date', '<=', last)
    .$if(channel !== undefined, (query) => query.where(isOf(channel ?? '')));

/** Returns the refunds of these days that name their order, with the order's id. */
export const refundsOfDays = (
  workspace: Workspace,
  days: Days,
): Promise<readonly Pick<SaleRow, 'key' | 'reference'>[]> =>
  salesOfDays(workspace, days).select(['key', 'reference']).where('reference', '<>', '').execute();

/** Whether the exports date any sale on these days. */
export const hasSales = async (workspace: Workspace, days: Days): Promise<boolean> =>
  hasAny(salesOfDays(workspace, days));

const hasAny = async (query: ReturnType<typeof salesOfDays>): Promise<boolean> =>
  (await query.select('key').limit(1).executeTakeFirst()) !== undefined;

/** Returns how many sales the exports date on a day. */
export const countSalesOf = (workspace: Workspace, day: CalendarDate): Promise<number> =>
  counted(salesOfDays(workspace, { first: day, last: day }));

const counted = async (query: ReturnType<typeof salesOfDays>): Promise<number> => {
  const { sales } = await query
    .select(({ fn }) => fn.countAll<number>().as('sales'))
    .executeTakeFirstOrThrow();
  return Number(sales);
};

/** Returns the day of a channel's last order from `first` until the day before `before`. */
export const lastSoldBetween = async (
  workspace: Workspace,
  channel: string,
  { first, before }: { readonly first: CalendarDate; readonly before: CalendarDate },
): Promise<CalendarDate | undefined> => {
  const found = await rowsIn(workspace, 'sale')
    .select('business_date as day')
    .where(isOf(channel, 'order'))
    .where('business_date', '>=', first)
    .where('business_date', '<', before)
    .orderBy('business_date', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.day as CalendarDate | undefined;
};

/** Returns a sale that does not belong to any of these channels. */
export const strayAmong = (workspace: Workspace, channels: readonly string[]) =>
  rowsIn(workspace, 'sale')
    .select('key')
    .where(({ or }) => or(betweenChannels(channels)))
    .limit(1)
    .executeTakeFirst();

/** Returns how many sales of a channel the exports have. */
export const countOfChannel = (workspace: Workspace, channel: string): Promise<number> =>
  counted(rowsIn(workspace, 'sale').where(isOf(channel)));

/**
 * Returns the days of those of these sales that the exports have, and whether they are posted. It does not filter by
 * day, because SQLite would then scan all sales of the days instead of looking up the keys.
 */
export const datedAmong = (
  workspace: Workspace,
  keys: readonly string[],
): Promise<readonly Pick<SaleRow, 'key' | 'business_date' | 'posting'>[]> =>
  rowsIn(workspace, 'sale').select(['key', 'business_date', 'posting']).where('key', 'in', keys).execute();

/** Selects the sales that count as the exports have them now. `hasLocks` says whether some may be filed or carried. */
const openSales = (workspace: Workspace, hasLocks: boolean) =>
  rowsIn(workspace, 'sale')
    // A filed or carried sale counts only where it is filed or carried to, whatever day the exports now give it.
    .$if(hasLocks, (query) =>
      query.where(({ not, or }) =>
        not(or([hasKeyIn('sale', 'filed_sale'), hasKeyIn('sale', 'carried_sale')])),
      ),
    );

/** Returns those of these sales that are neither filed nor carried. */
export const openAmong = async (
  workspace: Workspace,
  keys: readonly string[],
  hasLocks: boolean,
): Promise<ReadonlySet<string>> => {
  const rows = await openSales(workspace, hasLocks).select('key').where('key', 'in', keys).execute();
  return new Set(rows.map(({ key }) => key));
};

/** Returns the keys of the posted open sales of a page, in order. */
export const postedIn = async (
  workspace: Workspace,
  { day, after, last }: OpenSlot,
  hasLocks: boolean,
): Promise<readonly string[]> => {
  const rows = await openSales(workspace, hasLocks)
    .select('key')
    .where('posting', '=', 'posted')
    // PostgreSQL needs both bounds of the key within its day. Written as two comparisons, they would make SQLite use
    // the index of keys and scan the sales of all other days as well.
    .where('business_date', '=', day)
    .$if(last === '', (query) => query.where('key', '>', after))
    .$if(last !== '', (query) =>
      query.where(({ between }) => between('key', after, last)).where('key', '<>', after),
    )
    .orderBy('key')
    .execute();
  return rows.map(({ key }) => key);
};

/** Yields the keys of the posted open orders of these days and this channel whose number begins with a zero. */
export const zeroLedKeys = (
  workspace: Workspace,
  { first, last }: Days,
  hasLocks: boolean,
  channel: string,
): AsyncGenerator<readonly Pick<SaleRow, 'business_date' | 'key'>[]> =>
  pagesBy(
    openSales(workspace, hasLocks)
      .select(['business_date', 'key'])
      .where('posting', '=', 'posted')
      .where(isZeroLed(channel, 'order'))
      .where('business_date', '<=', last),
    ['business_date', 'key'],
    KEYS_AT_ONCE,
    first,
  );

type DatedKey = Pick<SaleRow, 'business_date' | 'key' | 'instant'>;

/** Yields the posted open sales of these days, channels and kind, by day and key. */
export const openKeys = (
  workspace: Workspace,
  { first, last }: Days,
  hasLocks: boolean,
  of: { readonly channels: readonly string[]; readonly kind: Sale['kind'] },
): AsyncGenerator<readonly DatedKey[]> =>
  pagesBy(
    openSales(workspace, hasLocks)
      .select(['business_date', 'key', 'instant'])
      .where('posting', '=', 'posted')
      .where(({ or }) => or(of.channels.map((name) => isOf(name, of.kind))))
      .where('business_date', '<=', last),
    ['business_date', 'key'],
    KEYS_AT_ONCE,
    first,
  );

/** A sale that may be late, with the digest of what the exports state now; `null` when it is not a sale any more. */
export type Candidate = { readonly key: string; readonly digest: string | null };

/** Yields sales dated in a locked period that are not filed. */
export const unfiledOf = (workspace: Workspace, days: Days): AsyncGenerator<readonly Candidate[]> =>
  pagesBy(
    salesOfDays(workspace, days).select(['key', 'digest']).where(lacksKeyIn('sale', 'filed_sale')),
    ['key'],
    BATCH_ROWS,
  );

/**
 * Yields records filed under these labels that the exports now state differently, or that are not sales any more. Skips
 * corrections.
 */
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
      .where(({ or, eb }) => {
        const isGone = eb('sale.key', 'is', null);
        return or([isGone, eb('sale.digest', '<>', eb.ref('filed_sale.digest'))]);
      }),
    // Ordered like the pages that contain their texts.
    ['filed_sale.filed_on', 'filed_sale.key'],
    BATCH_ROWS,
  );

/** Yields records that carried records correct, filed or not, because the exports may again state what is filed. */
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
