import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import { silentProgress } from '../../src/runtime/progress.ts';
import type { PipelinePorts } from '../entry/close.ts';
import { pipelines } from '../entry/close.ts';
import { month } from '../support/month.ts';

/**
 * Between a run that was cut off and the next one the exports may change. What the run has done by then is not done
 * again by the next one, so the workspace must know of it.
 */

const CUT = new Error('cut off');

test('an export whose reading was cut off is replaced by the one before it: the month is what it was', async () => {
  const at = (price: string) => ({
    orders: { 'first.csv': [{ name: '#1', price }], 'second.csv': [{ name: '#2', price }] },
  });
  const shop = await month(at('100.00'));
  await shop.close();
  const before = await shop.files();
  expect(before.size).toBeGreaterThan(0);

  await shop.change(at('900.00'));
  const advanced = (stage: string) => {
    if (stage === 'extract') throw CUT;
  };
  const cut = shop.closeWith((ports) => ({ ...ports, progress: { ...silentProgress, advanced } }));
  await expect(cut).rejects.toBe(CUT);
  await shop.change(at('100.00'));
  await shop.close();
  expect(await shop.files()).toEqual(before);
});

const WOO = new URL('../../samples/exports/woo.webtoffee/order_export_2026-10.csv', import.meta.url);

/** An export of one order of 50.00, which tells in the same row what was given back of it. */
const packed = (id: string, refund: string): string => {
  const rows = parse<Record<string, string>>(readFileSync(WOO), { columns: true });
  const order = { ...rows[0], order_id: id, order_number: id, refund_items: refund };
  return stringify([order], { header: true });
};

test('an order is never known without what was given back of it, wherever the reading is cut off', async () => {
  const [calm, shop] = [
    await month({ channel: { files: ['orders.csv'] } }),
    await month({ channel: { files: ['orders.csv'] } }),
  ];
  await shop.write('orders.csv', packed('401', 'amount:5.00|reason:broken|date:2026-10-20 10:00:00'));
  const cut = shop.closeWith((ports) => ({
    ...ports,
    workspace: {
      ...ports.workspace,
      together: (work) =>
        ports.workspace.together((within) =>
          work({
            ...within,
            upsert: async (into, rows) => {
              if (into === 'refund_date' && rows.length > 0) throw CUT;
              await within.upsert(into, rows);
            },
          }),
        ),
    },
  }));
  await expect(cut).rejects.toBe(CUT);
  for (const place of [calm, shop]) {
    await place.write('orders.csv', packed('402', ''));
    await place.close();
  }
  expect(await shop.files()).toEqual(await calm.files());
});

/** The service does what it is asked of records of this name, and the close is cut off before it has noted that. */
const cutOffAfterSending = (ports: PipelinePorts, name: RegExp): PipelinePorts => {
  const { service } = ports;
  return {
    ...ports,
    service: {
      ...service,
      createMany: async (transactions) => {
        const outcomes = await service.createMany(transactions);
        const records = outcomes.filter((outcome) => !(outcome instanceof ServiceRefusal));
        if (name.test(JSON.stringify(records))) throw CUT;
        return outcomes;
      },
      updateOrder: async (id, changes) => {
        const record = await service.updateOrder(id, changes);
        if (name.test(JSON.stringify(record))) throw CUT;
        return record;
      },
    },
  };
};

test('a change that was sent, and not noted, is taken back when the export is put back', async () => {
  const at = (price: string) => ({ orders: [{ name: '#1', price }] });
  const shop = await month(at('100.00'));
  await shop.close();
  await shop.change(at('120.00'));
  await expect(shop.closeWith((ports) => cutOffAfterSending(ports, /"1"/))).rejects.toBe(CUT);
  await shop.change(at('100.00'));
  expect(await shop.close()).toMatchObject({ readiness: { ready: true }, submissions: { updated: 1 } });
});

test('a month is not unlocked when a correction of it was sent, even if no one noted the answer', async () => {
  const settings = { policy: { lateItems: 'carry' } };
  const shop = await month({ orders: { 'october.csv': [{ name: '#1' }] }, settings });
  await shop.close();
  await shop.told(0, 'lock', '2026-10');
  await shop.change({ orders: { 'november.csv': [{ name: '#1', price: '120.00' }] } });
  const cut = shop.ports((ports) =>
    pipelines.monthlyClose.run(cutOffAfterSending(ports, /late/), { period: '2026-11' }),
  );
  await expect(cut).rejects.toBe(CUT);
  const { stderr } = await shop.run('unlock', '2026-10', '--reason', 'a mistake');
  expect(stderr).toMatch(/^E_PERIOD_BOUND: .*are recorded with the tax service already/);
});
