import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { historicalBackfill } from '../../pipelines/historical-backfill.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { verifyEvidence } from '../../src/close/evidence/verify-evidence.ts';
import { portsHere } from '../support/close-here.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import { filesOf, temporaryFolder } from '../support/tieout.ts';

const close = (folder: string, period: string) =>
  portsHere(folder, (ports) => monthlyClose.run(ports, { period }));

const backfill = (folder: string, parallel: number) =>
  portsHere(folder, (ports) => historicalBackfill.run(ports, { period: '2026-10..2026-11', parallel }));

const writeDays = (folder: string, days: readonly string[]) =>
  writeOrders(
    folder,
    'orders.csv',
    days.map((day, index) => ({ name: `#${index + 1}`, at: `2026-${day} 12:00:00 -0700` })),
  );

const shop = async (days: readonly string[]): Promise<string> => {
  const folder = await temporaryFolder();
  await writeShop(folder, ['orders.csv']);
  await writeDays(folder, days);
  return folder;
};

test('an order that gets a later day leaves the books of its month with the next close of that month', async () => {
  const folder = await shop(['10-10', '10-11']);
  await close(folder, '2026-10');
  await writeDays(folder, ['10-10', '11-15']);

  const october = await close(folder, '2026-10');
  expect(october.submitted).toMatchObject({ updated: 1, unchanged: 1 });
  expect(october.written.report).toMatchObject({ exceptions: [], days: [{ posted: 1, recorded: 1 }] });
  const files = await filesOf(join(folder, 'out', 'shop', '2026-10'));

  const november = await close(folder, '2026-11');
  expect(november.submitted).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  expect(november.written.report).toMatchObject({ exceptions: [], days: [{ posted: 1, recorded: 1 }] });
  await close(folder, '2026-10');
  expect(await filesOf(join(folder, 'out', 'shop', '2026-10'))).toEqual(files);
});

test('however many months a backfill works on at once, orders that moved between them are in the same files', async () => {
  const outputs = [1, 2].map(async (parallel) => {
    const folder = await shop(['10-10', '10-11', '11-20']);
    await backfill(folder, 1);
    await writeDays(folder, ['10-10', '11-15', '10-20']);
    await backfill(folder, parallel);
    return filesOf(join(folder, 'out'));
  });
  const [one, two] = await Promise.all(outputs);
  expect(two).toEqual(one);
});

test('a refund that gets a later day cannot leave: both months name it, and both can be verified', async () => {
  const folder = await shop([]);
  const write = (day: string) =>
    writeFile(
      join(folder, 'orders.csv'),
      [
        'order_id,transaction_type,transaction_reference_id,completed_at,shiptostreet,shiptocity,shiptostate,shiptozip,shiptocountrycode,shipping_amount,total_sale,sales_tax',
        '1,Order,,2026-10-10,1 Main St,Oakland,CA,94607,US,0.00,100.00,10.75',
        `1-R,Refund,1,2026-${day},1 Main St,Oakland,CA,94607,US,0.00,-100.00,-10.75`,
      ].join('\n'),
    );
  await write('10-20');
  await close(folder, '2026-10');
  await write('11-20');
  const findings = async (period: string) => {
    const { folder: written, report } = (await close(folder, period)).written;
    const { verdicts } = await verifyEvidence(written);
    expect(verdicts.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    return report.exceptions.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  };
  expect(await findings('2026-10')).toEqual([
    'the service holds this refund of "shopify" with -10.75 tax; orders.csv:3 is of 2026-11-20 now',
  ]);
  expect(await findings('2026-11')).toEqual([
    'transaction_date was sent as "2026-11-20T08:00:00.000Z" and is recorded as "2026-10-20T07:00:00.000Z"; once it is deleted there, it is sent again',
  ]);
});
