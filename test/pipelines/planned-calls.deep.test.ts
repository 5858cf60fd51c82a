import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { closePlan } from '../../pipelines/close-plan.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { configurationDigest } from '../../src/close/configuration/configuration-digest.ts';
import { lockPeriod } from '../../src/close/periods/lock-period.ts';
import type { ClosePorts } from '../../src/close/stages/close-ports.ts';
import { settleLate } from '../../src/close/stages/late/settle-late.ts';
import { recomputeTax } from '../../src/close/stages/recompute/recompute-tax.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { parsePeriod } from '../../src/kernel/period.ts';
import { silentProgress } from '../../src/runtime/progress.ts';
import { loadContent } from '../../src/service/content/load-content.ts';
import { closeInMemory } from '../support/close-in-memory.ts';

const OCTOBER = parsePeriod('2026-10') as NonNullable<ReturnType<typeof parsePeriod>>;
const CONTENT = loadContent();
const SETTINGS = {
  entity: 'shop',
  name: 'Shop',
  timeZone: 'America/Los_Angeles',
  shipFrom: { country: 'US', state: 'CA', zip: '95814', city: 'Sacramento', street: '1 K Street' },
  registrations: [{ state: 'CA', since: '2019-01-01' }],
  channels: [{ name: 'shop', files: ['orders.csv'], profile: 'taxjar.orders' }],
};

type Order = {
  /** Whole hundreds of dollars. */
  readonly hundreds: number;
  readonly on: string;
  readonly state: 'CA' | 'OR';
  readonly exemption: '' | 'wholesale' | 'marketplace';
};

const PLACES = {
  CA: ['1 Main St', 'Oakland', 'CA', '94607'],
  OR: ['1 Main St', 'Portland', 'OR', '97201'],
} as const;
const HEADER =
  'provider,order_id,transaction_type,transaction_reference_id,completed_at,shiptostreet,shiptocity,shiptostate,shiptozip,shiptocountrycode,shipping_amount,total_sale,sales_tax,exemption_type'.split(
    ',',
  );

const rowOf = ({ hundreds, on, state, exemption }: Order, index: number): readonly string[] => {
  const tax = state === 'CA' && exemption === '' ? (hundreds * 10.75).toFixed(2) : '0.00';
  const total = `${hundreds}00.00`;
  return [
    'shop',
    `${index}`,
    'order',
    '',
    `${on}T12:00:00-07:00`,
    ...PLACES[state],
    'US',
    '0.00',
    total,
    tax,
    exemption,
  ];
};

const anyOrder: fc.Arbitrary<Order> = fc.record({
  hundreds: fc.integer({ min: 1, max: 3 }),
  on: fc.constantFrom('2026-10-10', '2026-10-11'),
  state: fc.constantFrom('CA', 'OR'),
  exemption: fc.constantFrom('', 'wholesale', 'marketplace'),
});

type Shop = {
  readonly ports: ClosePorts;
  readonly export: (orders: readonly Order[]) => Promise<void>;
  /** Calls for a calculation so far. */
  readonly calls: () => number;
};

const inAShop = async (work: (shop: Shop) => Promise<void>, policy: object = {}): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-plan-'));
  try {
    await closeInMemory({ folder, content: CONTENT, settings: { ...SETTINGS, policy } }, async (ports) => {
      let calls = 0;
      const calculateTax: ClosePorts['service']['calculateTax'] = (request) => {
        calls += 1;
        return ports.service.calculateTax(request);
      };
      await work({
        ports: { ...ports, service: { ...ports.service, calculateTax } },
        export: (orders) => writeFile(join(folder, 'orders.csv'), stringify([HEADER, ...orders.map(rowOf)])),
        calls: () => calls,
      });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const planOf = async (ports: ClosePorts) =>
  (await closePlan.run({ ...ports, progress: silentProgress }, { period: '2026-10' })).calculations;

const expectAsPlanned = async ({ ports, calls }: Shop) => {
  const { toAsk, forExemptions, forLateItems } = await planOf(ports);
  const before = calls();
  await settleLate(ports, OCTOBER);
  await recomputeTax(ports, OCTOBER, () => {});
  expect(calls() - before).toBe(toAsk + forExemptions + forLateItems);
  return { toAsk, forExemptions, forLateItems };
};

test('a month that collected what was due asks exactly what was planned, also when it has grown', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(anyOrder, { minLength: 1, maxLength: 8 }),
      fc.array(anyOrder, { maxLength: 3 }),
      (orders, more) =>
        inAShop(async (shop) => {
          await shop.export(orders);
          await expectAsPlanned(shop);
          await shop.export([...orders, ...more]);
          await expectAsPlanned(shop);
          expect(await planOf(shop.ports)).toMatchObject({ toAsk: 0, forExemptions: 0, forLateItems: 0 });
        }),
    ),
    { numRuns: 15 },
  ));

const SALE: Order = { hundreds: 1, on: '2026-09-10', state: 'CA', exemption: '' };
const LATE: Order = { ...SALE, hundreds: 2 };
const NOW: Order = { ...SALE, hundreds: 3, on: '2026-10-10' };

test.each([
  ['ask', { toAsk: 1, forLateItems: 1 }],
  ['carry', { toAsk: 2, forLateItems: 0 }],
  ['amend', { toAsk: 1, forLateItems: 0 }],
])('what came late for a locked month is planned with it where the policy is to %s', (lateItems, expected) =>
  inAShop(
    async (shop) => {
      const { ports } = shop;
      await shop.export([SALE]);
      await monthlyClose.run({ ...ports, progress: silentProgress }, { period: '2026-09' });
      await lockPeriod(ports.workspace, {
        label: '2026-09',
        configuration: configurationDigest(ports.configuration),
        who: 'Dana Reyes',
        openExceptions: '',
        now: ports.clock.now(),
        today: calendarDate('2026-11-02'),
      });
      await shop.export([SALE, LATE, NOW]);
      expect(await expectAsPlanned(shop)).toMatchObject(expected);
    },
    { lateItems },
  ),
);
