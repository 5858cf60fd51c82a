import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clustersOf } from '../../src/close/reconcile/clusters.ts';
import { splitVariance } from '../../src/close/reconcile/variance-part.ts';
import type { Sale } from '../../src/close/sales/sale.ts';
import type { TaxLine } from '../../src/close/sales/tax-line.ts';
import type { ClosePorts } from '../../src/close/stages/close-ports.ts';
import { logDigester } from '../../src/close/stages/publish/drawn-from.ts';
import { gatherReport } from '../../src/close/stages/publish/gather-report.ts';
import { recomputeTax } from '../../src/close/stages/recompute/recompute-tax.ts';
import { reconcileSales } from '../../src/close/stages/reconcile/reconcile-sales.ts';
import { detailedSales } from '../../src/close/workspace/detailed-sales.ts';
import { saleRow } from '../../src/close/workspace/sale-rows.ts';
import { calendarDate, instant } from '../../src/kernel/calendar.ts';
import { money, sum } from '../../src/kernel/money.ts';
import { parsePeriod } from '../../src/kernel/period.ts';
import { price } from '../../src/kernel/price.ts';
import { RATE_ONE, rate } from '../../src/kernel/rate.ts';
import { roundQuotient } from '../../src/kernel/rounding.ts';
import { loadContent } from '../../src/service/content/load-content.ts';
import { LINE, SHIP_FROM, saleOf } from '../close/sales/sale-of.ts';
import { closeInMemory } from '../support/close-in-memory.ts';

const CONTENT = loadContent();
const OCTOBER = parsePeriod('2026-10') as NonNullable<ReturnType<typeof parsePeriod>>;
const SETTINGS = {
  entity: 'shop',
  name: 'Shop',
  timeZone: 'America/Los_Angeles',
  shipFrom: SHIP_FROM,
  registrations: ['CA', 'CO'].map((state) => ({ state, since: '2019-01-01' })),
  channels: [{ name: 'shopify', files: ['orders.csv'] }],
};

/** The content has the state's 2.9 % and no rate of the city. */
const SPRINGS = { country: 'US', state: 'CO', zip: '80903', city: 'Colorado Springs', street: '1 Main St' };
/** The content has all rates of California: 10.75 %. */
const OAKLAND = { country: 'US', state: 'CA', zip: '94607', city: 'Oakland', street: '1 Main St' };

const sold = (
  index: number,
  shipTo: Sale['shipTo'],
  cents: number,
  salesTax: number,
  more: Partial<Sale> = {},
) =>
  saleOf({
    key: `shopify/order/${index}`,
    id: String(index),
    origin: { file: 'orders.csv', line: index + 2, record: `#${index}` },
    instant: instant(Date.parse('2026-10-05T19:00:00Z')),
    businessDate: calendarDate('2026-10-05'),
    taxDate: calendarDate('2026-10-05'),
    shipTo,
    amount: money(cents),
    shipping: money(0),
    lines: [{ ...LINE, taxCode: null, quantity: 1, unitPrice: price(cents * 100), discount: price(0) }],
    salesTax: money(salesTax),
    taxLines: [],
    ...more,
  });

const taxAt = (cents: number, total: number): number => roundQuotient(cents * total, RATE_ONE);

const closed = (sales: readonly Sale[], settings: object = SETTINGS) =>
  closeInMemory({ folder: '.', content: CONTENT, settings }, async (ports: ClosePorts) => {
    const owner = { entity: 'shop', channel: 'shopify', load: '1' };
    const extras = { refunded: money(0), isDerived: false, controls: '' };
    await ports.workspace.upsert(
      'sale',
      sales.map((sale) => saleRow(owner, sale, extras)),
    );
    const { value: figures } = await recomputeTax(ports, OCTOBER, () => {});
    await reconcileSales(ports, OCTOBER, () => {});
    const { report } = await gatherReport(ports, OCTOBER, logDigester());
    const rows = [];
    for await (const { row } of detailedSales(ports.workspace, OCTOBER)) rows.push(row);
    return { figures, report, rows };
  });

const AMOUNTS = [4_999, 7_301, 12_345, 20_001, 33_330, 41_009, 5_555, 8_642, 9_999, 15_015];
const codesOf = ({ rows }: Awaited<ReturnType<typeof closed>>) => [
  ...new Set(rows.flatMap(({ reasons }) => reasons.map(({ code }) => code))),
];
const line = (name: string, kind: TaxLine['kind'], percent: number, cents: number): TaxLine => ({
  name,
  kind,
  place: 'Colorado Springs',
  rate: rate(percent * 100_000),
  amount: money(taxAt(cents, percent * 100_000)),
});

