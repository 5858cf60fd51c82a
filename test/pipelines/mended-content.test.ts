import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { DEFAULT_CONTENT_FOLDER } from '../../src/service/content/load-content.ts';
import { portsHere } from '../support/close-here.ts';
import { writeOrders } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';

const SETTINGS = `entity: shop
name: Shop
timeZone: America/Los_Angeles
shipFrom: { country: US, state: CA, zip: "95814", city: Sacramento, street: 1 K Street }
registrations: [{ state: CA, since: "2019-01-01" }]
channels: [{ name: shopify, files: [orders.csv] }]
`;

/** What California expects of October, computed with a content folder, and how many calculations of others are kept then. */
const expectedWith = (folder: string, content: string) =>
  portsHere(
    folder,
    async (ports) => {
      const { written } = await monthlyClose.run(ports, { period: '2026-10' });
      const others = await ports.workspace.tables
        .selectFrom('calculation')
        .select('digest')
        .where('service', '<>', ports.serviceId)
        .execute();
      const { service, states } = written.report;
      return { expected: states[0]?.expected, service, others: others.length };
    },
    { content },
  );

test('a rate that is mended in a content folder under the same version is computed with', async () => {
  const folder = await temporaryFolder();
  const content = join(folder, 'content');
  await cp(DEFAULT_CONTENT_FOLDER, content, { recursive: true });
  await writeFile(join(folder, 'tieout.yaml'), SETTINGS);
  await writeOrders(folder, 'orders.csv', [{ name: '#1' }]);
  const before = await expectedWith(folder, content);
  expect(before).toMatchObject({ expected: 1075, others: 0 });

  const rates = join(content, 'state-rates.tsv');
  await writeFile(rates, (await readFile(rates, 'utf8')).replace('CA\t0.0625\t', 'CA\t0.0725\t'));
  const after = await expectedWith(folder, content);
  expect(after).toMatchObject({ expected: 1175, others: 0 });
  expect(after.service).not.toBe(before.service);

  expect(await expectedWith(folder, content)).toEqual(after);
});
