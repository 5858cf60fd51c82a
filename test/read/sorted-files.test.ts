import { readdirSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadConfiguration, readExports } from '../../src/index.ts';
import { ordersExport } from '../support/shop-exports.ts';
import { temporaryFolder } from '../support/tieout.ts';

const EXPORTS = fileURLToPath(new URL('../../samples/exports/', import.meta.url));

/** What a channel makes of files, by their names: those it reads, and what is said of each. */
const read = async (folder: string, channel: string) => {
  await writeFile(
    join(folder, 'tieout.yaml'),
    `entity: shop
name: Test shop
timeZone: America/Los_Angeles
shipFrom: { country: US, state: CA, zip: "94607", city: Oakland, street: 1 Main St }
registrations: [{ state: CA, since: "2019-01-01" }]
channels: [{ name: shop, ${channel} }]
`,
  );
  const configuration = await loadConfiguration(join(folder, 'tieout.yaml'));
  const { inputs, summary } = await readExports(configuration, { folder: join(folder, 'parts') });
  const notices = inputs.flatMap(({ path, notices: own }) => own.map((notice) => ({ path, ...notice })));
  const used = inputs.filter((file) => file.used > 0).map(({ path }) => path);
  const isWhole = inputs.every((file) => file.used + file.ignored + file.rejected === file.rows);
  return { used, notices, summary, isWhole };
};

/** A folder with the samples of these profiles, each under its own name. */
const folderWith = async (...samples: readonly string[]): Promise<string> => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'ex'));
  for (const sample of samples) {
    const [file = ''] = readdirSync(join(EXPORTS, sample)).filter((name) => /\.csv$/i.test(name));
    await cp(join(EXPORTS, sample, file), join(folder, 'ex', `${sample}.csv`));
  }
  return folder;
};

const SORTED = new Set(['left-out', 'other-channel']);

describe('the files of a folder are sorted by what they are', () => {
  test('a profile of one’s own has the companions of the one that it extends', async () => {
    const folder = await folderWith('shopify.orders', 'shopify.payments');
    await writeFile(join(folder, 'own.yaml'), 'extends: shopify.orders\nid: shopify.our-store\n');
    const { used, notices } = await read(folder, 'profile: own.yaml, files: [ex]');
    expect(used).toEqual(['ex/shopify.orders.csv', 'ex/shopify.payments.csv']);
    expect(notices.filter(({ code }) => SORTED.has(code))).toEqual([]);
  });

  test.for([
    [
      'files: [ex]',
      ['shopify.orders', 'shopify.payments', 'paypal.activity', 'shopify.tax-transactions', 'toast.payments'],
      ['paypal.activity', 'shopify.orders', 'shopify.payments'],
      ['shopify.tax-transactions left-out', 'toast.payments other-channel'],
      'companions of the exports and of any shop are read, reports are left out',
    ],
    [
      'profile: shopify.orders, files: ["ex/*.csv"]',
      ['shopify.orders', 'shopify.payments', 'paypal.activity', 'tiktok.orders', 'etsy.orders'],
      ['shopify.orders', 'shopify.payments'],
      ['etsy.orders other-channel', 'paypal.activity other-channel', 'tiktok.orders other-channel'],
      'a channel that names its profile takes its own out of a folder that it shares',
    ],
    [
      'files: [ex], refundDates: [ex/shopify.payments.csv]',
      ['shopify.orders', 'shopify.payments'],
      ['shopify.orders', 'shopify.payments'],
      [],
      'a companion that is named as one is one, and read once',
    ],
  ] as const)('%s: $4', async ([channel, samples, used, leftOut]) => {
    const found = await read(await folderWith(...samples), channel);
    expect(found.used.map((path) => path.slice('ex/'.length, -'.csv'.length)).sort()).toEqual(used);
    const sorted = found.notices.filter(({ code }) => SORTED.has(code));
    expect(sorted.map(({ path, code }) => `${path.slice(3, -4)} ${code}`)).toEqual(leftOut);
    for (const { message } of sorted) expect(message).not.toMatch(/ a [aeiou]/i);
    expect(
      sorted.every(({ path, message }) => /tiktok|etsy/.test(path) || / (?:Export|Put) /.test(message)),
    ).toBe(true);
    expect(found.isWhole).toBe(true);
  });

  test('what holds no sales is said before anything is calculated', async () => {
    const { summary } = await read(await folderWith('shopify.orders', 'shopify.payouts'), 'files: [ex]');
    expect(summary).toContain(
      '; ex/shopify.payouts.csv: it is a Shopify Payments payouts export (shopify.payouts) and was left out. ',
    );
  });

  test('a file that is named by itself is meant, and refused where it is none', async () => {
    const folder = await folderWith('shopify.orders', 'shopify.payouts');
    const channel = 'files: [ex/shopify.orders.csv, ex/shopify.payouts.csv]';
    await expect(read(folder, channel)).rejects.toMatchObject({ code: 'E_EXPORT_REFUSED' });
  });
});

/** Files with an order on each of these days of October. */
const daysIn = async (files: Readonly<Record<string, readonly number[]>>): Promise<string> => {
  const folder = await temporaryFolder();
  for (const [name, days] of Object.entries(files)) {
    const orders = days.map((day) => ({ name: `#${day}`, at: `2026-10-${String(day).padStart(2, '0')}` }));
    await mkdir(join(folder, dirname(name)), { recursive: true });
    await writeFile(join(folder, name), ordersExport(orders));
  }
  return folder;
};
const daily = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('what the days of files say about them together', () => {
  test.for([
    [{ 'ex/a': daily(1, 15), 'ex/b': daily(16, 31) }, [], 'they follow each other'],
    [{ 'ex/a': daily(1, 15), 'ex/b': daily(18, 31) }, [], 'a weekend lies between them'],
    [{ 'ex/a': daily(1, 16), 'ex/b': daily(16, 31) }, [], 'one ends on the day on which the other begins'],
    [
      { 'ex/a': daily(20, 31), 'ex/b': daily(1, 10) },
      ['ex/a: no file has a record from 2026-10-11 to 2026-10-19; an export may be missing'],
      'days are missing, in whatever order the files come',
    ],
    [{ 'ex/a': [1, 12], 'ex/b': [21, 30] }, [], 'the shop often pauses so long'],
    [{ 'ex/a': [], 'ex/b': daily(1, 31) }, [], 'one holds no day at all'],
  ] as const)('%#: $2', async ([files, said]) => {
    const { summary } = await read(await daysIn(files), 'files: [ex]');
    expect(
      summary
        .split('; ex/')
        .slice(1)
        .map((text) => `ex/${text}`),
    ).toEqual(said);
  });
});
