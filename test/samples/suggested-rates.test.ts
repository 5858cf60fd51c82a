import { appendFile, cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isGiven } from '../support/is-given.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

const SAMPLE = fileURLToPath(new URL('../../samples/cedar-and-slate', import.meta.url));

type Figures = {
  readonly exit_code: number;
  readonly totals: Readonly<Record<string, string>>;
  readonly content_change: object | null;
  readonly reasons: readonly { readonly code: string; readonly over: string; readonly under: string }[];
  readonly exceptions: readonly { readonly code: string; readonly record: string; readonly effect: string }[];
};

type Suggested = {
  readonly rates: readonly {
    readonly state: string;
    readonly level: string;
    readonly code: string;
    readonly name: string;
    readonly rate: string;
    readonly counties: readonly string[];
    readonly evidence: { readonly sales: number; readonly amount: string };
  }[];
  readonly unresolved: readonly unknown[];
  readonly next: readonly string[];
};

/** The places of the sample's README, with the federal codes of the Census. */
const RATES = [
  'AL city 32272 Gulf Shores 0.03 003',
  'LA county 017 Caddo Parish 0.046 017',
  'MO city 77092 Warrensburg 0.01875 101',
];

test('from gaps to rates: suggest, import, close again, and only rounding and the planted error are left', async () => {
  const folder = await temporaryFolder();
  const shop = join(folder, 'shop');
  await cp(SAMPLE, shop, { recursive: true, filter: isGiven });
  const config = join(shop, 'tieout.yaml');
  const run = async (...args: string[]) =>
    tieout([...args, '--config', config, ...(args[0] === 'close' ? ['--output', join(folder, 'out')] : [])]);
  const content = join(shop, 'my-content');
  const file = join(folder, 'rates.csv');

  const doctor = await run('doctor');
  expect(doctor.stdout).toContain(
    'local rates of AL, CO, IL, LA, MO, TX are not complete; one may be missing in Warrensburg MO (2 sales, 362.85)',
  );
  const plan = await run('close', '2026-10', '--plan');
  expect(plan.stdout).toMatch(
    /^coverage: local rates of AL, CO, IL, LA, MO, TX are not complete; one may be missing in Warrensburg MO \(2 sales, [\d.]+\), .* and 2 more; local rates are known until 2025-12-31 in CO, until 2026-03-31 in MO, until 2026-06-30 in IL, WA$/m,
  );

  const early = await run('content', 'suggest', '2026-10', '--output', file);
  expect([early.code, early.stderr.split(':')[0]]).toEqual([2, 'E_PERIOD_NOT_CLOSED']);

  const before = await run('close', '2026-10', '--json');
  expect(before.code).toBe(1);
  const gaps = JSON.parse(before.stdout) as Figures;
  expect(gaps.content_change).toBe(null);
  expect(gaps.totals).toMatchObject({ variance: '13.42', tieout_gaps: '13.55', unexplained: '0.00' });

  const told = await run('content', 'suggest', '2026-10', '--output', file, '--json');
  expect({ code: told.code, stderr: told.stderr }).toEqual({ code: 0, stderr: '' });
  const { rates, unresolved, next } = JSON.parse(told.stdout) as Suggested;
  expect(unresolved).toEqual([]);
  expect(
    rates
      .map(
        ({ state, level, code, name, rate, counties }) =>
          `${state} ${level} ${code} ${name} ${rate} ${counties.join(' ')}`,
      )
      .sort(),
  ).toEqual(RATES);
  expect(rates.find(({ name }) => name === 'Warrensburg')?.evidence).toMatchObject({
    sales: 2,
    amount: '6.80',
    places: ['Warrensburg'],
  });
  const cents = rates.reduce((total, { evidence }) => total + Math.round(Number(evidence.amount) * 100), 0);
  expect(cents).toBe(1355);
  expect(next).toEqual([
    `tieout content import ${file} --content my-content`,
    `tieout close 2026-10 --config ${config} --content my-content`,
  ]);
  expect(await readFile(file, 'utf8')).toContain('AL,city,32272,Gulf Shores,0.03,2026-10-01,,place,003,');

  const imported = await tieout(['content', 'import', file, '--content', content]);
  expect({ code: imported.code, stderr: imported.stderr }).toEqual({ code: 0, stderr: '' });
  expect(imported.stdout).toContain('3 added, 0 changed, 0 removed');

  await appendFile(config, '\ncontent: my-content\n');
  const after = await run('close', '2026-10', '--json');
  const figures = JSON.parse(after.stdout) as Figures;
  expect(figures.reasons.map(({ code }) => code)).toEqual(['R01', 'R02']);
  expect(figures.exceptions.filter(({ code }) => code === 'R02')).toMatchObject([
    { record: '#3047', effect: '-0.11' },
  ]);
  expect(figures.content_change).toMatchObject({
    sales: 5,
    states: [
      { state: 'AL', sales: 2 },
      { state: 'LA', sales: 1 },
      { state: 'MO', sales: 2 },
    ],
  });
  expect(figures.totals).toMatchObject({ tieout_gaps: '0.00', unexplained: '0.00' });

  const again = await run('content', 'suggest', '2026-10', '--output', join(folder, 'more.csv'));
  expect(again.stdout).toBe(
    '2026-10: no variance comes from a rate that the tax content lacks; there is nothing to suggest\n',
  );
});
