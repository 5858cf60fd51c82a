import type { SelectQueryBuilder } from 'kysely';
import { afterKey } from '../../database/after-key.ts';
import { pagesOf } from '../../database/pages.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';
import { registerIn } from './certificate-files.ts';
import { filedPages } from './filed-pages.ts';
import { type FilingPlan, filingPlan, isOpenSpan, planOfDay, type Span } from './filing-plan.ts';
import { locksOf } from './locks.ts';
import type { CarriedSaleRow } from './period-tables.ts';
import {
  endsPage,
  type OpenSlot,
  openSlotOf,
  type SalesPage,
  type StoredSale,
  slotBeside,
  slotOf,
} from './sale-page.ts';
import { type SettledSale, settledSale } from './settled-sale.ts';
import type { SaleRow, WorkspaceTables } from './tables.ts';
import { BATCH_ROWS, type Workspace } from './workspace.ts';

/**
 * The sales of a period in pages: what was carried into it, then day by day what lies in it. Days that a lock holds
 * give what was filed with them, whatever the exports say now. It is the order of every listing and workbook.
 * The exemption of each sale is decided here, once for all stages.
 */
export async function* salesOf(
  workspace: Workspace,
  period: FilingPeriod,
  part?: PartOfSales,
): AsyncGenerator<SalesPage<SettledSale>> {
  const register = await registerIn(workspace);
  for await (const { slot, sales } of storedPages(workspace, period, part))
    yield { slot, sales: sales.map((stored) => settledSale(stored, register)) };
}

/** Which pages of a period are wanted: those of one day, or those of these slots. */
export type PartOfSales = { readonly day: CalendarDate } | { readonly slots: readonly string[] };

/** The slots of the sales of a period that may still change, in the order of its pages. */
export async function* slotsOf(workspace: Workspace, period: FilingPeriod): AsyncGenerator<string> {
  const locks = await locksOf(workspace);
  const plan = filingPlan(period, locks);
  if (locks.length > 0) for await (const { slot } of carriedInto(workspace, plan)) yield slot;
  for (const span of plan.spans.filter(isOpenSpan))
    for await (const { slot } of pagesIn(openRows(openKeys(workspace, locks.length > 0), span))) yield slot;
}

/** The keys of the posted sales of the open pages of a period, by slot. */
export const keysBySlot = async (
  workspace: Workspace,
  { first, last }: FilingPeriod,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const hasLocks = (await locksOf(workspace)).length > 0;
  const keys = new Map<string, readonly string[]>();
  for await (const { slot, rows } of pagesIn(openRows(openKeys(workspace, hasLocks), { first, last })))
    keys.set(
      slot,
      rows.flatMap(({ key, posting }) => (posting === 'posted' ? [key] : [])),
    );
  return keys;
};

/** The slot of the page that has an open sale. */
export const slotOfSale = async (
  workspace: Workspace,
  { key, businessDate: day }: Pick<Sale, 'key' | 'businessDate'>,
): Promise<string | undefined> => {
  const hasLocks = (await locksOf(workspace)).length > 0;
  const rows = openRows(openKeys(workspace, hasLocks), { first: day, last: day });
  for await (const { slot, rows: page } of pagesIn(rows))
    if (page.some((row) => row.key === key)) return slot;
  return undefined;
};

/** The same pages with the sales as the exports state them. */
export async function* storedPages(
  workspace: Workspace,
  period: FilingPeriod,
  part?: PartOfSales,
): AsyncGenerator<SalesPage> {
  const locks = await locksOf(workspace);
  const whole = filingPlan(period, locks);
  const hasLocks = locks.length > 0;
  if (part && 'slots' in part) {
    const wanted = new Set(part.slots);
    const beside = hasLocks && part.slots.some((slot) => openSlotOf(slot) === undefined);
    if (beside) for await (const page of carriedInto(workspace, whole)) if (wanted.has(page.slot)) yield page;
    for (const slot of part.slots) {
      const open = openSlotOf(slot);
      if (open) yield await openPage(workspace, open, hasLocks);
    }
    return;
  }
  const plan = part ? planOfDay(whole, part.day) : whole;
  if (hasLocks) yield* carriedInto(workspace, plan);
  for (const span of plan.spans) {
    if (isOpenSpan(span)) yield* openIn(workspace, span, hasLocks);
    else yield* filedIn(workspace, span);
  }
}

/**
 * The posted sales of a period that may still change, in the same order: what the stages work on. No page is empty.
 * With a part it is those of it.
 */
export async function* postedSalesOf(
  workspace: Workspace,
  period: FilingPeriod,
  part?: PartOfSales,
): AsyncGenerator<SalesPage<SettledSale>> {
  for await (const { slot, sales } of salesOf(workspace, period, part)) {
    const posted = sales.filter(({ posting, filed }) => posting === 'posted' && filed === undefined);
    if (posted.length > 0) yield { slot, sales: posted };
  }
}

