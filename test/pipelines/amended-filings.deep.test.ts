import { describe, expect, test } from 'vitest';
import { amendLate, lockClosed } from '../support/decisions.ts';
import { type Month, month } from '../support/month.ts';
import type { TemplateRow } from '../support/shop-exports.ts';

const NEWARK = { city: 'Newark', zip: '07102', state: 'NJ' };
const since = '2019-01-01';

/** The amounts of Pay by return. */
const paid = async (shop: Month, version: string): Promise<Record<string, unknown>> => {
  const rows = await shop.rows('Pay', version, 'filing-summary');
  return Object.fromEntries(
    rows.map((row) => [`${row['State']} ${row['Return']}`, row['To pay'] ?? row['Credit']]),
  );
};

/** The entries of one return in the journal. */
const booked = async (shop: Month, version: string, key: string): Promise<readonly unknown[]> => {
  const rows = await shop.rows('Journal', version, 'filing-summary');
  return rows
    .filter(({ State }) => State === key)
    .map(({ Account, Debit, Credit }) => [Account, Debit ?? 0, Credit ?? 0]);
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
    await lockClosed(shop, '2026-10');
    expect(await paid(shop, '2026-10')).toEqual({ 'NJ ST-51': 510 });

    const versions = ['2026-10-amended-1', '2026-10-amended-2'] as const;
    for (const [index, template] of [
      [october, taken],
      [october, taken, again],
    ].entries()) {
      await shop.change({ template });
      await amendLate(shop, '2026-10', '2026-11', index + 1);
    }
    expect([await paid(shop, versions[0]), await paid(shop, versions[1])]).toEqual([
      { 'NJ ST-51': -53 },
      { 'NJ ST-51': -13.25 },
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
    expect(stdout).toMatch(/^ +NJ +TO FILE +-53\.00 /m);

    for (const period of ['2026-11', '2026-12', '2026-Q4']) await shop.close(period);
    // Nothing is left of what was paid before.
    expect(await shop.rows('Prepayments', '2026-11', 'filing-summary')).toEqual([]);
    const lines = await shop.rows('Return_NJ', '2026-Q4', 'filing-summary');
    expect(lines.find(({ Line }) => String(Line) === '7')?.['Amount']).toBe(463.75);
  });
});

describe('a return of which nothing is left', () => {
  const [denver, golden] = [
    { city: 'Denver', zip: '80202', state: 'CO' },
    { city: 'Golden', zip: '80401', state: 'CO' },
  ];
  const inDenver: TemplateRow = { name: '#1', to: denver, tax: '9.15' };
  const inGolden: TemplateRow = { ...inDenver, to: golden, tax: '7.50' };
  const shopWith = async (deliveryFee: string): Promise<Month> => {
    const shop = await month({
      template: [inDenver],
      settings: { registrations: [{ state: 'CO', since, deliveryFee }] },
    });
    await lockClosed(shop, '2026-10');
    return shop;
  };

  test('of a place is in every later version, with what was paid to get back', async () => {
    const shop = await shopWith('none');
    const versions = ['2026-10-amended-1', '2026-10-amended-2', '2026-10-amended-3'] as const;
    const later = { ...inGolden, name: '#2' };
    // The sale of Denver is voided: that it is in no export would say nothing.
    const gone = { ...inGolden, name: '#1' };
    const third = { ...inDenver, name: '#3' };
    for (const [index, template] of [[gone], [gone, later], [gone, later, third]].entries()) {
      await shop.change({ template });
      await amendLate(shop, '2026-10', '2026-11', index + 1);
    }
    const amounts: unknown[] = [];
    for (const version of ['2026-10', ...versions]) amounts.push(await paid(shop, version));
    expect(amounts).toEqual([
      { 'CO DR 0100': 4, 'CO Denver Local return': 5.15 },
      { 'CO DR 0100': 0.5, 'CO Denver Local return': -5.15, 'CO Golden Local return': 3 },
      { 'CO DR 0100': 4.5, 'CO Golden Local return': 3 },
      { 'CO DR 0100': 4, 'CO Denver Local return': 5.15 },
    ]);
    expect(await booked(shop, versions[0], 'CO Denver')).toEqual([
      ['Sales tax payable', 0, 5.15],
      ['Due to tax authority', 5.15, 0],
    ]);
    for (const version of versions) {
      expect(await failedChecks(shop, version)).toEqual([]);
      expect(await shop.verify(version)).toEqual([]);
    }
    const status = async (version: string) => (await shop.run('status', version)).stdout;
    expect(await status(versions[0])).toMatch(/^ +CO Denver +TO FILE +-5\.15 /m);
    expect(await status(versions[1])).toMatch(/^ +CO Denver +NOTHING TO FILE/m);
    expect(await status(versions[2])).toMatch(/^ +CO Denver +TO FILE +5\.15 /m);
  });

  test('of a fee or a place is by the registration that it was filed with, whatever the configuration says now', async () => {
    const shop = await shopWith('0.31');
    const localReturns = [{ place: 'DENVER' }];
    const settings = { registrations: [{ state: 'CO', since, deliveryFee: 'none', localReturns }] };
    await shop.change({ template: [inDenver, { ...inGolden, name: '#2' }], settings });
    await amendLate(shop, '2026-10', '2026-11');
    expect(await paid(shop, '2026-10-amended-1')).toEqual({
      'CO DR 0100': 4.5,
      'CO DR 1786': 0.31,
      'CO Golden Local return': 3,
    });
    expect(await failedChecks(shop, '2026-10-amended-1')).toEqual([]);
    expect(await shop.verify('2026-10-amended-1')).toEqual([]);
  });
});
