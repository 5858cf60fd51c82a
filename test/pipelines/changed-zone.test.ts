import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { late } from '../../pipelines/late.ts';
import { lock } from '../../pipelines/lock.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { verifyEvidence } from '../../src/close/evidence/verify-evidence.ts';
import { portsHere } from '../support/close-here.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';

test('what was filed before days were counted in another zone is in the log of its amended version, and named where it is now', async () => {
  const folder = await temporaryFolder();
  const evening = { name: '#1', at: '2026-10-31 23:30:00 -0700' };
  await writeShop(folder, ['orders.csv']);
  await writeOrders(folder, 'orders.csv', [evening]);
  await portsHere(folder, (ports) => monthlyClose.run(ports, { period: '2026-10' }));
  await portsHere(folder, (ports) => lock.run(ports, { period: '2026-10' }));

  const settings = join(folder, 'tieout.yaml');
  await writeFile(settings, (await readFile(settings, 'utf8')).replace('Los_Angeles', 'New_York'));
  await writeOrders(folder, 'orders.csv', [evening, { name: '#2' }]);
  await portsHere(folder, (ports) => late.run(ports, { period: '2026-10', choice: 'amend' }));

  const { verdicts } = await verifyEvidence(join(folder, 'out', 'shop', '2026-10-amended-1'));
  expect(verdicts.flatMap(({ problem }) => problem ?? [])).toEqual([]);

  const november = await portsHere(folder, (ports) => monthlyClose.run(ports, { period: '2026-11' }));
  const { exceptions } = november.written.report;
  expect(exceptions.filter(({ code }) => code === 'R20').map(({ message }) => message)).toEqual([
    'the service holds this order of "shopify" with 10.75 tax; it is filed with 2026-10',
  ]);
});
