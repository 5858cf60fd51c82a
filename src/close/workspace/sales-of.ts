import { afterKey } from '../../database/after-key.ts';
import { pagesOf } from '../../database/pages.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';
import { registerIn } from './certificate-files.ts';
import { type FilingPlan, filingPlan, isOpenSpan, planOfDay, type Span } from './filing-plan.ts';
import { locksOf } from './locks.ts';
import type { CarriedSaleRow, FiledSaleRow } from './period-tables.ts';
import { type SettledSale, settledSale } from './settled-sale.ts';
import type { SaleRow } from './tables.ts';
import { BATCH_ROWS, type Workspace } from './workspace.ts';

/** A sale as it stands in the workspace, with the digest of its content. */
export type StoredSale = {
  readonly sale: Sale;
  readonly digest: string;
  readonly posting: string;
  /** Of a sale that a lock holds: its reconciled figures as JSON, `null` when it was not posted. Nothing changes it. */
  readonly filed?: { readonly figures: string | null };
  /** Of a sale that came late for a locked period. */
  readonly late?: LateNote;
};

export type LateNote = {
  /** The locked period that it belongs to by its date. */
  readonly source: string;
  /** The record it stands for, or corrects, by its key. */
  readonly corrects: string;
  /** Of a record that takes back a filed one: the figures of that one as JSON. */
  readonly takesBack: string | null;
};

/**
 * The sales of a period in pages: what was carried into it, then day by day what lies in it. Days that a lock holds
 * give what was filed with them, whatever the exports say now. It is the order of every listing and workbook.
 * The exemption of each sale is decided here, once for all stages.
 */
export async function* salesOf(
  workspace: Workspace,
  period: FilingPeriod,
  part?: PartOfSales,
): AsyncGenerator<readonly SettledSale[]> {
  const register = await registerIn(workspace);
  for await (const page of storedSalesOf(workspace, period, part))
    yield page.map((stored) => settledSale(stored, register));
}

/** Which sales of a period are wanted: those with these keys, or those of one day. */
export type PartOfSales = { readonly keys: readonly string[] } | { readonly day: CalendarDate };
type Keys = readonly string[] | undefined;

async function* storedSalesOf(
  workspace: Workspace,
  period: FilingPeriod,
  part: PartOfSales | undefined,
): AsyncGenerator<readonly StoredSale[]> {
  const locks = await locksOf(workspace);
  const whole = filingPlan(period, locks);
  const plan = part && 'day' in part ? planOfDay(whole, part.day) : whole;
  const only = part && 'keys' in part ? part.keys : undefined;
  const hasLocks = locks.length > 0;
  if (hasLocks) yield* carriedInto(workspace, plan, only);
  for (const span of plan.spans) {
    if (!isOpenSpan(span)) {
      if (only === undefined) yield* filedIn(workspace, span);
    } else if (only === undefined) {
      yield* openIn(workspace, span, hasLocks);
    } else {
      yield* openAmong(workspace, span, hasLocks, only);
    }
  }
}

/**
 * The posted sales of a period that may still change, in the same order: what the stages work on. No page is empty.
 * With a part it is those of them.
 */
export async function* postedSalesOf(
  workspace: Workspace,
  period: FilingPeriod,
  part?: PartOfSales,
): AsyncGenerator<readonly SettledSale[]> {
  for await (const page of salesOf(workspace, period, part)) {
    const posted = page.filter(({ posting, filed }) => posting === 'posted' && filed === undefined);
    if (posted.length > 0) yield posted;
  }
}

/** What was carried into the period and is not filed yet. */
export async function* carriedOf(
  workspace: Workspace,
  period: FilingPeriod,
): AsyncGenerator<readonly StoredSale[]> {
  const locks = await locksOf(workspace);
  if (locks.length > 0) yield* carriedInto(workspace, filingPlan(period, locks));
}

