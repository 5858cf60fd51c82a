import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { lock } from '../../pipelines/lock.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { unlockPeriod } from '../../src/close/periods/unlock-period.ts';
import type { ClosePorts } from '../../src/close/stages/close-ports.ts';
import { instant } from '../../src/kernel/calendar.ts';
import { silentProgress } from '../../src/runtime/progress.ts';
import { closeHere, portsHere } from '../support/close-here.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { publishedIn } from './outcome.ts';

/**
 * Between a run that was cut off and the next one the exports may change. What the run has done by then is not done
 * again by the next one, so the workspace must know of it.
 */

const CUT = new Error('cut off');

test('an export whose reading was cut off is replaced by the one before it: the month is what it was', async () => {
  const folder = await temporaryFolder();
  const load = async (price: string) => {
    await writeOrders(folder, 'first.csv', [{ name: '#1', price }]);
    await writeOrders(folder, 'second.csv', [{ name: '#2', price }]);
  };
  await writeShop(folder, ['first.csv', 'second.csv']);
  await load('100.00');
  await closeHere(folder);
  const before = await publishedIn(folder);
  expect(before).not.toEqual({});

  await load('900.00');
  const advanced = (stage: string) => {
    if (stage === 'extract') throw CUT;
  };
  const cut = portsHere(folder, (ports) =>
    monthlyClose.run({ ...ports, progress: { ...silentProgress, advanced } }, { period: '2026-10' }),
  );
  await expect(cut).rejects.toBe(CUT);
  await load('100.00');
  await closeHere(folder);
  expect(await publishedIn(folder)).toEqual(before);
});

const WOO = new URL('../../samples/exports/woo.webtoffee/order_export_2026-10.csv', import.meta.url);

/** An export of one order of 50.00, which tells in the same row what was given back of it. */
const writePacked = async (folder: string, id: string, refund: string): Promise<void> => {
  const rows = parse<Record<string, string>>(readFileSync(WOO), { columns: true });
  const order = { ...rows[0], order_id: id, order_number: id, refund_items: refund };
  await writeFile(join(folder, 'orders.csv'), stringify([order], { header: true }));
};

test('an order is never known without what was given back of it, wherever the reading is cut off', async () => {
  const [calm, folder] = [await temporaryFolder(), await temporaryFolder()];
  for (const place of [calm, folder]) await writeShop(place, ['orders.csv']);
  await writePacked(folder, '401', 'amount:5.00|reason:broken|date:2026-10-20 10:00:00');
  const cut = closeHere(folder, (ports) => ({
    ...ports,
    workspace: {
      ...ports.workspace,
      upsert: async (into, rows, within) => {
        if (into === 'refund_date' && rows.length > 0) throw CUT;
        await ports.workspace.upsert(into, rows, within);
      },
    },
  }));
  await expect(cut).rejects.toBe(CUT);
  for (const place of [calm, folder]) {
    await writePacked(place, '402', '');
    await closeHere(place);
  }
  expect(await publishedIn(folder)).toEqual(await publishedIn(calm));
});

/** The service does what it is asked of records of this name, and the close is cut off before it has noted that. */
const cutOffAfterSending = (ports: ClosePorts, name: RegExp): ClosePorts => {
  const { service } = ports;
  const cutting =
    <Args extends unknown[], Answer>(method: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      const answer = await method.apply(service, args);
      if (name.test(JSON.stringify(args))) throw CUT;
      return answer;
    };
  return {
    ...ports,
    service: {
      ...service,
      createOrder: cutting(service.createOrder),
      createRefund: cutting(service.createRefund),
      updateOrder: cutting(service.updateOrder),
    },
  };
};

test('a change that was sent, and not noted, is taken back when the export is put back', async () => {
  const folder = await temporaryFolder();
  const load = (price: string) => writeOrders(folder, 'orders.csv', [{ name: '#1', price }]);
  await writeShop(folder, ['orders.csv']);
  await load('100.00');
  await closeHere(folder);
  await load('120.00');
  await expect(closeHere(folder, (ports) => cutOffAfterSending(ports, /"1"/))).rejects.toBe(CUT);
  await load('100.00');
  const { written, submitted } = await closeHere(folder);
  expect(submitted).toMatchObject({ updated: 1 });
  expect(written.report.readiness.ready).toBe(true);
});

test('a month is not unlocked when a correction of it was sent, even if nobody noted the answer', async () => {
  const folder = await temporaryFolder();
  await writeOrders(folder, 'october.csv', [{ name: '#1' }]);
  await writeShop(folder, ['october.csv'], [], 'policy: { lateItems: carry }\n');
  await closeHere(folder);
  await portsHere(folder, (ports) => lock.run(ports, { period: '2026-10', who: 'A' }));
  await writeOrders(folder, 'november.csv', [{ name: '#1', price: '120.00', tax: '12.90' }]);
  await writeShop(folder, ['november.csv'], [], 'policy: { lateItems: carry }\n');
  const cut = portsHere(folder, (ports) =>
    monthlyClose.run(
      { ...cutOffAfterSending(ports, /late/), progress: silentProgress },
      { period: '2026-11' },
    ),
  );
  await expect(cut).rejects.toBe(CUT);
  const unlocked = portsHere(folder, ({ workspace }) =>
    unlockPeriod(workspace, { label: '2026-10', who: 'A', why: 'a mistake', now: instant(0) }),
  );
  await expect(unlocked).rejects.toMatchObject({
    message: expect.stringContaining('are recorded with the tax service already'),
  });
});
