import { describe, expect, test } from 'vitest';
import { type Month, month } from '../support/month.ts';
import { sheetText } from '../support/sheets.ts';
import type { TemplateRow } from '../support/shop-exports.ts';

const NEWARK = { city: 'Newark', zip: '07102', state: 'NJ' };
const since = '2019-01-01';

/** The amounts of Pay by return. */
const paid = async (shop: Month, version: string): Promise<Record<string, unknown>> => {
  const rows = await shop.rows('Pay', version, 'filing-summary');
  return Object.fromEntries(rows.map((row) => [row['State'], row['Amount due']]));
};

/** The entries of one return in the journal. */
const booked = async (shop: Month, version: string, key: string): Promise<readonly unknown[]> => {
  const rows = await shop.rows('Journal', version, 'filing-summary');
  return rows
    .filter(({ State }) => State === key)
    .map(({ Account, Debit, Credit }) => [Account, Debit, Credit]);
};

const failedChecks = async (shop: Month, version: string): Promise<readonly unknown[]> => {
  const rows = await shop.rows('Checks', version, 'filing-summary');
  return rows.filter(({ Result }) => Result !== 'PASS');
};

describe('a return that is not required up to an amount', () => {
  const october: TemplateRow = { name: '#1', to: NEWARK, price: '8000.00', tax: '530.00' };
  const taken: TemplateRow = { name: '#2', refundOf: '#1', to: NEWARK, price: '800.00', tax: '53.00' };
  const again: TemplateRow = { ...taken, name: '#3', price: '200.00', tax: '13.25' };
  const settings = {
    registrations: [{ state: 'NJ', since, prepayments: [{ period: '2026-10', opening: '20.00' }] }],
  };

  test('is required once it was filed, and the quarter takes off what its last version settled', async () => {
    const shop = await month({ template: [october], settings });
    await shop.told(0, 'close', '2026-10');
    await shop.told(0, 'lock', '2026-10');
    expect(await paid(shop, '2026-10')).toEqual({ NJ: 510 });

    const versions = ['2026-10-amended-1', '2026-10-amended-2'] as const;
    for (const template of [
      [october, taken],
      [october, taken, again],
    ]) {
      await shop.change({ template });
      await shop.told(0, 'late', '2026-10', '--amend');
    }
    expect([await paid(shop, versions[0]), await paid(shop, versions[1])]).toEqual([
      { NJ: -53 },
      { NJ: -13.25 },
    ]);
    expect(await booked(shop, versions[0], 'NJ')).toEqual([
      ['Sales tax payable', 0, 53],
      ['Due to tax authority', 53, 0],
    ]);
    for (const version of versions) {
      expect(await failedChecks(shop, version)).toEqual([]);
      expect(await shop.verify(version)).toEqual([]);
    }
    const { stdout } = await shop.run('status', versions[0]);
    expect(stdout).toMatch(/^ +NJ +FILED +-53\.00 /m);

    expect(await sheetText(shop.book(versions[0], 'filing-summary'), 'NJ ST-51')).toContain(
      'One that was filed is amended whatever its tax is.',
    );

    for (const period of ['2026-11', '2026-12', '2026-Q4']) await shop.close(period);
    const prepayments = await shop.rows('Prepayments', '2026-11', 'filing-summary');
    expect(prepayments.find(({ Kind }) => Kind === 'prepayments')?.['Opening']).toBe(0);
    const lines = await shop.rows('Return_NJ', '2026-Q4', 'filing-summary');
    expect(lines.find(({ Line }) => String(Line) === '7')?.['Amount']).toBe(463.75);
  });
});
