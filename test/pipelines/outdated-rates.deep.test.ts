import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rateFileOf, rateLinesOf } from '../support/rate-lines.ts';
import { OAKLAND, SEATTLE } from '../support/shop-exports.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';
import { closed, sold, taxAt } from './gap-month.ts';

const AMOUNTS = [4_999, 7_301, 12_345, 20_001, 33_330, 41_009, 5_555, 8_642, 9_999, 15_015];

/** The content has 10.75 % of the city, by a table that ends on March 31, 2026. */
const OAKLAND_RATE = 10_750;

const atRate = (rate: number) =>
  AMOUNTS.map((cents, index) => sold(index, OAKLAND, cents, taxAt(cents, rate)));

const codesOf = ({ figures }: Awaited<ReturnType<typeof closed>>) => figures.reasons.map(({ code }) => code);

describe('after the days for which the content knows the rates of a state', () => {
  test('a sale at the last known rate ties out, costs nothing, and the close says until when rates are known', async () => {
    const { shop, figures } = await closed(atRate(OAKLAND_RATE));
    expect(figures).toMatchObject({ exit_code: 0, reasons: [], exceptions: [] });
    expect(figures.calculations['questions']).toBe(0);
    expect(figures).toMatchObject({
      rate_gaps: { states: ['KS'], outdated: [{ state: 'CA', span: 'known until 2026-03-31' }] },
    });
    await shop.write('notes.csv', 'a,b\n');
    const { stdout } = await shop.run('close', '2026-10');
    expect(stdout).toContain('local rates are known until 2026-03-31 in CA');
    const old = 'with local rates known until 2026-03-31';
    expect(stdout.trimEnd().split('\n').at(-1)).toContain(`2026-10: READY, ${old}, exit code 0`);
    expect(await shop.read('out/shop/2026-10/report.html')).toContain(`READY ${old} in CA.`);
  });

  test('a higher rate on which sales agree may be new, and is not called wrong', async () => {
    const found = await closed(atRate(11_000));
    expect(codesOf(found)).toEqual(['R27']);
    expect(found.figures.totals).toMatchObject({ tieout_gaps: found.figures.totals['variance'] });
    const { shop } = found;
    expect(rateLinesOf(found.figures)).toEqual([
      'CA,city,Oakland local tax,0.0025,2026-10-01,001,Oakland,,shop',
    ]);
    const file = join(await temporaryFolder(), 'rates.csv');
    await writeFile(file, rateFileOf(found.figures, 'looked up'));
    const content = `${shop.folder}/content`;
    expect((await tieout(['content', 'import', file, '--content', content])).stderr).toBe('');
    expect(await shop.close('2026-10', '--content', content)).toMatchObject({ exit_code: 0, reasons: [] });
  });
});

test('before the days for which the content knows the rates of a state, the right rate is not called wrong', async () => {
  const orders = AMOUNTS.map((cents, index) => ({
    ...sold(index, SEATTLE, cents, taxAt(cents, 10_250)),
    at: '2021-12-05',
  }));
  const settings = { registrations: [{ state: 'WA', since: '2019-01-01' }] };
  const { shop } = await closed(orders, settings);
  expect((await shop.close('2021-12')).reasons.map(({ code }) => code)).toEqual(['R27']);
});
