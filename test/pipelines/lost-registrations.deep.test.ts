import { describe, expect, test } from 'vitest';
import { amendLate, carryLate } from '../support/decisions.ts';
import { type Month, month, type Settings } from '../support/month.ts';
import { sheetText } from '../support/sheets.ts';
import { OAKLAND, SEATTLE, type TemplateRow } from '../support/shop-exports.ts';

const since = '2019-01-01';

/** A shop in California, and in Washington where that is configured. */
const settingsWith = (washington?: Settings): Settings => ({
  registrations: [{ state: 'CA', since }, ...(washington ? [{ state: 'WA', since, ...washington }] : [])],
});

const lock = async (shop: Month, ...periods: readonly string[]): Promise<void> => {
  for (const period of periods) {
    await shop.run('close', period);
    await shop.told(0, 'lock', period, '--as', 'Dana', '--open-exceptions', 'known');
  }
};

/** The amounts of Pay by state. */
const paid = async (shop: Month, version: string): Promise<Record<string, unknown>> => {
  const rows = await shop.rows('Pay', version, 'filing-summary');
  return Object.fromEntries(rows.map((row) => [row['State'], row['To pay']]));
};

const failedChecks = async (shop: Month, version: string): Promise<readonly unknown[]> =>
  (await shop.rows('Checks', version, 'filing-summary')).filter(({ Result }) => Result !== 'PASS');

const status = async (shop: Month, ...args: readonly string[]): Promise<string> =>
  (await shop.run('status', ...args)).stdout;

describe('a locked month whose registration the configuration has no longer', () => {
  const inOakland: TemplateRow = { name: '#1', to: OAKLAND, tax: '10.75' };
  const inSeattle: TemplateRow = { name: '#2', to: SEATTLE, tax: '10.55' };
  const [first, second] = ['2026-10-amended-1', '2026-10-amended-2'];

  test.each([
    ['lost', settingsWith()],
    ['moved to a later day', settingsWith({ since: '2026-11-01' })],
  ])('keeps its return in every amended version: %s', async (_, settings) => {
    const credits = [{ period: '2026-10', added: '2.00' }];
    const shop = await month({ template: [inOakland, inSeattle], settings: settingsWith({ credits }) });
    await lock(shop, '2026-10');
    expect(await paid(shop, '2026-10')).toEqual({ CA: 11, WA: 8.55 });

    await shop.change({ template: [inOakland, { ...inSeattle, to: OAKLAND, tax: '10.75' }], settings });
    await amendLate(shop, '2026-10', '2026-11');
    expect(await paid(shop, first)).toEqual({ CA: 11, WA: -8.55 });
    expect(await failedChecks(shop, first)).toEqual([]);
    expect(await status(shop, first)).toMatch(/WA {2}TO FILE +-8\.55 /);

    const more = [inOakland, { ...inSeattle, to: OAKLAND, tax: '10.75' }, { ...inOakland, name: '#3' }];
    await shop.change({ template: more });
    await amendLate(shop, '2026-10', '2026-11', 2);
    expect(await paid(shop, second)).toEqual({ CA: 11 });
    expect(await status(shop, second)).toMatch(/WA {2}NOTHING TO FILE +0\.00 /);
    for (const version of [first, second]) expect(await shop.verify(version)).toEqual([]);
  });

  test('leaves nothing to the month into which its records are carried, which is ready without it', async () => {
    const shop = await month({ template: [inOakland, inSeattle], settings: settingsWith({}) });
    await lock(shop, '2026-10');
    const november: TemplateRow = { ...inOakland, name: '#3', at: '2026-11-10' };
    const less = { ...inSeattle, price: '50.00', tax: '5.28' };
    await shop.change({ template: [inOakland, less, november], settings: settingsWith() });
    await carryLate(shop, '2026-11');
    const { readiness } = await shop.close('2026-11');
    expect(readiness.reasons).toEqual([]);
    expect(await failedChecks(shop, '2026-11')).toEqual([]);
    expect(await status(shop, '2026-11')).toContain('Given back, but on no return: WA 5.27;');
  });
});

test('a month of a quarter that was locked does not make the other months lack a return', async () => {
  const orders = ['2025-07-11', '2025-08-11', '2025-09-11'].map((at, index) => ({
    name: `#${index + 1}`,
    at,
  }));
  const california = { state: 'CA', since, frequency: 'quarterly' };
  const both = [california, { state: 'WA', since, frequency: 'monthly' }];
  const shop = await month({ orders, settings: { registrations: both } });
  await lock(shop, '2025-07');
  await shop.change({ settings: { registrations: [california] } });
  await lock(shop, '2025-08', '2025-09');
  expect(await status(shop)).not.toContain('before the registration');
  await lock(shop, '2025-Q3');
  expect(await status(shop)).not.toContain('before the registration');
});

