import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lock } from '../../pipelines/lock.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { sign } from '../../pipelines/sign.ts';
import { lockText } from '../../src/cli/lock.ts';
import { DEFAULT_CONTENT_FOLDER } from '../../src/service/content/load-content.ts';
import { publishedIn } from '../crash/outcome.ts';
import { portsHere } from '../support/close-here.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';

const PERIOD = { period: '2026-10' };

/** A shop whose October is closed with a content folder of its own. */
const closedShop = async () => {
  const folder = await temporaryFolder();
  const content = join(folder, 'content');
  await cp(DEFAULT_CONTENT_FOLDER, content, { recursive: true });
  await writeOrders(folder, 'orders.csv', [{ name: '#1' }]);
  await writeShop(folder, ['orders.csv']);
  const close = () => portsHere(folder, (ports) => monthlyClose.run(ports, PERIOD), { content });
  const { written } = await close();
  return { folder, content, close, service: written.report.service, published: await publishedIn(folder) };
};

const changeCalifornia = async (content: string): Promise<void> => {
  const rates = join(content, 'state-rates.tsv');
  await writeFile(rates, (await readFile(rates, 'utf8')).replace('CA\t0.0625\t', 'CA\t0.0725\t'));
};

test('a period is locked as it was published, and says with which tax content, whatever is there by then', async () => {
  const { folder, content, close, service, published } = await closedShop();
  await changeCalifornia(content);
  const locked = await portsHere(folder, (ports) => lock.run(ports, PERIOD), { content });
  expect(locked.snapshot).toMatchObject({ service, states: [{ state: 'CA', expected: 1075 }] });
  expect(lockText(locked)).toContain(`\nas it was closed with ${service}\n`);

  const { written } = await close();
  expect(written.report.states).toMatchObject([{ state: 'CA', expected: 1075 }]);
  expect(await publishedIn(folder)).toEqual(published);
});

test.for([
  ['tax content', '0', changeCalifornia],
  ['program', '1', async () => {}],
] as const)(
  'what would come out otherwise with the present %s is not signed, and both are named',
  async ([, version, change]) => {
    const { folder, content, service, published } = await closedShop();
    await change(content);
    const signing = { ...PERIOD, role: 'preparer', name: 'Dana' };
    const signed = portsHere(folder, (ports) => sign.run(ports, signing), { content, version });
    await expect(signed).rejects.toMatchObject({
      code: 'E_PACK_STALE',
      message: expect.stringContaining(`it was closed with ${service}, and this is embedded `),
    });
    expect(await publishedIn(folder)).toEqual(published);
  },
);
