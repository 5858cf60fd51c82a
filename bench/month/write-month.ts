import { once } from 'node:events';
import { createWriteStream, mkdirSync, type WriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { drawOrder } from './draw-order.ts';
import { merchantYaml } from './merchant.ts';
import { ORDERS_HEADER, orderText, REFUNDS_HEADER } from './order-rows.ts';
import type { LocalRates } from './shop-tax.ts';

const ORDERS_PER_PIECE = 250;

export type WrittenMonth = { readonly orders: number; readonly rows: number; readonly bytes: number };

/**
 * Write a seller's October into a folder: an orders export of 79 columns, newest order first, two rows an order on
 * average; the refunds; and `tieout.yaml`. The same number of orders makes the same bytes.
 */
export const writeMonth = async (
  folder: string,
  orders: number,
  localRates: LocalRates = 'known',
): Promise<WrittenMonth> => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tieout.yaml'), merchantYaml());
  const files = {
    orders: createWriteStream(join(folder, 'orders.csv')),
    refunds: createWriteStream(join(folder, 'refunds.csv')),
  };
  files.orders.write(ORDERS_HEADER);
  files.refunds.write(REFUNDS_HEADER);
  let rows = 0;
  for (let end = orders; end > 0; end -= ORDERS_PER_PIECE) {
    const piece = { orders: '', refunds: '' };
    for (let index = end - 1; index >= Math.max(0, end - ORDERS_PER_PIECE); index -= 1) {
      const order = drawOrder(index, orders);
      const text = orderText(order, localRates);
      rows += order.lines.length;
      piece.orders += text.orders;
      piece.refunds += text.refunds;
    }
    await put(files.orders, piece.orders);
    await put(files.refunds, piece.refunds);
  }
  for (const file of [files.orders, files.refunds]) {
    file.end();
    await finished(file);
  }
  return { orders, rows, bytes: files.orders.bytesWritten };
};

const put = async (file: WriteStream, text: string): Promise<void> => {
  if (!file.write(text)) await once(file, 'drain');
};
