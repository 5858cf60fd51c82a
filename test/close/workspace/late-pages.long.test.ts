import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { putSales } from '../../../src/close/workspace/put-sales.ts';
import { salePageHeads, salesOfPage } from '../../../src/close/workspace/sale-pages.ts';
import { saleRow } from '../../../src/close/workspace/sale-rows.ts';
import { openWorkspace, type Workspace } from '../../../src/close/workspace/workspace.ts';
import { writePagesOfDay } from '../../../src/close/workspace/write-sale-pages.ts';
import { connect } from '../../../src/database/connect.ts';
import { calendarDate } from '../../../src/kernel/calendar.ts';
import { money, ZERO } from '../../../src/kernel/money.ts';
import { onPostgres } from '../../support/databases.ts';
import { saleOf } from '../sales/sale-of.ts';

const DAY = calendarDate('2026-10-01');
const SALES = 60;
const ROUNDS = 120;

const put = (workspace: Workspace, id: string, cents: number): Promise<void> => {
  const owner = { entity: workspace.entity, channel: 'shopify', load: 1 };
  const key = `shopify/order/${id}`;
  const sale = saleOf({ key, id, businessDate: DAY, amount: money(cents), lines: [] });
  const draft = saleRow(owner, sale, { refunded: ZERO, file: 0, controls: '' });
  return workspace.together((within) => putSales(within, [draft]));
};

const amounts = async (workspace: Workspace): Promise<ReadonlyMap<string, number>> => {
  const found = new Map<string, number>();
  for (const head of await salePageHeads(workspace, { first: DAY, last: DAY }))
    for (const { sale } of await salesOfPage(workspace, head)) found.set(sale.id, sale.amount);
  return found;
};

onPostgres(({ newUrl }) => {
  const opened = async (url: string): Promise<Workspace> => {
    const database = await connect(url);
    onTestFinished(() => database.close());
    return openWorkspace(database, 'shop');
  };

  it('a worker that writes the pages of a day late loses nothing of what a close has read since', async () => {
    const url = await newUrl();
    const [close, worker] = [await opened(url), await opened(url)];
    const known = new Map<string, number>();
    for (let id = 0; id < SALES; id += 1) {
      await put(close, String(id), 1);
      known.set(String(id), 1);
    }
    let isOver = false;
    const late = async (): Promise<void> => {
      while (!isOver) await writePagesOfDay(worker, DAY);
    };
    const writing = late();
    for (let round = 2; round < ROUNDS; round += 1) {
      const id = String((round * 7) % SALES);
      await put(close, id, round);
      known.set(id, round);
      if (round % 10 === 0) await writePagesOfDay(close, DAY);
    }
    isOver = true;
    await writing;
    expect(await amounts(close)).toEqual(known);
  }, 60_000);

  it('a worker that is suspended while it writes the pages of a day keeps nobody from it for long', async () => {
    const url = await newUrl();
    const [close, worker] = [await opened(url), await opened(url)];
    await put(close, '1', 1);
    const reached = Promise.withResolvers<void>();
    const suspended = worker.tables.transaction().execute(async (tables) => {
      await writePagesOfDay({ ...worker, tables }, DAY);
      reached.resolve();
      await pause(14_000);
      await sql`select 1`.execute(tables);
    });
    suspended.catch(() => {});
    await reached.promise;
    await writePagesOfDay(close, DAY);
    expect(await amounts(close)).toEqual(new Map([['1', 1]]));
    await expect(suspended).rejects.toMatchObject({ code: 'E_DATABASE_UNREACHABLE' });
  }, 60_000);
});
