import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

test('a ledger that lost the records of a locked month is noticed, and filled again by unlocking and closing it', async () => {
  const shop = await month({ orders: [{ name: '#1' }, { name: '#2' }] });
  const said = async (...command: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await shop.run(...command);
    expect({ command, code }).toEqual({ command, code: 0 });
    return stdout + stderr;
  };
  await said('close', '2026-10');
  await said('lock', '2026-10');
  expect(await said('close', '2026-10')).toContain('nothing to read: the period is locked');
  const published = await shop.files();
  for (const file of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm'])
    await rm(join(shop.folder, '.tieout', file), { force: true });
  const lacks =
    '2026-10: the service lacks 2 records of the locked period. Its books stand as they were locked.';
  expect(await said('close', '2026-10')).toContain(lacks);
  expect(await said('close', '2026-10', '--quiet')).toBe(
    `${lacks} To send the records again, unlock it, close it and lock it again.\n`,
  );
  expect(JSON.parse((await shop.run('close', '2026-10', '--json')).stdout).pull_back.lost).toBe(2);
  expect(await shop.files()).toEqual(published);
  await said('unlock', '2026-10', '--reason', 'the ledger was lost');
  expect(await said('close', '2026-10')).toContain('submit: 2 created');
  await said('lock', '2026-10');
  expect(await said('close', '2026-10')).toContain('nothing to read: the period is locked');
});
