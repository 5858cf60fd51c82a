import { describe, expect, test } from 'vitest';
import { month, type Settings } from '../support/month.ts';
import { type Order, type Place, SEATTLE } from '../support/shop-exports.ts';
import { storedCells } from '../support/stored-cells.ts';

const NEWARK: Place = { city: 'Newark', zip: '07102', state: 'NJ' };

const since = '2019-01-01';

/** A month whose pending orders have a status that no profile knows, so that each of them is an open decision. */
const monthOf = async (orders: readonly Order[], settings: Settings, edit = (text: string) => text) => {
  const shop = await month({ orders, settings });
  const exported = await shop.read('orders.csv');
  await shop.write('orders.csv', edit(exported.replaceAll('pending', 'settled')));
  await shop.close();
  const textsOf = async (sheet: string): Promise<readonly unknown[]> =>
    (await storedCells(shop.book('2026-10', 'filing-summary')))
      .filter(({ place }) => place.startsWith(`${sheet}!`))
      .map(({ value }) => value);
  return { ...shop, textsOf };
};

test('Pay says which tax of the return of Washington is not computed', async () => {
  const settings = { registrations: [{ state: 'WA', since }] };
  const shop = await monthOf([{ name: '#1', to: SEATTLE }], settings);
  const [row] = await shop.rows('Pay', '2026-10', 'filing-summary');
  expect(row?.['Before you file']).toMatch(
    /Business and occupation tax \(line 2\) is not computed here: add it/,
  );
});

describe('a month of New Jersey, which wants its return only above 500.00 of tax', () => {
  const SOLD: Order = { name: '#1', to: NEWARK, price: '7396.23', tax: '490.00' };
  const held = (tax: string): Order => ({ name: '#2', to: NEWARK, status: 'pending', price: '400.00', tax });
  const settings = { registrations: [{ state: 'NJ', since }] };

  test('is NOT READY, and to be paid in time, while a decision is open', async () => {
    const shop = await monthOf([SOLD, held('30.00')], settings);
    const [row, ...others] = await shop.rows('Pay', '2026-10', 'filing-summary');
    expect(others).toEqual([]);
    expect(row).toMatchObject({ State: 'NJ', Status: '✕ BLOCKED', 'To pay': 490 });
    expect(await shop.textsOf('Pay')).toContain('October 2026: ✕ NOT READY  ·  1 of 1 return could change');
    expect(await shop.read('out/shop/2026-10/report.html')).toContain(
      '<span>1 of 1 return could change</span>',
    );
    const { stdout } = await shop.run('status', '2026-10');
    expect(stdout).toMatch(/NJ {2}BLOCKED {2}490\.00 .*pay by .*, Nov 2\d, 2026/);
    expect(stdout).not.toContain('ST-50');
    expect(await shop.verify()).toEqual([]);
  });
});
