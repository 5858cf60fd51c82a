import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { addSeller } from '../test/support/serving.ts';
import { type ShopOrder, writeOrders, writeRefunds, writeShop } from '../test/support/shop.ts';
import { filesOf, tieout } from '../test/support/tieout.ts';

const ORDERS = 60;
const REFUNDS = 3;
/** A round: the month is new, its last order has changed, and nothing is new; and what becomes of its records. */
const ROUND = [
  { dollarsOfLast: 159, submissions: { created: ORDERS + REFUNDS, updated: 0, unchanged: 0 } },
  { dollarsOfLast: 77, submissions: { created: 0, updated: 1, unchanged: ORDERS + REFUNDS - 1 } },
  { dollarsOfLast: 77, submissions: { created: 0, updated: 0, unchanged: ORDERS + REFUNDS } },
] as const;

const orderOf = (index: number, dollars: number): ShopOrder => ({
  name: `#${index + 1}`,
  price: `${dollars}.00`,
  tax: (Math.round(dollars * 10.75) / 100).toFixed(2),
});

/** Sixty orders of sixty amounts, three of them paid back; the last one costs what is given. */
const writeMonth = async (folder: string, url: string, dollarsOfLast: number): Promise<void> => {
  const orders = Array.from({ length: ORDERS }, (_, index): ShopOrder => {
    const order = orderOf(index, index === ORDERS - 1 ? dollarsOfLast : 100 + index);
    return index < REFUNDS ? { ...order, status: 'refunded', refunded: totalOf(order) } : order;
  });
  await writeOrders(folder, 'orders.csv', orders);
  const at = '2026-10-20 09:00:00 -0700';
  const refunds = orders
    .slice(0, REFUNDS)
    .map((order) => ({ order: order.name, at, amount: totalOf(order) }));
  await writeRefunds(folder, 'refunds.csv', refunds);
  await writeShop(folder, ['orders.csv'], ['refunds.csv'], `service: { url: "${url}" }\n`);
};

const totalOf = ({ price, tax }: ShopOrder): string => (Number(price) + Number(tax)).toFixed(2);

type Served = { readonly ledger: string; readonly url: string };
type Figures = { readonly exit_code: number; readonly submissions: object };

/**
 * Close months by the real command against a served service, round after round with a pause after each close, until it is
 * stopped. Each round is one of a new account; the close that finds nothing new must write the bytes of the one before.
 */
export const closesAgain = ({ ledger, url }: Served, folder: string, pauseMs: number) => {
  const complaints: string[] = [];
  const isOver = new AbortController();
  let closes = 0;

  const close = async (place: string, key: string) => {
    const output = join(place, 'out');
    const { code, stdout, stderr } = await tieout(
      ['close', '2026-10', '--config', join(place, 'tieout.yaml'), '--output', output, '--json'],
      { env: { TIEOUT_SERVICE_KEY: key } },
    );
    closes += 1;
    if (code !== 0) complaints.push(`close ${closes} ended with ${code}: ${stderr}`);
    return {
      figures: code === 0 ? (JSON.parse(stdout) as Figures) : undefined,
      files: await filesOf(output),
    };
  };

  const round = async (number: number): Promise<void> => {
    const place = join(folder, `shop-${number}`);
    await mkdir(place);
    const key = await addSeller(ledger, ['CA'], `shop-${number}`);
    let before: ReadonlyMap<string, Buffer> | undefined;
    for (const { dollarsOfLast, submissions } of ROUND) {
      await writeMonth(place, url, dollarsOfLast);
      const { figures, files } = await close(place, key);
      if (!isDeepStrictEqual({ ...figures?.submissions, ...submissions }, figures?.submissions))
        complaints.push(`close ${closes} sent ${JSON.stringify(figures?.submissions)}`);
      if (submissions.unchanged === ORDERS + REFUNDS && !isDeepStrictEqual(files, before))
        complaints.push(`close ${closes} wrote other files than the one before`);
      before = files;
      await pause(pauseMs, undefined, { signal: isOver.signal }).catch(() => undefined);
      if (isOver.signal.aborted) break;
    }
    await rm(place, { recursive: true });
  };

  const rounds = async (): Promise<void> => {
    for (let number = 1; !isOver.signal.aborted; number += 1) await round(number);
  };
  const running = rounds();
  return {
    complaints,
    closes: () => closes,
    stop: (): Promise<void> => {
      isOver.abort();
      return running;
    },
  };
};