/** What was carried into open days of the period, or put into the amended version that it is. */
async function* carriedInto(
  workspace: Workspace,
  { spans, amendment }: FilingPlan,
): AsyncGenerator<SalesPage> {
  const days = amendment === undefined ? spans.filter(isOpenSpan) : spans;
  for (const { first, last } of days) {
    const pages = pagesOf<CarriedSaleRow>(BATCH_ROWS, (after, rowsMax) =>
      workspace.tables
        .selectFrom('carried_sale')
        .selectAll()
        .where('entity', '=', workspace.entity)
        .where('amendment', '=', amendment ?? '')
        .$if(after === undefined, (query) => query.where('filed_on', '>=', first))
        .where('filed_on', '<=', last)
        .$if(after !== undefined, (query) =>
          query.where(afterKey({ filed_on: after?.filed_on ?? '', key: after?.key ?? '' })),
        )
        .orderBy('filed_on')
        .orderBy('key')
        .limit(rowsMax)
        .execute(),
    );
    for await (const page of pages) {
      yield {
        slot: slotBeside('late', amendment ?? page[0]?.filed_on ?? '', page.at(-1)?.key ?? ''),
        sales: page.map(({ body, digest, posting, filed_on, source, corrects, takes_back }) => ({
          sale: JSON.parse(body) as Sale,
          digest,
          posting,
          filedOn: filed_on,
          late: { source, corrects, takesBack: takes_back },
        })),
      };
    }
  }
}

const OPEN_SALE_COLUMNS = ['business_date', 'key', 'body', 'digest', 'posting'] as const;
type OpenSaleRow = Pick<SaleRow, (typeof OPEN_SALE_COLUMNS)[number]>;

/** The sales as the exports have them, as far as they count there: `hasLocks` where a lock may hold some of them. */
export const openSales = (workspace: Workspace, hasLocks: boolean) =>
  workspace.tables
    .selectFrom('sale')
    .select(OPEN_SALE_COLUMNS)
    .where('entity', '=', workspace.entity)
    // What is filed, or carried, counts there and nowhere else, whatever day the exports give it now.
    .$if(hasLocks, (query) =>
      query.where(({ not, or, exists, selectFrom }) =>
        not(
          or([
            exists(
              selectFrom('filed_sale')
                .select('filed_sale.key')
                .whereRef('filed_sale.entity', '=', 'sale.entity')
                .whereRef('filed_sale.key', '=', 'sale.key'),
            ),
            exists(
              selectFrom('carried_sale')
                .select('carried_sale.key')
                .whereRef('carried_sale.entity', '=', 'sale.entity')
                .whereRef('carried_sale.key', '=', 'sale.key'),
            ),
          ]),
        ),
      ),
    );

const storedOf = ({ body, digest, posting }: OpenSaleRow): StoredSale => ({
  sale: JSON.parse(body) as Sale,
  digest,
  posting,
});

async function* openIn(workspace: Workspace, span: Span, hasLocks: boolean): AsyncGenerator<SalesPage> {
  for await (const { slot, rows } of pagesIn(openRows(openSales(workspace, hasLocks), span)))
    yield { slot, sales: rows.map(storedOf) };
}

const openPage = async (workspace: Workspace, open: OpenSlot, hasLocks: boolean): Promise<SalesPage> => {
  const { day, after, last } = open;
  const rows = await openSales(workspace, hasLocks)
    .where('business_date', '=', day)
    .where('key', '>', after)
    .$if(last !== '', (query) => query.where('key', '<=', last))
    .orderBy('key')
    .execute();
  return { slot: slotOf(open), sales: rows.map(storedOf) };
};

const openKeys = (workspace: Workspace, hasLocks: boolean) =>
  openSales(workspace, hasLocks).clearSelect().select(['business_date', 'key', 'posting']);

type Keyed = Pick<SaleRow, 'business_date' | 'key'>;

/** Rows cut into pages: each ends with its day, or behind a key that ends pages. */
async function* pagesIn<Row extends Keyed>(
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<{ readonly slot: string; readonly rows: readonly Row[] }> {
  let day = '';
  let after = '';
  let rows: Row[] = [];
  const cut = (last: string) => {
    const page = { slot: slotOf({ day: day as CalendarDate, after, last }), rows };
    after = last;
    rows = [];
    return page;
  };
  for await (const batch of batches) {
    for (const row of batch) {
      if (row.business_date !== day) {
        if (rows.length > 0) yield cut('');
        day = row.business_date;
        after = '';
      }
      rows.push(row);
      if (endsPage(row.key)) yield cut(row.key);
    }
  }
  if (rows.length > 0) yield cut('');
}

const openRows = <Row extends Keyed>(
  sales: SelectQueryBuilder<WorkspaceTables, 'sale', Row>,
  { first, last }: Pick<Span, 'first' | 'last'>,
): AsyncGenerator<readonly Row[]> =>
  pagesOf<Row>(BATCH_ROWS, (after, rowsMax) =>
    sales
      .$if(after === undefined, (query) => query.where('business_date', '>=', first))
      .where('business_date', '<=', last)
      .$if(after !== undefined, (query) =>
        query.where(afterKey({ business_date: after?.business_date ?? '', key: after?.key ?? '' })),
      )
      .orderBy('business_date')
      .orderBy('key')
      .limit(rowsMax)
      .execute(),
  );

async function* filedIn(workspace: Workspace, { first, last, labels }: Span): AsyncGenerator<SalesPage> {
  for await (const page of filedPages(workspace, labels, { first, last })) {
    yield {
      slot: slotBeside('filed', labels.join(' '), page.at(-1)?.key ?? ''),
      sales: page.map(({ body, digest, posting, figures, source, corrects }) => ({
        sale: JSON.parse(body) as Sale,
        digest,
        posting,
        filed: { figures },
        ...(source !== '' && { late: { source, corrects, takesBack: null } }),
      })),
    };
  }
}

/** One page of rows by the keys of its sales. */
export const byKey = <Row extends { readonly key: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.key, row]));
