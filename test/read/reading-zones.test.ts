import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfiguration, readExports } from '../../src/index.ts';
import { postingOf } from '../../src/sales/sale.ts';
import { temporaryFolder } from '../support/tieout.ts';

/** Profiles whose records can come in several parts. */
const IN_PARTS = [
  'amazon.date-range',
  'amazon.sales-tax',
  'ebay.transactions',
  'square.items',
  'square.transactions',
];

/** The sales of a channel as they are read in a time zone, with so many records in memory; the rest is in files. */
const salesIn = async (folder: string, profile: string, timeZone: string, bytesMax: number) => {
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
    timeZone: Pacific/Pago_Pago
    files: ['*.csv']
    locations:
      Pier 9: { country: US, state: CA, zip: "94607", city: Oakland, street: 9 Embarcadero West }
      Ferry Plaza: { country: US, state: NY, zip: "10004", city: New York, street: 1 South St }
`,
  );
  const configuration = await loadConfiguration(join(folder, 'tieout.yaml'));
  const { summary, sales } = await readExports(configuration, { folder: await temporaryFolder(), bytesMax });
  const all = sales.days().flatMap(sales.read);
  const posted = all.flatMap(({ sale }) => (postingOf(sale) === 'posted' ? [[sale.key, sale] as const] : []));
  return { summary, sales: new Map(posted) };
};

test.for(IN_PARTS)('records of %s are the same in memory and in files, in any zone', async (profile) => {
  const folder = await temporaryFolder();
  await cp(join('samples/exports', profile), folder, { recursive: true });
  for (const zone of ['Pacific/Pago_Pago', 'America/New_York', 'Asia/Kolkata']) {
    const inFiles = await salesIn(folder, profile, zone, 3);
    expect(inFiles.sales.size).not.toBe(0);
    expect(inFiles).toEqual(await salesIn(folder, profile, zone, 100_000));
  }
});
