import type { FilingPeriod } from '../../../kernel/period.ts';
import { sharedInOrder } from '../../../runtime/shared-in-order.ts';
import { DETAIL } from '../../report/sheets/detail.ts';
import { type RowSource, type RowsPlace, writtenRows } from '../../workbook/row-source.ts';
import type { WrittenRows } from '../../workbook/row-xml.ts';
import { type DetailedSale, detailedPages, sharedDetailPages } from '../../workspace/detailed-sales.ts';
import type { SharedPage } from '../../workspace/sales-of.ts';
import { makerOf } from '../batches/batch.ts';
import { threadsFor } from '../batches/by-days.ts';
import type { ClosePorts, SalesToDraw } from '../close-ports.ts';
import { openSales, salesAskedFor } from './open-sales.ts';

/** The rows of Detail, a page of sales at a time. Where there are threads they draw some of the pages. */
export const detailRows = async (ports: ClosePorts, period: FilingPeriod): Promise<RowSource> => {
  const threads = await threadsFor(ports, period);
  const maker = makerOf(ports);
  const take = takeFrom(threads ? sharedDetailPages(ports.workspace, period) : heldPages(ports, period));
  return ({ look, firstRow, rowsMax }) =>
    sharedInOrder(placed(take(rowsMax), firstRow), {
      othersMax: threads?.pagesAhead ?? 0,
      elsewhere: async ({ page, row }) =>
        'keys' in page
          ? threads?.drawSales({ maker, period, keys: page.keys, look, firstRow: row })
          : undefined,
      here: async ({ page, row }) => {
        const sales = 'keys' in page ? await openSales(ports, period, page.keys) : page.held;
        return drawn(sales, { look, firstRow: row });
      },
    });
};

/** In another thread: the rows of these sales; `undefined` when it is not like the thread that asks. */
export const drawSales = async (ports: ClosePorts, asked: SalesToDraw): Promise<WrittenRows | undefined> => {
  const sales = await salesAskedFor(ports, asked);
  return sales && drawn(sales, asked);
};

const drawn = (
  sales: readonly DetailedSale[],
  { look, firstRow }: Pick<RowsPlace, 'look' | 'firstRow'>,
): WrittenRows =>
  writtenRows(
    DETAIL,
    look,
    sales.map(({ row }) => row),
    firstRow,
  );

type Page = SharedPage<DetailedSale>;

async function* heldPages({ workspace }: ClosePorts, period: FilingPeriod): AsyncGenerator<Page> {
  for await (const held of detailedPages(workspace, period)) yield { held };
}

/** Take so many sales, page by page: a page for which there is not enough room is cut. */
const takeFrom = (pages: AsyncGenerator<Page, undefined>) => {
  let rest: Page | undefined;
  return async function* (salesMax: number): AsyncGenerator<Page> {
    for (let room = salesMax; room > 0; ) {
      const page: Page | undefined = rest ?? (await pages.next()).value;
      if (!page) return;
      rest = sizeOf(page) > room ? slice(page, room) : undefined;
      const taken = slice(page, 0, room);
      room -= sizeOf(taken);
      yield taken;
    }
  };
};

/** With the number of the row at which each page begins. */
async function* placed(
  pages: AsyncIterable<Page>,
  firstRow: number,
): AsyncGenerator<{ readonly page: Page; readonly row: number }> {
  let row = firstRow;
  for await (const page of pages) {
    yield { page, row };
    row += sizeOf(page);
  }
}

const slice = (page: Page, from: number, to?: number): Page =>
  'keys' in page ? { keys: page.keys.slice(from, to) } : { held: page.held.slice(from, to) };

const sizeOf = (page: Page): number => ('keys' in page ? page.keys : page.held).length;
