import { describe, expect, test } from 'vitest';
import { type Month, month } from '../support/month.ts';
import { sheetText } from '../support/sheets.ts';
import type { Order } from '../support/shop-exports.ts';

const DENVER = { city: 'Denver', zip: '80202', state: 'CO' };
const GOLDEN = { city: 'Golden', zip: '80401', state: 'CO' };
const ESTES_PARK = { city: 'Estes Park', zip: '80517', state: 'CO' };

const orders: readonly Order[] = [
  { name: '#1', to: DENVER, price: '100.00', tax: '9.15' },
  { name: '#2', to: DENVER, price: '10.00', tax: '1.00' },
  { name: '#3', to: GOLDEN, price: '100.00', tax: '7.50' },
  { name: '#4', to: ESTES_PARK, price: '100.00', tax: '8.70' },
];

/** The levels of October that each return takes: `city CO Denver`. */
const leviesOf = async (shop: Month, keys: readonly unknown[]) => {
  const levies = [];
  for (const key of keys)
    for (const row of await shop.rows(
      `Levels_${String(key).replaceAll(' ', '_')}`,
      '2026-10',
      'filing-summary',
    ))
      levies.push({ key, place: row['Jurisdiction'], tax: row['Tax'], text: `${row['Level']} ${key}` });
  return levies;
};

type Registration = Record<string, unknown>;

/** The amounts due of October by return, with the state of a registration in Colorado. */
const closed = async (registration: Registration = {}) => {
  const own = { state: 'CO', since: '2019-01-01', deliveryFee: 'none', ...registration };
  const shop = await month({ orders, settings: { registrations: [own] } });
  await shop.close();
  const returns = await shop.rows('Returns', '2026-10', 'filing-summary');
  const keys = returns.map((row) => row['State']);
  const figure = (key: string, title: string): unknown =>
    returns.find((row) => row['State'] === key)?.[title];
  return { ...shop, keys, figure };
};

test('a county and a city of one name that both collect have returns of their own', async () => {
  const mobile = { city: 'Mobile', zip: '36602', state: 'AL' };
  const closedWith = async (choice: Registration) => {
    const own = { state: 'AL', since: '2019-01-01', ...choice };
    const shop = await month({
      orders: [{ name: '#1', to: mobile, price: '100.00', tax: '10.00' }],
      settings: { registrations: [own] },
    });
    await shop.close();
    const returns = await shop.rows('Returns', '2026-10', 'filing-summary');
    const levied = await leviesOf(
      shop,
      returns.map((row) => row['State']),
    );
    return levied.map(({ text }) => text).sort();
  };
  expect(await closedWith({ localTax: 'own' })).toEqual([
    'city AL MOBILE',
    'county AL MOBILE COUNTY',
    'state AL',
  ]);
  expect(await closedWith({ localReturns: [{ place: 'Mobile County', account: '7' }] })).toEqual([
    'city AL',
    'county AL Mobile County',
    'state AL',
  ]);
});

describe('places that collect their own tax', () => {
  test('get a return of their own by law, and the return of the state has none of their tax', async () => {
    const shop = await closed();
    const { keys, figure } = shop;
    expect(keys).toEqual(['CO', 'CO Denver', 'CO Golden']);
    expect(figure('CO Denver', 'Expected')).toBe(5.67);
    expect(figure('CO Denver', 'Taxable')).toBe(110);
    expect(figure('CO Golden', 'Expected')).toBe(3);
    const levied = await leviesOf(shop, keys);
    const cents = (amount: unknown) => Math.round(Number(amount) * 100);
    expect(keys.reduce((sum: number, key) => sum + cents(figure(String(key), 'Expected')), 0)).toBe(
      levied.reduce((sum, { tax }) => sum + cents(tax), 0),
    );
    const ofPlaces = levied.filter(({ key }) => key !== 'CO');
    expect(ofPlaces.map(({ place }) => place)).toEqual(['DENVER', 'GOLDEN']);
    const checks = await shop.rows('Checks', '2026-10', 'filing-summary');
    expect(checks.filter((row) => row['Result'] !== 'PASS')).toEqual([]);
    expect(await shop.verify()).toEqual([]);
  });

  test('are chosen one by one, with their own account and days', async () => {
    const { keys, figure, book, run } = await closed({
      localTax: 'with-state',
      localReturns: [{ place: 'DENVER', account: '302551', frequency: 'quarterly' }, { place: 'Aspen' }],
    });
    expect(keys).toEqual(['CO', 'CO Aspen', 'CO DENVER']);
    expect(figure('CO Aspen', 'Collected')).toBe(0);
    const pay = await sheetText(book('2026-10', 'filing-summary'), 'Pay');
    expect(pay).toMatch(/^CO \| DENVER .*○ NOT DUE .* Wed, Jan 20, 2027 \| Jan 20, 2027 /m);
    expect(pay).toMatch(/^CO \| Aspen .*, not verified \|/m);
    expect((await run('status', '2026-10')).stdout).toMatch(/CO DENVER +NOT DUE/);
  });
});
