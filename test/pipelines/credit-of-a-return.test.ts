import { beforeAll, describe, expect, test } from 'vitest';
import { type Month, month } from '../support/month.ts';
import { OAKLAND, type Order, SEATTLE } from '../support/shop-exports.ts';
import { sharedFolder } from '../support/tieout.ts';

const AUSTIN = { city: 'Austin', zip: '78701', state: 'TX' };

const texan = (name: string, at: string, more: Partial<Order> = {}): Order => ({
  ...{ name, at, price: '100.00', tax: '8.25', to: AUSTIN },
  ...more,
});

const registered = (texas: object = {}) => ({
  registrations: [
    { state: 'TX', since: '2019-01-01', ...texas },
    { state: 'WA', since: '2019-01-01' },
    { state: 'CA', since: '2019-01-01', frequency: 'quarterly' },
  ],
});

const todoOf = async (shop: Month, period: string, state: string): Promise<unknown> => {
  const rows = await shop.rows('Pay', period, 'filing-summary');
  return rows.find((row) => row['State'] === state)?.['Before you file'];
};

describe('a return that ends in a credit', () => {
  const folder = sharedFolder();
  const orders: readonly Order[] = [
    texan('#1', '2026-08-14', { refundedOn: '2026-09-10' }),
    { name: '#2', at: '2026-09-14', price: '100.00', tax: '10.55', to: SEATTLE },
    texan('#3', '2026-10-14'),
    { name: '#4', at: '2026-10-14', price: '100.00', tax: '10.75', to: OAKLAND },
  ];
  let shop: Month;
  beforeAll(async () => {
    shop = await month({ orders, settings: registered() }, folder);
  });

  test('is not the first payment, and says how the credit reaches a later return', async () => {
    const { stdout } = await shop.run('close', '2026-09');
    expect(stdout).toContain('due: 2 returns, 10.55 in all; first WA by Mon, Oct 26, 2026');
    const page = await shop.read('out/shop/2026-09/report.html');
    expect(page).toContain('<span>To pay by October 26</span><b>$10.55</b>');
    expect(await todoOf(shop, '2026-09', 'TX')).toContain(
      'It ends in a credit of 8.25: claim it as the state says, and state what a later return may use as `added` under `credits` of that period.',
    );
  });

  test('is a finding of the next month, until its registration states the credits of that month', async () => {
    await shop.close('2026-10');
    const findings = async () =>
      (await shop.rows('Exceptions', '2026-10')).filter((row) => row['Code'] === 'credit-not-taken');
    expect(await findings()).toMatchObject([
      {
        State: 'TX',
        What: 'the return of TX for 2026-09 ended in a credit of 8.25, which this return does not use',
      },
    ]);
    expect(await todoOf(shop, '2026-10', 'TX')).toContain('which this return does not use.');
    expect(await shop.verify('2026-10')).toEqual([]);
    await shop.change({ settings: registered({ credits: [{ period: '2026-10', added: '8.25' }] }) });
    await shop.close('2026-10');
    expect(await findings()).toEqual([]);
    const [due] = (await shop.rows('Pay', '2026-10', 'filing-summary')).filter(
      (row) => row['State'] === 'TX',
    );
    expect(due).toMatchObject({ 'To pay': 0 });
  });
});
