import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { filesOf, temporaryFolder, tieout } from '../support/tieout.ts';

const SAMPLE = fileURLToPath(new URL('../../samples/harbor-and-pine', import.meta.url));

test('a month with refunds, rejects and certificates is taken back as it was locked', async () => {
  const folder = join(await temporaryFolder(), 'deep', 'er');
  await cp(SAMPLE, folder, { recursive: true, filter: (path) => !path.includes('.tieout') });
  const config = join(folder, 'tieout.yaml');
  const run = (...args: readonly string[]) => tieout([...args, '--config', config]);
  const published = join(folder, '../../output/harbor-and-pine/2026-10');
  await run('close', '2026-10', '--quiet');
  expect((await run('lock', '2026-10', '--as', 'Dana')).code).toBe(0);
  const files = await filesOf(published);
  for (const name of ['workspace.db', 'workspace.db-wal', 'workspace.db-shm'])
    await rm(join(folder, '.tieout', name), { force: true });
  expect((await run('close', '2026-10')).stderr).toContain('E_LOCK_UNKNOWN');
  const adopted = await run('adopt', published, '--as', 'Dana');
  expect([adopted.code, adopted.stderr, adopted.stdout]).toEqual([
    0,
    '',
    expect.stringContaining('2026-10 is locked: 334 records'),
  ]);
  expect((await run('close', '2026-10')).code).toBe(0);
  expect(await filesOf(published)).toEqual(files);
});

test('what was filed is not late before the exports are read, or where they have it no longer', async () => {
  const shop = await month({ orders: [{ name: '#1' }, { name: '#2' }] });
  await shop.close();
  await shop.run('lock', '2026-10', '--as', 'Dana');
  for (const name of ['workspace.db', 'workspace.db-wal', 'workspace.db-shm'])
    await rm(join(shop.folder, '.tieout', name), { force: true });
  expect((await shop.run('adopt', shop.out(), '--as', 'Dana')).stdout).toContain('2 records');
  expect((await shop.run('status', '2026-10')).stdout).not.toContain('came late');
  await shop.change({ orders: [{ name: '#2' }] });
  expect((await shop.run('close', '2026-10')).stdout).toContain('late: nothing came late');
  expect((await shop.run('status', '2026-10')).stdout).not.toContain('came late');
  for (const changed of [{ price: '999' }, { tax: 'none' }]) {
    await shop.change({ orders: [{ name: '#2', ...changed }] });
    expect((await shop.run('close', '2026-10')).stdout).toContain('late: 1 came late');
  }
});