/** What was carried into open days of the period, or put into the amended version that it is. */
async function* carriedInto(
  workspace: Workspace,
  { spans, amendment }: FilingPlan,
  only?: Keys,
): AsyncGenerator<readonly StoredSale[]> {
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
        .$if(only !== undefined, (query) => query.where('key', 'in', only ?? []))
        .$if(after !== undefined, (query) =>
          query.where(afterKey({ filed_on: after?.filed_on ?? '', key: after?.key ?? '' })),
        )
        .orderBy('filed_on')
        .orderBy('key')
        .limit(rowsMax)
        .execute(),
    );
    for await (const page of pages) {
      yield page.map(({ body, digest, posting, source, corrects, takes_back }) => ({
        sale: JSON.parse(body) as Sale,
        digest,
        posting,
        late: { source, corrects, takesBack: takes_back },
      }));
    }
  }
}

const OPEN_SALE_COLUMNS = ['business_date', 'key', 'body', 'digest', 'posting'] as const;
type OpenSaleRow = Pick<SaleRow, (typeof OPEN_SALE_COLUMNS)[number]>;

/** The sales as the exports have them, as far as they count there. */
const openSales = (workspace: Workspace, hasLocks: boolean) =>
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

async function* openIn(
  workspace: Workspace,
  span: Span,
  hasLocks: boolean,
): AsyncGenerator<readonly StoredSale[]> {
  for await (const page of openPages(workspace, span, hasLocks)) yield page.map(storedOf);
}

const openPages = (
  workspace: Workspace,
  { first, last }: Span,
  hasLocks: boolean,
): AsyncGenerator<readonly OpenSaleRow[]> =>
  pagesOf<OpenSaleRow>(BATCH_ROWS, (after, rowsMax) =>
    openSales(workspace, hasLocks)
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

/**
 * Those with these keys, in the order of the keys. Neither the days nor an order are asked of the database: SQLite
 * would walk through all days for them, instead of looking up the keys.
 */
async function* openAmong(
  workspace: Workspace,
  { first, last }: Span,
  hasLocks: boolean,
  keys: readonly string[],
): AsyncGenerator<readonly StoredSale[]> {
  for (let from = 0; from < keys.length; from += BATCH_ROWS) {
    const wanted = keys.slice(from, from + BATCH_ROWS);
    const rows = byKey(await openSales(workspace, hasLocks).where('key', 'in', wanted).execute());
    const page = wanted
      .flatMap((key) => rows.get(key) ?? [])
      .filter((row) => first <= row.business_date && row.business_date <= last);
    if (page.length > 0) yield page.map(storedOf);
  }
}

async function* filedIn(
  workspace: Workspace,
  { first, last, labels }: Span,
): AsyncGenerator<readonly StoredSale[]> {
  for await (const page of filedPages(workspace, labels, { first, last })) {
    yield page.map(({ body, digest, posting, figures, source, corrects }) => ({
      sale: JSON.parse(body) as Sale,
      digest,
      posting,
      filed: { figures },
      ...(source !== '' && { late: { source, corrects, takesBack: null } }),
    }));
  }
}

/** What locks hold, by the day with which it counts and its key. */
export const filedPages = (
  workspace: Workspace,
  labels: readonly string[],
  days?: { readonly first: string; readonly last: string },
  tables = workspace.tables,
): AsyncGenerator<readonly FiledSaleRow[]> =>
  pagesOf<FiledSaleRow>(BATCH_ROWS, (after, rowsMax) =>
    tables
      .selectFrom('filed_sale')
      .selectAll()
      .where('entity', '=', workspace.entity)
      .where('label', 'in', labels)
      .$if(days !== undefined && after === undefined, (query) =>
        query.where('filed_on', '>=', days?.first ?? ''),
      )
      .$if(days !== undefined, (query) => query.where('filed_on', '<=', days?.last ?? ''))
      .$if(after !== undefined, (query) =>
        query.where(afterKey({ filed_on: after?.filed_on ?? '', key: after?.key ?? '' })),
      )
      .orderBy('filed_on')
      .orderBy('key')
      .limit(rowsMax)
      .execute(),
  );

/** One page of rows by the keys of its sales. */
export const byKey = <Row extends { readonly key: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.key, row]));
