import { join } from 'node:path';
import { defineSheet, streamed } from '../../src/close/workbook/sheet.ts';
import { writeWorkbook } from '../../src/close/workbook/write-workbook.ts';
import { calendarDate, instant } from '../../src/kernel/calendar.ts';
import { money } from '../../src/kernel/money.ts';
import { rate } from '../../src/kernel/rate.ts';
import { holdMemory } from '../../src/runtime/hold-memory.ts';
import { drawOrder, type MonthOrder } from '../month/draw-order.ts';
import { inFolder, measured, sizeAsked } from './cost.ts';

/** A sheet of 20 columns: 8 of text, a date, a count, 8 of money, 2 of rates, each with its format. */
holdMemory();
const DISTINCT = 2_000;
const count = sizeAsked();
const orders = Array.from({ length: DISTINCT }, (_, index) => drawOrder(index, DISTINCT));

const texts: readonly (readonly [string, (order: MonthOrder) => string])[] = [
  ['Buyer', ({ address }) => address.name],
  ['Street', ({ address }) => address.address1],
  ['City', ({ place }) => place.city],
  ['County', ({ place }) => place.county],
  ['State', ({ place }) => place.state],
  ['Mail', ({ email }) => email],
  ['Mistake', ({ mistake }) => mistake ?? 'none'],
];
const amounts = ['Goods', 'Shipping', 'Gross', 'Taxable', 'Collected', 'Expected', 'Recorded', 'Variance'];

const sheet = defineSheet<MonthOrder>({
  name: 'Detail',
  columns: [
    { title: 'Order', width: 12, format: 'id', value: ({ number }) => String(number) },
    { title: 'Date', width: 12, format: 'date', value: () => calendarDate('2026-10-15') },
    ...texts.map(([title, value]) => ({ title, width: 16, format: 'text' as const, value })),
    { title: 'Lines', width: 8, format: 'count', value: ({ lines }) => lines.length },
    ...amounts.map((title, index) => ({
      title,
      width: 12,
      format: 'money' as const,
      total: 'sum' as const,
      value: ({ shippingCents, number }: MonthOrder) => money(shippingCents + (number % 9_973) * index),
    })),
    ...['State rate', 'Local rate'].map((title) => ({
      title,
      width: 10,
      format: 'rate' as const,
      value: ({ number }: MonthOrder) => rate(600_000 + (number % 99) * 1_250),
    })),
  ],
});

function* pages(): Generator<readonly MonthOrder[]> {
  for (let left = count; left > 0; left -= DISTINCT) yield orders.slice(0, left);
}

await inFolder(async (folder) => {
  await measured('workbook', { rows: count, unit: 'rows' }, () =>
    writeWorkbook(join(folder, 'detail.xlsx'), {
      sheets: [streamed(sheet, { count, pages: pages() })],
      properties: { title: 'Detail', creator: 'bench', created: instant(0) },
    }),
  );
});