test('a refund after the registration is claimed from the state, and not given to customers again', async () => {
  const order: TemplateRow = { name: '#1', to: SEATTLE, tax: '10.55' };
  const refund: TemplateRow = { ...order, name: '#2', refundOf: '#1', at: '2026-11-10' };
  const shop = await month({ template: [order, refund], settings: settingsWith({}) });
  await lock(shop, '2026-10');
  await shop.change({ settings: settingsWith() });
  await shop.close('2026-11');
  const told = await status(shop, '2026-11');
  expect(told).toContain('Given back, but on no return: WA 10.55; the sheet Pay says what to do.');
  expect(told).not.toContain('Collected, but');
  const said = (await shop.rows('Exceptions', '2026-11')).map(({ What }) => What);
  expect(said).toContainEqual(expect.stringContaining('claim it from the state'));
  expect((await shop.run('status', '2026-11', '--json')).stdout).toContain(
    'If a return paid this tax to Washington, claim it from the state',
  );
});

describe('a registration from a day before a lock', () => {
  test('is named with the return that the locked month lacks, until that is closed again', async () => {
    const shop = await month({
      template: [
        { name: '#1', to: SEATTLE, tax: '10.55', at: '2025-10-10' },
        { name: '#2', to: OAKLAND, at: '2025-11-10' },
      ],
      settings: settingsWith(),
    });
    await lock(shop, '2025-10');
    expect(await status(shop)).not.toContain('before the registration');
    await shop.change({ settings: settingsWith({}) });
    const { stdout } = await shop.run('close', '2025-11');
    for (const told of [stdout, await status(shop)])
      expect(told).toMatch(
        /2025-10 +locked before the registration: file these by themselves, or .*\n +WA {2}/,
      );
    await lock(shop, '2025-11');
    await shop.told(0, 'unlock', '2025-11', '--reason', 'first');
    await shop.told(0, 'unlock', '2025-10', '--reason', 'registered');
    await lock(shop, '2025-10');
    expect(await status(shop)).not.toContain('before the registration');
  });

  test('names no return that the state does not require of the month', async () => {
    const shop = await month({
      template: [{ name: '#1', to: OAKLAND, at: '2025-09-10' }],
      settings: settingsWith(),
    });
    await lock(shop, '2025-09');
    const registrations = ['CA', 'NJ', 'WA'].map((state) => ({ state, since: '2025-09-05' }));
    await shop.change({ settings: { registrations } });
    const told = await status(shop);
    expect(told).toMatch(/2025-09 +locked before the registration.*\n +WA {2}/);
    expect(told).not.toContain('ST-51');
  });

  test('leaves the months before it alone', async () => {
    const shop = await month({
      template: [{ name: '#1', to: OAKLAND, at: '2025-10-10' }],
      settings: settingsWith(),
    });
    await lock(shop, '2025-10');
    await shop.change({ settings: settingsWith({ since: '2025-11-01' }) });
    await shop.close('2025-11');
    expect(await status(shop)).not.toContain('before the registration');
  });
});

describe('tax without a registration', () => {
  const charged: TemplateRow = { name: '#1', to: SEATTLE, tax: '10.55' };

  test('of new customers is not set against what a refund gave back of an earlier month', async () => {
    const refund: TemplateRow = { ...charged, name: '#2', refundOf: '#1', at: '2026-11-10' };
    const another: TemplateRow = { ...charged, name: '#3', at: '2026-11-12' };
    const shop = await month({ template: [charged, refund, another], settings: settingsWith() });
    await lock(shop, '2026-10');
    await shop.close('2026-11');
    expect(await status(shop, '2026-11')).toContain(
      'Collected, but on no return: WA 10.55. Given back, but on no return: WA 10.55; the sheet Pay says what to do.',
    );
    expect(await shop.read('out/shop/2026-11/open-items.csv')).toContain(
      'Refund the customer | Remit | Accept',
    );
    expect(await failedChecks(shop, '2026-11')).toEqual([]);
    expect(await shop.verify('2026-11')).toEqual([]);
  });

  test('that was given back within the month is owed to no customer', async () => {
    const refund: TemplateRow = { ...charged, name: '#2', refundOf: '#1', at: '2026-10-20' };
    const shop = await month({ template: [charged, refund], settings: settingsWith() });
    await shop.close('2026-10');
    expect(await status(shop, '2026-10')).not.toContain('on no return');
  });

  test.each([
    ['takes the tax collected', {}, 'Remit | Refund the customer'],
    ['pays only the tax due', { basis: 'expected' }, 'Refund the customer | Remit'],
  ])('before the first day of one has the default that fits a return that %s', async (_, basis, choices) => {
    const settings = settingsWith({ since: '2026-10-15', ...basis });
    const shop = await month({ template: [{ ...charged, tax: '10.00', at: '2026-10-05' }], settings });
    await shop.close('2026-10');
    expect(await shop.read('out/shop/2026-10/open-items.csv')).toContain(choices);
  });

  test('that a refund gave back is claimed from the state where a later registration has a return', async () => {
    const before: TemplateRow = { ...charged, tax: '10.00', at: '2026-09-10' };
    const refund: TemplateRow = { ...before, name: '#2', refundOf: '#1', at: '2026-10-20' };
    const shop = await month({ template: [before, refund], settings: settingsWith({ since: '2026-10-15' }) });
    for (const period of ['2026-09', '2026-10']) await shop.close(period);
    const said = await sheetText(shop.book(), 'Decide');
    expect(said).toContain('claim it from the state');
    expect(said).not.toContain('the return pays the tax collected');
  });
});
