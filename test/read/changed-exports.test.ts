import { writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfiguration, readExports } from '../../src/index.ts';
import { register } from '../support/register.ts';
import { type Order, ordersExport, refundsExport } from '../support/shop-exports.ts';
import { temporaryFolder } from '../support/tieout.ts';

const ORDERS: readonly Order[] = [{ name: '#1' }, { name: '#2' }];

/** A shop with an export of orders and one of refunds, read with something that happens meanwhile. */
const shopWith = async (more = '') => {
  const folder = await temporaryFolder();
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  write(
    'tieout.yaml',
    `entity: shop
name: Test shop
timeZone: America/Los_Angeles
shipFrom: { country: US, state: CA, zip: "94607", city: Oakland, street: 1 Main St }
registrations: [{ state: CA, since: "2019-01-01" }]
channels: [{ name: shop, files: [orders.csv], refundDates: [refunds.csv] }]
${more}`,
  );
  write('orders.csv', ordersExport(ORDERS));
  write('refunds.csv', refundsExport([{ order: '#1' }]));
  const read = async (meanwhile: () => void = () => {}): Promise<string> => {
    const configuration = await loadConfiguration(join(folder, 'tieout.yaml'));
    return (await readExports(configuration, { folder: join(folder, 'parts'), advanced: meanwhile })).summary;
  };
  return { folder, write, read };
};

describe('a file that changes while it is read stops the close, and the next one reads it again', () => {
  test('an export that is downloaded over itself', async () => {
    const { write, read } = await shopWith();
    const whole = ordersExport(ORDERS);
    const cut = read(() => write('orders.csv', whole.slice(0, whole.length / 2)));
    await expect(cut).rejects.toMatchObject({ code: 'E_EXPORT_CHANGED', recovery: 'retry' });
    write('orders.csv', whole);
    expect(await read()).toMatch(/^3 rows: 3 used/);
  });

  test('the dates of refunds beside it', async () => {
    const { write, read } = await shopWith();
    const changed = read(() => write('refunds.csv', refundsExport([{ order: '#2' }])));
    await expect(changed).rejects.toThrow(/refunds\.csv: the file was changed or replaced while it was read/);
  });

  test('the register of certificates', async () => {
    const { folder, read } = await shopWith('certificates: [register.csv]\n');
    const registerOf = (version: number): string =>
      register(Array.from({ length: 3_000 }, (_, number) => ({ id: `RC-${version}-${number}` })));
    let isOver = false;
    const replaceAgainAndAgain = async (): Promise<void> => {
      for (let version = 1; !isOver; version += 1) {
        await writeFile(join(folder, 'next.csv'), registerOf(version));
        await rename(join(folder, 'next.csv'), join(folder, 'register.csv'));
      }
    };
    await writeFile(join(folder, 'register.csv'), registerOf(0));
    const replacing = replaceAgainAndAgain();
    try {
      await expect(read()).rejects.toMatchObject({ code: 'E_EXPORT_CHANGED' });
    } finally {
      isOver = true;
      await replacing;
    }
  });
});
