import { describe, expect, test } from 'vitest';
import type { Figures } from '../support/figures.ts';
import { month } from '../support/month.ts';
import type { Order, OrderLine } from '../support/shop-exports.ts';

const DULUTH = { city: 'Duluth', zip: '55802', state: 'MN' };
const DENVER = { city: 'Denver', zip: '80202', state: 'CO' };
const lamp: OrderLine = { sku: 'GEN-LAN01', quantity: 1, price: '120.00' };
const fee: OrderLine = {
  sku: 'FEE-1',
  quantity: 1,
  price: '0.50',
  name: 'Road Improvement and Food Delivery Fee',
};

const orders: readonly Order[] = [
  { name: '#1', to: DULUTH, price: '100.00', tax: '8.88' },
  { name: '#2', to: DULUTH, price: '99.99', tax: '8.88' },
  { name: '#3', to: DULUTH, lines: [lamp, fee], tax: '10.65' },
  { name: '#4', to: DULUTH, lines: [{ ...lamp, sku: 'SHIRT-1' }], tax: '0.00' },
  { name: '#5', to: DULUTH, lines: [{ ...lamp, sku: 'SAAS-1' }], tax: '0.00' },
  {
    name: '#6',
    to: DULUTH,
    price: '200.00',
    tax: '18.25',
    taxLines: [
      ['Minnesota State Tax', '13.75'],
      ['Duluth City Tax', '4.00'],
      ['Retail Delivery Fee', '0.50'],
    ],
  },
  { name: '#7', to: DENVER, price: '10.00', tax: '0.90' },
  { name: '#8' },
];
const settings = {
  registrations: ['CA', 'MN', 'CO'].map((state) => ({ state, since: '2019-01-01' })),
  categories: [
    { sku: 'SHIRT-*', code: '20010' },
    { sku: 'SAAS-*', code: '30070' },
    { sku: 'FEE-*', code: '99999' },
  ],
};

describe('fees of states for delivered sales', () => {
  test('stand on the sheet of their return: the orders that owe them, what is due, and what the shop charged', async () => {
    const { close, rows, verify } = await month({ orders, settings });
    await close();
    expect(await rows('Fees_MN', '2026-10', 'filing-summary')).toEqual([
      {
        Orders: 4,
        Fee: expect.stringMatching(/0\.50 since /),
        Due: 2,
        'Charged, and what it rests on': expect.stringContaining('1.00 was charged. '),
        'Above it': 0,
      },
    ]);
    expect(await rows('Fees_CO_DR_1786', '2026-10', 'filing-summary')).toEqual([
      {
        Orders: 1,
        Fee: expect.stringContaining('no source shows the amount'),
        Due: 0,
        'Charged, and what it rests on': expect.stringContaining('500,000 or less'),
        'Above it': 0,
      },
    ]);
    expect(await verify()).toEqual([]);
  });

  test('are due with the tax or on a return of their own, with what was charged too much', async () => {
    const charged: Order = { ...(orders[2] as Order), name: '#9', price: '20.00', lines: [fee], tax: '0.00' };
    const { close, rows, change, verify } = await month({ orders: [...orders, charged], settings });
    const feesOf = async (key: string): Promise<readonly unknown[]> => {
      const [row] = await rows(`Fees_${key}`, '2026-10', 'filing-summary');
      return [row?.['Due'], row?.['Above it']];
    };
    const aboutFees = ({ readiness }: Figures) =>
      readiness.reasons.filter(({ code }) => code === 'unknown-fee');
    expect(aboutFees(await close())).toMatchObject([{ state: 'CO', record: 'CO DR 1786 2026-10' }]);
    expect(await feesOf('MN')).toEqual([2, 0.5]);
    expect(await feesOf('CO_DR_1786')).toEqual([0, 0]);

    const amounts = { MN: 'none', CO: '0.31' } as Record<string, string>;
    const registrations = settings.registrations.map((row) => {
      const deliveryFee = amounts[row.state];
      return { ...row, ...(deliveryFee !== undefined && { deliveryFee }) };
    });
    await change({ settings: { ...settings, registrations } });
    expect(aboutFees(await close())).toEqual([]);
    expect(await feesOf('CO_DR_1786')).toEqual([0.31, 0]);
    expect(await feesOf('MN')).toEqual([0, 1.5]);
    const journal = await rows('Journal', '2026-10', 'filing-summary');
    expect(journal.filter((row) => row['State'] === 'CO DR 1786')).toMatchObject([
      { Account: 'Delivery fee expense', Debit: 0.31 },
      { Account: 'Due to tax authority', Credit: 0.31 },
    ]);
    const checks = await rows('Checks', '2026-10', 'filing-summary');
    expect(checks.filter((row) => row['Result'] !== 'PASS')).toEqual([]);
    expect(await verify()).toEqual([]);
  });

  test('are no tax collected, and paid once, where the shop charges them as a line of tax', async () => {
    const order = orders[5] as Order;
    const denver: Order = {
      name: '#9',
      at: '2026-06-10',
      to: DENVER,
      price: '100.00',
      tax: '9.43',
      taxLines: [
        ['Colorado State Tax', '2.90'],
        ['Denver City Tax', '5.15'],
        ['Regional Transportation District', '1.10'],
        ['Retail Delivery Fee', '0.28'],
      ],
    };
    const given = { ...order, name: '#10', refundedOn: '2026-10-20' };
    const { close, rows, sales, verify } = await month({
      orders: [order, denver, given],
      settings,
      channel: { expected: [{ period: '2026-10', tax: '18.25' }] },
    });
    const { readiness } = await close();
    expect(readiness.reasons).toEqual([]);
    const detail = await rows('Detail');
    expect(detail.map(({ Collected, Expected, Status }) => [Collected, Expected, Status])).toEqual([
      [17.75, 17.75, null],
      [17.75, 17.75, null],
      [-17.75, -17.75, null],
    ]);
    expect(await rows('Fees_MN', '2026-10', 'filing-summary')).toMatchObject([
      { Orders: 2, Due: 1, 'Charged, and what it rests on': expect.stringMatching(/^1\.00 was charged\. /) },
    ]);
    const pay = await rows('Pay', '2026-10', 'filing-summary');
    // The tax of one order in whole dollars, and the fee of both.
    expect(pay.find(({ State }) => State === 'MN')).toMatchObject({ 'To pay': 19 });
    expect(await verify()).toEqual([]);

    expect((await close('2026-06')).reasons).toEqual([]);
    expect(await sales('2026-06')).toMatchObject([{ reconciled: { status: 'tied out' } }]);
    const due = await rows('Fees_CO_DR_1786', '2026-06', 'filing-summary');
    expect(due).toMatchObject([{ Due: 0.28, 'Above it': 0 }]);
  });
});
