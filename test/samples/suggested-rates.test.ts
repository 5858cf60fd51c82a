import { appendFile, cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
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
  'CO city 16000 Colorado Springs 0.0307 041',
  'CO city 31660 Grand Junction 0.0339 077',
  'CO city 62000 Pueblo 0.037 101',
  'CO city 67280 Salida 0.03 015',
  'CO county 015 Chaffee County 0.0275 015',
  'CO county 041 El Paso County 0.0123 041',
  'CO county 077 Mesa County 0.02 077',
  'CO county 101 Pueblo County 0.01 101',
  'CO special shop-mesa-county-public-safety-improvement-district Mesa County Public Safety Improvement District 0.0037 077',
  'CO special shop-pikes-peak-rural-transportation-authority Pikes Peak Rural Transportation Authority 0.01 041',
  'IL city 01543 Anna 0.01 181',
  'IL city 11163 Carbondale 0.025 077 199',
  'LA county 017 Caddo Parish 0.046 017',
  'LA county 033 East Baton Rouge Parish 0.055 033',
  'MO city 77092 Warrensburg 0.01875 101',
  'WA city 21240 Ellensburg 0.021 037',
  'WA city 38845 Leavenworth 0.021 007',
];

test('from gaps to rates: suggest, import, close again, and only rounding and the planted error are left', async () => {
  const folder = await temporaryFolder();
  const shop = join(folder, 'shop');
  await cp(SAMPLE, shop, { recursive: true, filter: (path) => !path.includes('.tieout') });
  const config = join(shop, 'tieout.yaml');
  const run = async (...args: string[]) =>
    tieout([...args, '--config', config, ...(args[0] === 'close' ? ['--output', join(folder, 'out')] : [])]);
  const content = join(shop, 'my-content');
  const file = join(folder, 'rates.csv');

  const doctor = await run('doctor');
  expect(doctor.stdout).toContain(
    'local rates of AL, CO, IL, LA, MO, TX, WA are not complete; one may be missing in Grand Junction CO (10 sales, 1650.07)',
  );
  const plan = await run('plan', '2026-10');
  expect(plan.stdout).toMatch(
    /^coverage: local rates of AL, CO, IL, LA, MO, TX, WA are not complete; one may be missing in Grand Junction CO \(10 sales, [\d.]+\), .* and 10 more$/m,
  );

  const early = await run('content', 'suggest', '2026-10', '--output', file);
  expect([early.code, early.stderr.split(':')[0]]).toEqual([2, 'E_PERIOD_NOT_CLOSED']);

  const before = await run('close', '2026-10', '--json');
  expect(before.code).toBe(1);
  const gaps = JSON.parse(before.stdout) as Figures;
  expect(gaps.content_change).toBe(null);
  expect(gaps.totals).toMatchObject({ variance: '149.35', tieout_gaps: '149.48', unexplained: '0.00' });

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
  expect(rates.find(({ name }) => name === 'Carbondale')?.evidence).toMatchObject({
    sales: 2,
    amount: '5.37',
    places: ['Carbondale'],
  });
  expect(rates.find(({ name }) => name === 'Grand Junction')?.evidence.sales).toBe(10);
  const cents = rates.reduce((total, { evidence }) => total + Math.round(Number(evidence.amount) * 100), 0);
  expect(cents).toBe(14948);
  expect(next).toEqual([
    `tieout content import ${file} --content my-content`,
    `tieout close 2026-10 --config ${config} --content my-content`,
  ]);
  expect(await readFile(file, 'utf8')).toContain('AL,city,32272,Gulf Shores,0.03,2026-10-01,,place,003,');

  const imported = await tieout(['content', 'import', file, '--content', content]);
  expect({ code: imported.code, stderr: imported.stderr }).toEqual({ code: 0, stderr: '' });
  expect(imported.stdout).toContain('18 added, 0 changed, 0 removed');

  await appendFile(config, '\ncontent: my-content\n');
  const after = await run('close', '2026-10', '--json');
  const figures = JSON.parse(after.stdout) as Figures;
  expect(figures.reasons.map(({ code }) => code)).toEqual(['R01', 'R02']);
  expect(figures.exceptions.filter(({ code }) => code === 'R02')).toMatchObject([
    { record: '#3047', effect: '-0.11' },
  ]);
  expect(figures.content_change).toMatchObject({
    sales: 26,
    states: [
      { state: 'AL', sales: 2 },
      { state: 'CO', sales: 14 },
      { state: 'IL', sales: 3 },
      { state: 'LA', sales: 3 },
      { state: 'MO', sales: 2 },
      { state: 'WA', sales: 2 },
    ],
  });
  expect(figures.totals).toMatchObject({ tieout_gaps: '0.00', unexplained: '0.00' });

  const again = await run('content', 'suggest', '2026-10', '--output', join(folder, 'more.csv'));
  expect(again.stdout).toBe(
    '2026-10: no variance comes from a rate that the tax content lacks; there is nothing to suggest\n',
  );
});