describe('a rate of a place that the tax content lacks', () => {
  test('is a gap where the sales of the place agree on it, and one cause', async () => {
    const found = await closed(
      AMOUNTS.map((cents, index) => sold(index, SPRINGS, cents, taxAt(cents, 820_000))),
    );
    expect(codesOf(found)).toEqual(['R27']);
    const [cluster, ...others] = clustersOf(found.report.exceptions.filter(({ code }) => code === 'R27'));
    expect(others).toEqual([]);
    expect(cluster?.message).toMatch(
      /^Colorado Springs: shop 8.2%, Tieout 2.9%, 10 sales, \d+\.\d\d; import/,
    );
    expect(found.report.impliedRates).toMatchObject([
      { where: 'Colorado Springs', sales: 10, verdict: 'gap' },
    ]);
    expect(found.figures.questions).toBe(0);
  });

  test('is a gap where a tax line of one sale states it, and for the others of the place', async () => {
    const cents = 7_500;
    const lines = [
      line('Colorado State Tax 2.9%', 'state', 2.9, cents),
      line('Colorado Springs City Tax 3.07%', 'city', 3.07, cents),
    ];
    const stated = sold(1, SPRINGS, cents, 448, { taxLines: lines });
    const silent = sold(2, SPRINGS, 10_000, 597);
    const found = await closed([stated, silent]);
    expect(
      found.rows.flatMap(({ reasons }) =>
        reasons.map(({ code, amount, proof }) => `${code} ${amount} ${proof}`),
      ),
    ).toEqual([
      'R26 230 recomputed with “Colorado Springs City Tax 3.07%”, of which the tax content has no rate: 4.48',
      'R26 307 recomputed at 5.97% in all, as tax lines of other sales of Colorado Springs have it: 5.97',
    ]);
    expect(found.figures.questions).toBe(0);
  });

  test('is not claimed of fewer than eight sales', async () => {
    const few = AMOUNTS.slice(0, 7).map((cents, index) => sold(index, SPRINGS, cents, taxAt(cents, 823_000)));
    expect(codesOf(await closed(few))).toEqual(['R99']);
  });
});

test('a lower rate than that of the content is the seller’s, also where the content has a gap', async () => {
  const low = AMOUNTS.map((cents, index) => sold(index, SPRINGS, cents, taxAt(cents, 200_000)));
  const found = await closed(low);
  expect(splitVariance(found.report.reasons).gap).toBe(0);
});

test('no more questions are asked than the configuration allows, and a close says how many variances are left', async () => {
  const odd = AMOUNTS.map((cents, index) =>
    sold(index, OAKLAND, cents, taxAt(cents, 1_075_000) + 100 + 37 * index),
  );
  const found = await closed(odd, { ...SETTINGS, service: { maxQuestions: 1 } });
  expect(found.figures).toMatchObject({ questions: 1, questionsMax: 1 });
  expect(found.figures.cutShort).toBeGreaterThan(0);
});

type Drawn = { readonly place: 'gap' | 'complete'; readonly more: number; readonly cents: number };

/** One wrong rate for each place of the month, and slips beside it. */
const anyMonth = fc.record({
  rates: fc.record({ gap: fc.integer({ min: 1, max: 40 }), complete: fc.integer({ min: 1, max: 10 }) }),
  sales: fc.array(
    fc.record<Drawn>({
      place: fc.constantFrom('gap', 'complete'),
      more: fc.oneof(
        { weight: 6, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: 60, max: 400 }) },
      ),
      cents: fc.integer({ min: 4_000, max: 60_000 }),
    }),
    { minLength: 15, maxLength: 45 },
  ),
});

test('whatever a month brings: the parts are the variance, and a wrong rate in a complete place stays the seller’s', async () => {
  await fc.assert(
    fc.asyncProperty(anyMonth, async ({ rates, sales }) => {
      const drawn = sales.map(({ place, more, cents }, index) => {
        const total = place === 'gap' ? 290_000 + rates.gap * 12_500 : 1_075_000 + rates.complete * 12_500;
        return sold(index, place === 'gap' ? SPRINGS : OAKLAND, cents, taxAt(cents, total) + more);
      });
      const found = await closed(drawn);
      for (const { reasons, collected, expected, state } of found.rows) {
        expect(sum(reasons.map(({ amount }) => amount))).toBe(collected - expected);
        if (state === 'CA')
          expect(reasons.filter(({ code }) => code === 'R26' || code === 'R27')).toEqual([]);
      }
      const parts = splitVariance(found.report.reasons);
      const variance = found.rows.reduce((total, row) => total + row.collected - row.expected, 0);
      expect(parts.seller + parts.gap + parts.unexplained).toBe(variance);
      const right = sales.flatMap(({ place, more }, index) =>
        place === 'complete' && more === 0 ? [`#${index}`] : [],
      );
      if (right.length < 12) return;
      const ofSeller = found.rows
        .filter(({ record }) => right.includes(record))
        .flatMap(({ reasons }) => reasons);
      expect(new Set(ofSeller.map(({ code }) => code))).toEqual(new Set(['R02']));
      const again = await closed([...drawn].reverse());
      expect(again.report.reasons).toEqual(found.report.reasons);
    }),
    { numRuns: 15 },
  );
}, 120_000);
