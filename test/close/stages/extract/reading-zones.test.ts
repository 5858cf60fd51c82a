import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { postingOf } from '../../../../src/close/sales/sale.ts';
import { readExports } from '../../../../src/core/read-exports.ts';
import { extractSales, loadConfiguration, parsePeriod, postedSalesOf } from '../../../../src/index.ts';
import { portsHere } from '../../../support/close-here.ts';
import { temporaryFolder } from '../../../support/tieout.ts';

/** Profiles whose records can come in several parts. */
const IN_PARTS = [
  'amazon.date-range',
  'amazon.sales-tax',
  'ebay.transactions',
  'square.items',
  'square.transactions',
];

const YEARS = parsePeriod('2025-01..2027-12') as never;

/** The sales of a channel as they are read in these time zones: of the seller, and of the channel. */
const salesIn = async (folder: string, profile: string, timeZone: string, channelZone = timeZone) => {
  await writeFile(
    join(folder, 'tieout.yaml'),
    `entity: shop
name: Test shop
timeZone: ${timeZone}
shipFrom: { country: US, state: CA, zip: "94607", city: Oakland, street: 1 Main St }
registrations: [{ state: CA, since: "2019-01-01" }]
channels:
  - name: shop
    profile: ${profile}
    timeZone: ${channelZone}
    files: ['*.csv']
    locations:
      Pier 9: { country: US, state: CA, zip: "94607", city: Oakland, street: 9 Embarcadero West }
      Ferry Plaza: { country: US, state: NY, zip: "10004", city: New York, street: 1 South St }
`,
  );
  return portsHere(folder, async (ports) => {
    const { summary } = await extractSales(ports, () => {});
    const sales = new Map<string, object>();
    for await (const page of postedSalesOf(ports.workspace, YEARS)) {
      for (const { sale } of page.sales) sales.set(sale.key, sale);
    }
    return { summary, sales };
  });
};

/** The same, read from nothing, with most of it in files. */
const readAnew = async (folder: string) => {
  const configuration = await loadConfiguration(join(folder, 'tieout.yaml'));
  const found = await readExports(configuration, { folder: await temporaryFolder(), itemsMax: 3 });
  const sales = new Map<string, object>();
  for (const { sale } of found.sales.days().flatMap(found.sales.take)) {
    if (postingOf(sale) === 'posted') sales.set(sale.key, sale);
  }
  return { summary: found.summary, sales };
};

test.for(IN_PARTS)('records of %s are the same in other zones, and from nothing', async (profile) => {
  const folder = await temporaryFolder();
  await cp(join('samples/exports', profile), folder, { recursive: true });
  await salesIn(folder, profile, 'Asia/Kolkata');
  for (const [seller, channel] of [
    ['Pacific/Pago_Pago', 'Pacific/Pago_Pago'],
    ['America/New_York', 'Pacific/Pago_Pago'],
    ['America/New_York', 'Europe/Berlin'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
  ] as const) {
    const again = await salesIn(folder, profile, seller, channel);
    expect(again.sales.size).not.toBe(0);
    expect(again).toEqual(await readAnew(folder));
  }
});
