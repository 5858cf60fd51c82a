import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

type Told = {
  readonly holds: boolean;
  readonly periods: readonly {
    readonly folder: string;
    readonly verdicts: readonly { readonly problem?: string }[];
  }[];
};

test('the folder of an entity holds only when every month in it is what its name says', async () => {
  const orders = [
    { name: '#1', at: '2026-09-10' },
    { name: '#2', at: '2026-10-10' },
  ];
  const shop = await month({ orders });
  await shop.close('2026-09');
  await shop.close();
  const other = await month({ orders, settings: { entity: 'other' } });
  await other.close('2026-09');
  const entity = join(shop.folder, 'out', 'shop');
  const problemsIn = async (change: (folder: string) => Promise<void>) => {
    const folder = join(await temporaryFolder(), 'shop');
    await cp(entity, folder, { recursive: true });
    await change(folder);
    const { code, stdout } = await tieout(['verify', folder, '--json']);
    const { periods } = JSON.parse(stdout) as Told;
    return [code, ...periods.map(({ verdicts }) => verdicts.find(({ problem }) => problem)?.problem)];
  };
  expect(await problemsIn(async () => {})).toEqual([0, undefined, undefined]);
  expect(await problemsIn((folder) => rm(join(folder, '2026-10', 'evidence', 'manifest.json')))).toEqual([
    1,
    undefined,
    expect.stringContaining('manifest.json'),
  ]);
  expect(
    await problemsIn(async (folder) => {
      await rm(join(folder, '2026-10'), { recursive: true });
      await cp(join(folder, '2026-09'), join(folder, '2026-10'), { recursive: true });
    }),
  ).toEqual([1, undefined, 'the folder is named 2026-10, and its files are those of 2026-09']);
  expect(
    await problemsIn((folder) =>
      cp(join(other.folder, 'out', 'other', '2026-09'), join(folder, 'z'), { recursive: true }),
    ),
  ).toEqual([1, undefined, undefined, 'it is of other, and 2026-09 beside it is of shop']);
});
