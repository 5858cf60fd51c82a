import { join } from 'node:path';
import { expect, test } from 'vitest';
import { late } from '../../../../pipelines/late.ts';
import { lock } from '../../../../pipelines/lock.ts';
import { monthlyClose } from '../../../../pipelines/monthly-close.ts';
import { DETAIL } from '../../../../src/close/report/sheets/detail.ts';
import type { ClosePorts, Threads } from '../../../../src/close/stages/close-ports.ts';
import { detailRows } from '../../../../src/close/stages/publish/detail-rows.ts';
import { streamed } from '../../../../src/close/workbook/sheet.ts';
import { writeWorkbook } from '../../../../src/close/workbook/write-workbook.ts';
import { instant } from '../../../../src/kernel/calendar.ts';
import { fixedClock } from '../../../../src/kernel/clock.ts';
import { parsePeriod } from '../../../../src/kernel/period.ts';
import { withThreads } from '../../../../src/with-threads.ts';
import { closeHere, portsHere } from '../../../support/close-here.ts';
import { type ShopOrder, writeOrders, writeShop } from '../../../support/shop.ts';
import { temporaryFolder } from '../../../support/tieout.ts';

const NOVEMBER = parsePeriod('2026-11') as NonNullable<ReturnType<typeof parsePeriod>>;
const IN_DECEMBER = { clock: fixedClock(instant(Date.UTC(2026, 11, 2))) };
const SHEET_ROWS_MAX = 300;

/** A shop whose November has 700 sales, and five of October that came when October was locked. */
const shopWithLateSales = async (): Promise<string> => {
  const folder = await temporaryFolder();
  const orders = (count: number, at: string): ShopOrder[] =>
    Array.from({ length: count }, (_, index) => ({ name: `#${at.slice(5, 7)}${index}`, at }));
  await writeOrders(folder, 'october.csv', orders(1, '2026-10-10 12:00:00 -0700'));
  await writeShop(folder, ['october.csv']);
  await closeHere(folder);
  await portsHere(folder, (ports) => lock.run(ports, { period: '2026-10', who: 'Dana' }));
  await writeOrders(folder, 'october.csv', orders(6, '2026-10-10 12:00:00 -0700'));
  await writeOrders(folder, 'november.csv', orders(700, '2026-11-05 12:00:00 -0800'));
  await writeShop(folder, ['october.csv', 'november.csv']);
  await portsHere(
    folder,
    async (ports) => {
      await late.run(ports, { period: '2026-10', choice: 'carry', who: 'Dana' });
      await monthlyClose.run(ports, { period: '2026-11' });
    },
    IN_DECEMBER,
  );
  return folder;
};

/** Detail of November in a workbook of its own, whose sheets have room for fewer rows than a page of sales. */
const writeDetail = async (folder: string, ports: ClosePorts) =>
  writeWorkbook(join(folder, 'detail.xlsx'), {
    properties: { title: 'Detail', subject: 'Rows', creator: 'Test', created: instant(0) },
    sheets: [streamed(DETAIL, { count: 705, rows: await detailRows(ports, NOVEMBER) })],
    sheetRowsMax: SHEET_ROWS_MAX,
  });

test('rows that threads draw are those of one thread, with late sales and where a sheet is full', async () => {
  const folder = await shopWithLateSales();
  const alone = await portsHere(folder, (ports) => writeDetail(folder, ports), IN_DECEMBER);
  const drawn: number[] = [];
  const counting = (threads: Threads): Threads => ({
    ...threads,
    drawSales: (page) => {
      drawn.push(page.keys.length);
      return threads.drawSales(page);
    },
  });
  const shared = await portsHere(
    folder,
    (ports) =>
      withThreads(
        ports,
        { content: undefined, version: '0', others: 1, salesMin: 10 },
        ({ threads, ...close }) =>
          writeDetail(folder, { ...close, ...(threads && { threads: counting(threads) }) }),
      ),
    IN_DECEMBER,
  );
  expect(shared).toEqual(alone);
  expect(alone.sheets).toHaveLength(3);
  expect(drawn.length).toBeGreaterThan(0);
});
