import { describe, expect, test } from 'vitest';
import { type Figures, messagesOf } from '../support/figures.ts';
import { month } from '../support/month.ts';

const RETURNS = `schema: 1
id: own.desk
version: 1
title: Desk
source: The desk.
capability: sales
columns: [Order, Date, Kind, State, Zip, Street, City, Tax, Total, Credit]
detect: { required: [Order, Date, Kind, Total] }
locale: { date: { columns: [Date], forms: [yyyy-MM-dd], zone: channel }, currency: { constant: USD } }
shape: { kind: order-per-row, key: [Order] }
rules:
  - { when: [{ column: Kind, in: [Refund] }], treat: refund }
  - { when: [{ column: Kind, in: [Sale] }], treat: order }
map:
  shipTo: { country: { constant: US }, state: State, zip: Zip, city: City, street: Street }
  goods: { subtract: [Total, Tax] }
  shipping: { constant: "0.00" }
  salesTax: Tax
  total: Total
`;

const deskRow = (kind: string, date: string, total: string, tax: string): string =>
  `1001,${date},${kind},CA,94607,1 Main St,Oakland,${tax},${total}`;

const deskExport = (...rows: readonly string[]): string =>
  `${['Order,Date,Kind,State,Zip,Street,City,Tax,Total', ...rows].join('\n')}\n`;

const sold = deskRow('Sale', '2026-10-05', '110.75', '10.75');
const first = deskRow('Refund', '2026-10-20', '-11.08', '-1.08');
const later = deskRow('Refund', '2026-11-20', '-22.15', '-2.15');
const inNovember = deskRow('Sale', '2026-11-02', '110.75', '10.75').replace('1001', '1002');

const deskWith = async (...files: readonly string[]) => {
  const shop = await month({ channel: { profile: './desk.yaml', files: ['desk*.csv'] } });
  await shop.write('desk.yaml', RETURNS);
  for (const [index, file] of files.entries()) await shop.write(`desk-${index + 1}.csv`, file);
  return shop;
};

const contradictions = (figures: Figures) => messagesOf(figures, 'refund-without-number');

describe('refunds without a number of their own, of which two files tell different ones', () => {
  test.for([
    [
      deskRow('Refund', '2026-10-24', '-22.15', '-2.15'),
      '20.00 and 2.15 tax on 2026-10-24',
      'day and amount',
    ],
    [deskRow('Refund', '2026-10-24', '-11.08', '-1.08'), '10.00 and 1.08 tax on 2026-10-24', 'day'],
    [deskRow('Refund', '2026-10-20', '-22.15', '-2.15'), '20.00 and 2.15 tax on 2026-10-20', 'amount'],
  ] as const)('are several, as far as the files say, and differ in $2', async ([second, said]) => {
    const shop = await deskWith(deskExport(sold, first));
    expect(await shop.close()).toMatchObject({ exit_code: 0 });
    await shop.write('desk-2.csv', deskExport(second));
    const both = await shop.close();
    expect(both.exit_code).toBe(1);
    const [message] = contradictions(both);
    expect(contradictions(both)).toHaveLength(2);
    expect(message).toContain(`desk-2.csv:2 has ${said}`);
    expect(messagesOf(both, 'superseded')).toEqual([]);
    expect(await shop.verify()).toEqual([]);

    await shop.write('desk-2.csv', deskExport(first));
    expect(await shop.close()).toMatchObject({ exit_code: 0 });
  });

  test('are told apart as parts, also where the month of the first is locked', async () => {
    const shop = await deskWith(deskExport(sold, first));
    await shop.told(0, 'close', '2026-10');
    await shop.told(0, 'lock', '2026-10');
    const filed = await shop.files();
    await shop.write('desk-2.csv', deskExport(inNovember, later));
    const held = await shop.close('2026-11');
    expect(messagesOf(held, 'R17')).toHaveLength(1);
    expect(await shop.verify('2026-11')).toEqual([]);

    await shop.write('desk.yaml', RETURNS.replace('key: [Order] }', 'key: [Order], parts: true }'));
    const parts = await shop.close('2026-11');
    expect(parts).toMatchObject({ exit_code: 0, states: [{ orders: 1, refunds: 1, gross: '80.00' }] });
    expect(await shop.files()).toEqual(filed);
  });
});
