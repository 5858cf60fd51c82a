import { appendFile, cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { rateFileOf, rateLinesOf } from '../support/rate-lines.ts';
import { isGiven, temporaryFolder, tieout } from '../support/tieout.ts';

const SAMPLE = fileURLToPath(new URL('../../samples/cedar-and-slate', import.meta.url));

type Figures = {
  readonly exit_code: number;
  readonly totals: Readonly<Record<string, string>>;
  readonly readiness: {
    readonly reasons: readonly {
      readonly what: string;
      readonly todo: string;
    }[];
  };
  readonly reasons: readonly { readonly code: string }[];
  readonly exceptions: readonly {
    readonly code: string;
    readonly record: string;
    readonly effect: string;
  }[];
};

/** The place of the sample's README with the county code of the Census. The content does not have Shreveport. */
const LINES = ['LA,county,Shreveport local tax,0.046,2026-10-01,017,,,shop'];

test('from gaps to rates: paste the lines of the findings, import, close again, and only rounding and the planted error are left', async () => {
  const folder = await temporaryFolder();
  const shop = join(folder, 'shop');
  await cp(SAMPLE, shop, { recursive: true, filter: isGiven });
  const config = join(shop, 'tieout.yaml');
  const run = async (...args: string[]) =>
    tieout([...args, '--config', config, ...(args[0] === 'close' ? ['--output', join(folder, 'out')] : [])]);
  const content = join(shop, 'my-content');
  const file = join(folder, 'rates.csv');
  const importing = () => tieout(['content', 'import', file, '--content', content]);

  const plan = await run('close', '2026-10', '--plan');
  expect(plan.stdout).toMatch(
    /^coverage: local rates of AL, CO, IL, LA, MO, TX are not complete; local rates are known until 2025-12-31 in CO, until 2026-03-31 in MO, until 2026-06-30 in IL, WA$/m,
  );

  const before = await run('close', '2026-10', '--json');
  expect(before.code).toBe(1);
  const gaps = JSON.parse(before.stdout) as Figures;
  expect(gaps.totals).toMatchObject({ variance: '1.48', tieout_gaps: '1.61', unexplained: '0.00' });
  expect(rateLinesOf(gaps)).toEqual(LINES);

  await writeFile(file, rateFileOf(gaps, ''));
  expect(await importing()).toMatchObject({
    code: 65,
    stderr: expect.stringContaining('rates.csv: row 2: the row names no source'),
  });
  await writeFile(file, rateFileOf(gaps, 'looked up'));
  const imported = await importing();
  expect({ code: imported.code, stderr: imported.stderr }).toEqual({ code: 0, stderr: '' });
  expect(imported.stdout).toContain('1 added, 0 removed');
  expect((await importing()).stdout).toContain('0 added, 0 removed');

  await appendFile(config, '\ncontent: my-content\n');
  const after = await run('close', '2026-10', '--json');
  const figures = JSON.parse(after.stdout) as Figures;
  expect(figures.reasons.map(({ code }) => code)).toEqual(['R01', 'R02']);
  expect(figures.exceptions.filter(({ code }) => code === 'R02')).toMatchObject([
    { record: '#3047', effect: '-0.11' },
  ]);
  expect(figures.totals).toMatchObject({ tieout_gaps: '0.00', unexplained: '0.00' });
  expect(rateLinesOf(figures)).toEqual([]);
});
