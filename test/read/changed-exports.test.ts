import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfiguration, readExports } from '../../src/index.ts';
import { type Order, ordersExport, refundsExport } from '../support/shop-exports.ts';
import { temporaryFolder } from '../support/tieout.ts';

const ORDERS: readonly Order[] = [{ name: '#1' }, { name: '#2' }];

/** A shop with an export of orders and one of refunds, read with something that happens meanwhile. */
const shopWith = async () => {
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
`,
  );
  write('orders.csv', ordersExport(ORDERS));
  write('refunds.csv', refundsExport([{ order: '#1' }]));
  const read = async (meanwhile: () => void = () => {}): Promise<string> => {
    const configuration = await loadConfiguration(join(folder, 'tieout.yaml'));
    return (await readExports(configuration, { folder: join(folder, 'parts'), advanced: meanwhile })).summary;
  };
  return { write, read };
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
});
