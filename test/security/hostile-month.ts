import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { sign } from '../../pipelines/sign.ts';
import { silentProgress } from '../../src/runtime/progress.ts';
import { loadContent } from '../../src/service/content/load-content.ts';
import { closeInMemory } from '../support/close-in-memory.ts';
import { SHIP_FROM } from '../support/random-month.ts';
import { type ShopOrder, writeOrders } from '../support/shop.ts';
import type { StoredCell } from '../support/stored-cells.ts';

/** What a program that is too helpful would compute, or run. */
export const STARTS = [
  '=1+1',
  '=HYPERLINK("http://x","y")',
  "=cmd|' /C calc'!A1",
  '+1+1',
  '-1+1',
  '@SUM(1,1)',
  '\t=1+1',
  '\r=1+1',
  '<script>document.title="hostile"</script>',
  '<img src=x onerror=document.title="hostile">',
];
export const [EQUALS = '', LINK = '', COMMAND = ''] = STARTS;
const EXPORT = '=1+1.csv';
const STATES = ['CA', 'NY', 'OH', 'PA', 'WA', 'WI'];
const SETTINGS = {
  entity: 'shop',
  name: EQUALS,
  timeZone: 'America/Los_Angeles',
  shipFrom: SHIP_FROM,
  registrations: STATES.map((state) => ({ state, since: '2019-01-01', account: LINK })),
  channels: [{ name: 'shopify', files: [EXPORT] }],
};
const SEATTLE = { state: 'WA', zip: '98101' };

/** Each start as the name of an order and of its city: in order, charged wrongly, not paid, and not readable. */
const ORDERS: readonly ShopOrder[] = STARTS.flatMap((start, index) => {
  const to = { city: start, ...(index % 2 === 0 ? SEATTLE : { state: 'CA', zip: '94607' }) };
  return [
    { name: `#${5000 + index}`, to },
    { name: `${start} wrong`, to, tax: '1.23' },
    { name: `${start} pending`, to, status: 'pending' },
    { name: `${start} broken`, to, price: start, total: '1.00' },
  ];
});

/** Whether some cell has the text in it. */
export const has = (cells: readonly StoredCell[], text: string): boolean =>
  cells.some(({ value }) => typeof value === 'string' && value.includes(text));

/** Close and sign a month whose every text would be a formula or a script; gives where its files are. */
export const hostileMonth = (): { readonly pack: () => string } => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tieout-hostile-'));
    await writeOrders(folder, EXPORT, ORDERS);
    await closeInMemory({ folder, content: loadContent(), settings: SETTINGS }, async (ports) => {
      const watched = { ...ports, progress: silentProgress };
      await monthlyClose.run(watched, { period: '2026-10' });
      await sign.run(watched, { period: '2026-10', role: 'preparer', name: COMMAND });
      await sign.run(watched, { period: '2026-10', role: 'reviewer', name: '@SUM(1,1)' });
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return { pack: () => join(folder, 'shop', '2026-10') };
};
