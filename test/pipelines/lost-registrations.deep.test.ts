import { describe, expect, test } from 'vitest';
import { amendLate, lockClosed } from '../support/decisions.ts';
import { type Month, month, type Settings } from '../support/month.ts';
import { OAKLAND, SEATTLE, type TemplateRow } from '../support/shop-exports.ts';

const since = '2019-01-01';

/** A shop in California, and in Washington where that is configured. */
const settingsWith = (washington?: Settings): Settings => ({
  registrations: [{ state: 'CA', since }, ...(washington ? [{ state: 'WA', since, ...washington }] : [])],
});

/** The amounts of Pay by state. */
const paid = async (shop: Month, version: string): Promise<Record<string, unknown>> => {
  const rows = await shop.rows('Pay', version, 'filing-summary');
  return Object.fromEntries(rows.map((row) => [row['State'], row['To pay'] ?? row['Credit']]));
};

const failedChecks = async (shop: Month, version: string): Promise<readonly unknown[]> =>
  (await shop.rows('Checks', version, 'filing-summary')).filter(({ Result }) => Result !== 'PASS');

const status = async (shop: Month, ...args: readonly string[]): Promise<string> =>
  (await shop.run('status', ...args)).stdout;

describe('a locked month whose registration the configuration has no longer', () => {
  const inOakland: TemplateRow = { name: '#1', to: OAKLAND, tax: '10.75' };
  const inSeattle: TemplateRow = { name: '#2', to: SEATTLE, tax: '10.55' };
  const first = '2026-10-amended-1';
  const second = '2026-10-amended-2';

  test.each([
    ['lost', settingsWith()],
    ['moved to a later day', settingsWith({ since: '2026-11-01' })],
  ])('keeps its return in every amended version: %s', async (_, settings) => {
    const credits = [{ period: '2026-10', added: '2.00' }];
    const shop = await month({ template: [inOakland, inSeattle], settings: settingsWith({ credits }) });
    await lockClosed(shop, '2026-10');
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
});

test('a refund after the registration is claimed from the state, and not given to customers again', async () => {
  const order: TemplateRow = { name: '#1', to: SEATTLE, tax: '10.55' };
  const refund: TemplateRow = { ...order, name: '#2', refundOf: '#1', at: '2026-11-10' };
  const shop = await month({ template: [order, refund], settings: settingsWith({}) });
  await lockClosed(shop, '2026-10');
  await shop.change({ settings: settingsWith() });
  await shop.close('2026-11');
  const told = await status(shop, '2026-11');
  expect(told).toContain('On no return: WA -10.55; the sheet Pay says what to do.');
  const said = (await shop.rows('Exceptions', '2026-11')).map(({ What }) => What);
  expect(said).toContainEqual(expect.stringContaining('claim it from the state'));
  expect((await shop.run('status', '2026-11', '--json')).stdout).toContain(
    'If a return paid this tax to Washington, claim it from the state',
  );
});

test('a registration from a day before a lock is named with the return that the locked month lacks, until that is closed again', async () => {
  const shop = await month({
    template: [
      { name: '#1', to: SEATTLE, tax: '10.55', at: '2025-10-10' },
      { name: '#2', to: OAKLAND, at: '2025-11-10' },
    ],
    settings: settingsWith(),
  });
  await lockClosed(shop, '2025-10');
  expect(await status(shop)).not.toContain('not closed:');
  await shop.change({ settings: settingsWith({}) });
  const { stdout } = await shop.run('close', '2025-11');
  for (const told of [stdout, await status(shop)])
    expect(told).toMatch(/2025-10 +not closed: WA, .* \(unlock it first if it is locked\)/);
  await lockClosed(shop, '2025-11');
  await shop.told(0, 'unlock', '2025-11', '--reason', 'first');
  await shop.told(0, 'unlock', '2025-10', '--reason', 'registered');
  await lockClosed(shop, '2025-10');
  expect(await status(shop)).not.toContain('not closed:');
});
