import { describe, expect, test } from 'vitest';
import type { Sale } from '../../src/close/sales/sale.ts';
import type { ClosePorts } from '../../src/close/stages/close-ports.ts';
import { recomputeTax } from '../../src/close/stages/recompute/recompute-tax.ts';
import { reconcileSales } from '../../src/close/stages/reconcile/reconcile-sales.ts';
import { detailedSales } from '../../src/close/workspace/detailed-sales.ts';
import { saleRow } from '../../src/close/workspace/sale-rows.ts';
import { calendarDate, instant } from '../../src/kernel/calendar.ts';
import { money } from '../../src/kernel/money.ts';
import { parsePeriod } from '../../src/kernel/period.ts';
import { loadContent } from '../../src/service/content/load-content.ts';
import { LINE, refundOf, SHIP_FROM, saleOf } from '../close/sales/sale-of.ts';
import { closeInMemory } from '../support/close-in-memory.ts';

const CONTENT = loadContent();
const YEAR = parsePeriod('2026') as NonNullable<ReturnType<typeof parsePeriod>>;
const day = calendarDate;
const SETTINGS = {
  entity: 'shop',
  name: 'Shop',
  timeZone: 'America/Los_Angeles',
  shipFrom: SHIP_FROM,
  registrations: [
    { state: 'CA', since: '2019-01-01' },
    { state: 'GA', since: '2019-01-01' },
    { state: 'OH', since: '2026-06-15' },
  ],
  channels: [{ name: 'shopify', files: ['orders.csv'] }],
  overrides: [{ record: '#by-hand', tax: '7.77', why: 'agreed with the buyer on the phone' }],
};

/** 100.00 of goods to Macon, where the rate rose from 7 % to 8 % on 2026-04-01. */
const macon = (date: string, tax: number, changes: Partial<Sale> = {}): Sale =>
  saleOf({
    instant: instant(Date.parse(`${date}T19:00:00Z`)),
    businessDate: day(date),
    taxDate: day(date),
    shipTo: { country: 'US', state: 'GA', zip: '31201', city: 'Macon', street: '1 Main St' },
    amount: money(10_000),
    shipping: money(0),
    lines: [{ ...LINE, taxCode: null }],
    salesTax: money(tax),
    ...changes,
  });

const reasonsOf = async (ports: ClosePorts) => {
  await recomputeTax(ports, YEAR, () => {});
  await reconcileSales(ports, YEAR, () => {});
  const reasons: string[] = [];
  for await (const { row } of detailedSales(ports.workspace, YEAR))
    reasons.push(...row.reasons.map(({ code, amount, proof }) => `${code} ${amount}: ${proof}`));
  return reasons;
};

const withSale = <Result>(
  sale: Sale,
  work: (ports: ClosePorts) => Promise<Result>,
  settings: object = SETTINGS,
): Promise<Result> =>
  closeInMemory({ folder: '.', content: CONTENT, settings }, async (ports) => {
    const owner = { entity: 'shop', channel: 'shopify', load: '1' };
    const extras = { refunded: money(0), isDerived: false, controls: '' };
    await ports.workspace.upsert('sale', [saleRow(owner, sale, extras)]);
    return work(ports);
  });

const OHIO = { country: 'US', state: 'OH', zip: '43215', city: 'Columbus', street: '1 Main St' };

