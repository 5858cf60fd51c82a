import { appendFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { tieout } from '../support/tieout.ts';

type Told = {
  readonly holds: boolean;
  readonly periods: readonly {
    readonly folder: string;
    readonly verdicts: readonly { readonly problem?: string }[];
  }[];
};

test('periods are verified side by side, and each is told in its place', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  await shop.close();
  const all = join(shop.folder, 'copies');
  const names = Array.from({ length: 7 }, (_, index) => `copy-${index}`);
  for (const name of names) await cp(shop.out(), join(all, name), { recursive: true });
  await appendFile(join(all, 'copy-4', 'report.html'), 'more');
  const { code, stdout } = await tieout(['verify', all, '--json']);
  const { holds, periods } = JSON.parse(stdout) as Told;
  expect([code, holds]).toEqual([1, false]);
  expect(periods.map(({ folder }) => folder)).toEqual(names.map((name) => join(all, name)));
  const problems = periods.map(({ verdicts }) => verdicts.find(({ problem }) => problem)?.problem);
  expect(problems.map((problem) => problem !== undefined)).toEqual(names.map((name) => name === 'copy-4'));
  expect(problems[4]).toContain('report.html');
});
