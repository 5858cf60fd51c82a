import { once } from 'node:events';
import { createWriteStream, mkdirSync, type WriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { type DrawnMonth, drawOrder, OCTOBER } from './draw-order.ts';
import { merchantYaml } from './merchant.ts';
import { ORDERS_HEADER, orderText, REFUNDS_HEADER } from './order-rows.ts';

const ORDERS_PER_PIECE = 250;
/** Orders of one file, some 0.8 GB: no export that a person downloads is larger than 2 GB. */
const ORDERS_PER_FILE = 1_000_000;

export type WrittenMonth = { readonly orders: number; readonly rows: number; readonly bytes: number };

/** What is drawn of a month: so many orders, in files with a name of their own. */
export type Drawing = {
  readonly orders: number;
  readonly month: DrawnMonth;
  readonly name: string;
};

/** Write a seller's October and `tieout.yaml` into a folder. The same number of orders makes the same bytes. */
export const writeMonth = (folder: string, orders: number, month = OCTOBER): Promise<WrittenMonth> => {
  writeSeller(folder);
  return writeExports(folder, { orders, month, name: '' });
};

/** Make a folder with the configuration of the seller. */
export const writeSeller = (folder: string): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tieout.yaml'), merchantYaml());
};

/**
 * Write the exports of a month: the orders, with 79 columns, newest first, two rows an order on average; and the
 * refunds. What does not fit into one file goes into numbered ones.
 */
export const writeExports = async (folder: string, drawing: Drawing): Promise<WrittenMonth> => {
  const { orders, name } = drawing;
  const written = { orders, rows: 0, bytes: 0 };
  for (let end = orders, part = 1; end > 0; end -= ORDERS_PER_FILE, part += 1) {
    const suffix = orders > ORDERS_PER_FILE ? `${name}-part-${part}` : name;
    const span = { from: Math.max(0, end - ORDERS_PER_FILE), end };
    const { rows, bytes } = await writePart(folder, suffix, drawing, span);
    written.rows += rows;
    written.bytes += bytes;
  }
  return written;
};

type Span = { readonly from: number; readonly end: number };

const writePart = async (
  folder: string,
  suffix: string,
  { orders, month }: Drawing,
  span: Span,
): Promise<{ readonly rows: number; readonly bytes: number }> => {
  const files = {
    orders: createWriteStream(join(folder, `orders${suffix}.csv`)),
    refunds: createWriteStream(join(folder, `refunds${suffix}.csv`)),
  };
  files.orders.write(ORDERS_HEADER);
  files.refunds.write(REFUNDS_HEADER);
  let rows = 0;
  for (let { end } = span; end > span.from; end -= ORDERS_PER_PIECE) {
    const piece = { orders: '', refunds: '' };
    for (let index = end - 1; index >= Math.max(span.from, end - ORDERS_PER_PIECE); index -= 1) {
      const order = drawOrder(index, orders, month);
      const text = orderText(order);
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
  return { rows, bytes: files.orders.bytesWritten };
};

const put = async (file: WriteStream, text: string): Promise<void> => {
  if (!file.write(text)) await once(file, 'drain');
};