describe('a reason that the service is asked about', () => {
  test.for([
    [
      macon('2026-03-31', 800, { instant: instant(Date.parse('2026-04-01T03:00:00Z')) }),
      ['R16 100: recomputed as of 2026-04-01, its day in UTC: 8.00'],
      'the shop lives in UTC, and the rate rose that night',
    ],
    [
      { ...refundOf(macon('2026-03-20', 800)), businessDate: day('2026-04-05') },
      ['R13 -100: recomputed as of 2026-04-05, the day of the refund: 8.00'],
      'a refund at the rates of its own day',
    ],
    [
      macon('2026-10-05', 700),
      ['R02 -100: recomputed at the rates of 2026-03-31: 7.00'],
      'the rate of half a year ago',
    ],
    [
      macon('2026-10-05', 875),
      ['R04 75: recomputed at the place of the seller: 8.75'],
      'the rate of Sacramento for everybody',
    ],
    [
      macon('2026-06-10', 800, { shipTo: OHIO }),
      ['R12 800: recomputed as if registered, as of 2026-06-15: 8.00'],
      'charged five days before the registration',
    ],
    [
      macon('2026-06-20', 0, { shipTo: OHIO }),
      ['R12 -800: nexus in the destination since 2026-06-15, inside the period; 8.00 was due'],
      'not charged after the registration',
    ],
    [
      macon('2026-10-05', 777, { origin: { file: 'a.csv', line: 2, record: '#by-hand' } }),
      ['R23 -23: set by hand: agreed with the buyer on the phone'],
      'a tax that a person set, and named',
    ],
    [
      macon('2026-10-05', 778, { origin: { file: 'a.csv', line: 2, record: '#by-hand' } }),
      ['R99 -22: no recomputation with one or two things changed gives what was collected'],
      'another tax than the one that was named',
    ],
  ] as const)('%#: %j', ([sale, reasons]) =>
    withSale(sale, async (ports) => {
      expect(await reasonsOf(ports)).toEqual(reasons);
    }),
  );

  test('may be the place of the buyer where the law is that of the seller', () => {
    const cincinnati = { ...OHIO, zip: '45202', city: 'Cincinnati' };
    return withSale(
      macon('2026-10-05', 780, { shipTo: cincinnati }),
      async (ports) => {
        expect(await reasonsOf(ports)).toEqual(['R04 -20: recomputed at the place of the buyer: 7.80']);
      },
      { ...SETTINGS, shipFrom: OHIO },
    );
  });

  test('waits for the next run when the budget is spent, and is asked then', () =>
    withSale(macon('2026-10-05', 700), async (ports) => {
      const [unexplained = ''] = await reasonsOf({ ...ports, maxCalculations: 1 });
      expect(unexplained).toMatch(/^R99 -100: not every recomputation was asked for: the call budget/);
      expect(await reasonsOf(ports)).toEqual(['R02 -100: recomputed at the rates of 2026-03-31: 7.00']);
    }));

  test.for([
    ['honoured', ['R02 -100: recomputed at the rates of 2026-03-31: 7.00']],
    ['ignored', ['R99 -100: no recomputation with one or two things changed gives what was collected']],
  ] as const)('by another day only where the service heeds the day: %s', ([asOf, reasons]) =>
    withSale(
      macon('2026-10-05', 700),
      async ({ service: { coverage, ...service }, ...ports }) => {
        expect(await reasonsOf({ ...ports, service })).toEqual(reasons);
        const asked = await ports.workspace.tables.selectFrom('calculation').select('request').execute();
        const days = new Set(asked.map(({ request }) => JSON.parse(request).calculation_date));
        // Its own day, and the first of the month, which stands for it where many sales ask at once.
        expect(days.size > 2).toBe(asOf === 'honoured');
      },
      { ...SETTINGS, service: { url: 'https://tax.example/v2/', asOf } },
    ),
  );

  test('costs nothing when it is asked again', () =>
    withSale(macon('2026-10-05', 778), async (ports) => {
      const first = await recomputeTax(ports, YEAR, () => {});
      const again = await recomputeTax(ports, YEAR, () => {});
      expect(first.value.asked).toBeGreaterThan(5);
      expect(again.value.asked).toBe(0);
    }));

  test('again, when everything is to be asked again, and not twice because the run was cut off', () =>
    withSale(macon('2026-10-05', 778), async (ports) => {
      const first = await recomputeTax(ports, YEAR, () => {});
      const failing = { ...ports.service, calculateTax: cutOffAfter(3, ports.service) };
      await expect(
        recomputeTax({ ...ports, recompute: true, service: failing }, YEAR, () => {}),
      ).rejects.toThrow('cut off');
      const rest = await recomputeTax({ ...ports, recompute: true }, YEAR, () => {});
      expect(rest.value.asked).toBeLessThan(first.value.asked);
      expect(rest.value.asked).toBeGreaterThan(0);
      const anew = await recomputeTax({ ...ports, recompute: true }, YEAR, () => {});
      expect(anew.value.asked).toBe(first.value.asked);
    }));
});

const cutOffAfter = (callsMax: number, { calculateTax }: ClosePorts['service']): typeof calculateTax => {
  let calls = 0;
  return (request) => {
    calls += 1;
    if (calls > callsMax) throw new Error('cut off');
    return calculateTax(request);
  };
};
