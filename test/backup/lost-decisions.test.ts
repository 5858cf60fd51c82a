import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

test('neither a backup nor a restore needs the decision files', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  await shop.close();
  await shop.change({ settings: { decisions: ['lost.csv'] } });
  const backup = join(shop.folder, 'backup');
  expect((await shop.run('close', '2026-10')).code).not.toBe(0);
  expect(await shop.run('backup', backup)).toMatchObject({ code: 0, stderr: '' });
  await rm(join(shop.folder, '.tieout', 'workspace.db'));
  expect(await shop.run('restore', backup, '--replace')).toMatchObject({ code: 0 });
});
