import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { filesOf, type Merchant, sampleMerchant, tieout } from '../support/tieout.ts';

const folderOf = ({ output }: Merchant) => join(output, 'harbor-and-pine', '2026-10');
const lock = ({ config }: Merchant, ...args: string[]) =>
  tieout(['lock', ...(args.length > 0 ? args : ['2026-10']), '--config', config, '--json']);

const errorOf = (stdout: string) => (JSON.parse(stdout) as { error: { code: string } }).error.code;

const closedMerchant = async (): Promise<Merchant> => {
  const merchant = await sampleMerchant();
  expect((await merchant.close()).code).toBe(0);
  return merchant;
};

describe('locking a period', () => {
  test('freezes it: the same bytes come out whatever exports, configuration and database say later', async () => {
    const merchant = await closedMerchant();
    const before = await filesOf(folderOf(merchant));
    const locked = await lock(merchant);
    expect({ code: locked.code, stderr: locked.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(locked.stdout)).toMatchObject({ period: '2026-10', new: true, sales: 334 });

    const orders = join(merchant.folder, 'orders_export.csv');
    const text = await readFile(orders, 'utf8');
    await writeFile(orders, text.replaceAll('98.95', '97.95'));
    const config = await readFile(merchant.config, 'utf8');
    await writeFile(
      merchant.config,
      config.replace('{ state: NJ', '{ state: OH, since: "2020-01-01" }\n  - { state: NJ'),
    );
    const again = await merchant.close();
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' });
    expect(await filesOf(folderOf(merchant))).toEqual(before);

    await rm(folderOf(merchant), { recursive: true });
    expect((await merchant.close()).code).toBe(0);
    expect(await filesOf(folderOf(merchant))).toEqual(before);

    await rm(join(folderOf(merchant), 'variance.xlsx'));
    expect((await merchant.close()).code).toBe(0);
    expect(await filesOf(folderOf(merchant))).toEqual(before);
  });

  test('is refused when the period was never closed', async () => {
    const refused = await lock(await sampleMerchant());
    expect({ code: refused.code, error: errorOf(refused.stdout) }).toEqual({
      code: 2,
      error: 'E_PERIOD_NOT_CLOSED',
    });
  });

  test('is refused when the workbooks are not from the present state', async () => {
    const merchant = await closedMerchant();
    const variance = join(folderOf(merchant), 'variance.xlsx');
    await appendFile(variance, 'x');
    expect(errorOf((await lock(merchant)).stdout)).toBe('E_PERIOD_STALE');
    expect((await merchant.close()).code).toBe(0);

    const config = await readFile(merchant.config, 'utf8');
    await writeFile(merchant.config, config.replace('unexplained: "0.00"', 'unexplained: "5.00"'));
    expect(errorOf((await lock(merchant)).stdout)).toBe('E_PERIOD_STALE');
    await writeFile(merchant.config, config);

    const workspace = new DatabaseSync(join(merchant.folder, '.tieout', 'workspace.db'));
    workspace.exec("delete from reconciled where key = 'shopify/order/5050'");
    workspace.close();
    expect(errorOf((await lock(merchant)).stdout)).toBe('E_PERIOD_STALE');
    expect((await merchant.close()).code).toBe(0);
    expect((await lock(merchant)).code).toBe(0);
  });

  test('is refused while something is open, unless somebody says why it may stand', async () => {
    const merchant = await sampleMerchant();
    const config = await readFile(merchant.config, 'utf8');
    await writeFile(merchant.config, config.replace(/ {4}- \{ record: "#5115".*\n/, ''));
    expect((await merchant.close()).code).toBe(1);
    expect(errorOf((await lock(merchant)).stdout)).toBe('E_PERIOD_OPEN');
    const locked = await lock(merchant, '2026-10', '--open-exceptions', 'asked the shop', '--as', 'Ada');
    expect(JSON.parse(locked.stdout)).toMatchObject({ open: [{ record: '#5115', why: 'asked the shop' }] });
    const status = await tieout(['status', '--config', merchant.config]);
    expect(status.stdout).toMatch(
      /2026-10 +locked, digest [0-9a-f]{12}\n2026-10 +locked on .* by Ada: asked the shop/,
    );
  });

  test('is refused where days are locked already under another name', async () => {
    const merchant = await closedMerchant();
    expect((await lock(merchant)).code).toBe(0);
    expect((await merchant.close(['2026-Q4', '--quiet'])).code).toBe(1);
    expect(errorOf((await lock(merchant, '2026-Q4', '--open-exceptions', 'a try')).stdout)).toBe(
      'E_PERIOD_OVERLAP',
    );
  });

  test('two at once are one lock', async () => {
    const merchant = await closedMerchant();
    const both = await Promise.all([lock(merchant), lock(merchant)]);
    expect(both.map(({ code }) => code).filter((code) => code !== 75).length).toBeGreaterThanOrEqual(1);
    expect(both.every(({ code }) => code === 0 || code === 75)).toBe(true);
    const status = await tieout(['status', '--config', merchant.config, '--json']);
    const { locks, events } = JSON.parse(status.stdout) as { locks: unknown[]; events: unknown[] };
    expect([locks.length, events.length]).toEqual([1, 1]);
    expect(JSON.parse((await lock(merchant)).stdout)).toMatchObject({ new: false });
  });

  test('a file that somebody changed is left to them, and named', async () => {
    const merchant = await closedMerchant();
    expect((await lock(merchant)).code).toBe(0);
    await appendFile(join(folderOf(merchant), 'variance.xlsx'), 'note');
    const refused = await merchant.close(['2026-10', '--json']);
    expect({ code: refused.code, error: errorOf(refused.stdout) }).toEqual({
      code: 65,
      error: 'E_LOCKED_OUTPUT',
    });
  });

  test('a workspace in which somebody changed a locked record is no proof any more', async () => {
    const merchant = await closedMerchant();
    expect((await lock(merchant)).code).toBe(0);
    const workspace = new DatabaseSync(join(merchant.folder, '.tieout', 'workspace.db'));
    const { changes } = workspace
      .prepare(
        "update filed_sale set body = replace(body, 'amount', 'amounts') where key = 'shopify/order/5050'",
      )
      .run();
    workspace.close();
    expect(changes).toBe(1);
    expect(errorOf((await merchant.close(['2026-10', '--json'])).stdout)).toBe('E_LOCK_BROKEN');
  });
});
