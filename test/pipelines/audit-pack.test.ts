import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { filesOf } from '../support/tieout.ts';

const closedShop = async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  await shop.told(0, 'close', '2026-10');
  return { ...shop, audit: (...args: readonly string[]) => shop.run('audit-pack', '2026-10', ...args) };
};

describe('tieout audit-pack', () => {
  test('finds what is published to be what the workspace says, and publishes nothing', async () => {
    const shop = await closedShop();
    const before = await shop.published();
    const into = join(shop.folder, 'again');
    const ran = await shop.audit('--into', into);
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
    expect(ran.stdout).toBe(
      [
        `rebuild: ${before.size} files drawn from the workspace`,
        `compare: ${before.size} files are the same, byte for byte`,
        '2026-10: what is published is what the workspace says, byte for byte',
        '',
      ].join('\n'),
    );
    expect(await filesOf(into)).toEqual(await shop.files());
    expect(await shop.published()).toEqual(before);
    const full = await shop.audit('--into', into);
    expect([full.code, full.stderr.split(':')[0]]).toEqual([2, 'E_FOLDER_NOT_EMPTY']);
  });

  test.for([
    [
      'a changed byte',
      'variance.xlsx differs from byte 100 on',
      async (folder: string) => {
        const bytes = await readFile(join(folder, 'variance.xlsx'));
        bytes[100] = (bytes[100] ?? 0) ^ 1;
        await writeFile(join(folder, 'variance.xlsx'), bytes);
      },
    ],
    [
      'more bytes',
      'is longer, from byte',
      (folder: string) => appendFile(join(folder, 'filing-summary.xlsx'), ' '),
    ],
    [
      'a missing file',
      'variance.xlsx is not published',
      (folder: string) => rm(join(folder, 'variance.xlsx')),
    ],
    [
      'a file too many',
      'notes.txt is published, and does not belong there',
      (folder: string) => writeFile(join(folder, 'notes.txt'), ''),
    ],
  ] as const)('names %s, and ends with 1', async ([, what, change]) => {
    const shop = await closedShop();
    await change(shop.out());
    const ran = await shop.audit();
    expect([ran.code, ran.stdout]).toEqual([1, expect.stringContaining(what)]);
    const json = JSON.parse((await shop.audit('--json')).stdout);
    expect(json).toMatchObject({ entity: 'shop', period: '2026-10', same: false, exit_code: 1 });
    expect(json.differences).toHaveLength(1);
  });

  test('finds the folder behind when the workspace has gone on', async () => {
    const shop = await closedShop();
    await shop.change({ orders: [{ name: '#1', tax: '9.99' }] });
    await shop.run('close', '2026-10', '--plan');
    expect((await shop.audit()).code).toBe(1);
  });

  test('compares a locked period with what was locked', async () => {
    const shop = await closedShop();
    expect((await shop.run('lock', '2026-10')).code).toBe(0);
    expect((await shop.audit()).code).toBe(0);
    await appendFile(join(shop.out(), 'variance.xlsx'), ' ');
    const ran = await shop.audit();
    expect([ran.code, ran.stdout]).toEqual([
      1,
      expect.stringContaining('variance.xlsx is not as it was locked'),
    ]);
  });

  test('of a period that is not published says so', async () => {
    const shop = await closedShop();
    const ran = await shop.run('audit-pack', '2026-09');
    expect([ran.code, ran.stderr.split(':')[0]]).toEqual([65, 'E_EVIDENCE_MISSING']);
  });
});
