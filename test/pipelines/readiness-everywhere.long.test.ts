import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReadinessFigures } from '../../src/judge/readiness.ts';
import { accepting } from '../support/accepting.ts';
import type { Manifest } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { sheetText, tableRows } from '../support/sheets.ts';
import { OAKLAND, type Order } from '../support/shop-exports.ts';
import { LIBERAL, sold, taxAt } from './gap-month.ts';

const LAW = { gap: 6_500, complete: 10_750 };

/** Months that are clean, that lack rates, that carry errors of the shop, and rows that cannot be read. */
const anySale = fc.record({
  place: fc.constantFrom('gap' as const, 'complete' as const),
  rate: fc.constantFrom(0, 0, 0, 500, 1_250),
  slip: fc.constantFrom(0, 0, 0, 0, 137),
  cents: fc.integer({ min: 4_000, max: 60_000 }),
  isBroken: fc.constantFrom(false, false, false, false, true),
});
const anyMonth = fc.record({
  sales: fc.array(anySale, { minLength: 1, maxLength: 14 }),
  accepts: fc.boolean(),
});

type Drawn = {
  readonly place: 'gap' | 'complete';
  readonly rate: number;
  readonly slip: number;
  readonly cents: number;
  readonly isBroken: boolean;
};

const orderOf = ({ place, rate, slip, cents, isBroken }: Drawn, index: number): Order => {
  const order = sold(
    index,
    place === 'gap' ? LIBERAL : OAKLAND,
    cents,
    taxAt(cents, LAW[place] + rate) + slip,
  );
  return isBroken ? { ...order, price: 'n/a' } : order;
};

/** What each book opens with. */
const FRONT_SHEETS = [
  ['variance', 'Decide'],
  ['filing-summary', 'Pay'],
] as const;

test('whatever a month brings, every place that shows readiness shows the same', async () => {
  const seen = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(anyMonth, async ({ sales, accepts }) => {
      const shop = await month({
        orders: sales.map(orderOf),
        settings: {
          registrations: ['CA', 'KS'].map((state) => ({ state, since: '2019-01-01' })),
        },
      });
      const small = { record: '#1', code: 'R99', why: 'Too small to look into' };
      if (accepts) await shop.write('decisions.csv', accepting('2026-10', small));
      const ran = await shop.run('close', '2026-10', '--json');
      const told = JSON.parse(ran.stdout) as { exit_code: number; readiness: ReadinessFigures };
      const { ready, reasons } = told.readiness;
      const verdict = ready ? 'READY' : 'NOT READY';
      expect([ran.code, told.exit_code]).toEqual(ready ? [0, 0] : [1, 1]);
      expect(ready).toBe(reasons.length === 0);

      const path = join(shop.out(), 'evidence/manifest.json');
      const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest;
      const status = await shop.told<{ periods: { readiness: ReadinessFigures }[] }>(0, 'status');
      expect(status.periods[0]?.readiness).toEqual(told.readiness);
      const stated = reasons.map(({ what }) => ({ what }));
      expect(manifest.content.leaves.readiness).toMatchObject({ ready, reasons: stated });

      for (const [name, front] of FRONT_SHEETS) {
        const book = shop.book('2026-10', name);
        expect(await sheetText(book, front)).toMatch(new RegExp(`[✓✕]  ${verdict}`));
        const open = (await tableRows(book, 'Checks')).filter(({ Check }) => /^P/.test(String(Check)));
        expect(open.reduce((sum, { Left }) => sum + Number(Left), 0)).toBe(reasons.length);
      }
      expect(await readFile(join(shop.out(), 'report.html'), 'utf8')).toContain(
        ready ? 'card good' : '<b>✕ NOT READY</b>',
      );
      const text = (await shop.run('close', '2026-10')).stdout;
      expect(/^2026-10: ((?:NOT )?READY), /m.exec(text)?.[1]).toBe(verdict);
      seen.add(ready);
    }),
    { numRuns: 20, seed: 18 },
  );
  expect(seen).toEqual(new Set([true, false]));
}, 240_000);
