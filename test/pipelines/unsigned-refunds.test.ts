import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

const DESK = fileURLToPath(new URL('../../samples/harbor-and-pine/desk.yaml', import.meta.url));

const COLUMNS =
  'Order,Type,Of,Taken at,Customer,Exempt,Platform,Street,City,State,ZIP,Country,Currency,SKU,Item,Qty,Unit price,Discount,Shipping,Tax,Platform tax';

test('a refund without any minus is held, with tax or without, where the profile expects one', async () => {
  const row = (id: string, quantity: string, price: string, tax: string): string =>
    `${id},refund,S,2026-10-05T12:00:00-07:00,,,,1 K Street,Sacramento,CA,95814,US,USD,GEN-1,Lamp,${quantity},${price},0.00,0.00,${tax},0.00`;
  const shop = await month({
    settings: { channels: [{ name: 'desk', profile: 'desk.yaml', files: ['desk.csv'] }] },
  });
  await shop.write('desk.yaml', await readFile(DESK));
  const lines = [
    row('R1', '1', '-100.00', '0.00'),
    row('R2', '-1', '100.00', '0.00'),
    row('R3', '1', '100.00', '-8.75'),
    row('R4', '1', '100.00', '0.00'),
    row('R5', '1', '100.00', '8.75'),
  ];
  await shop.write('desk.csv', `${[COLUMNS, ...lines].join('\n')}\n`);
  const { exceptions } = await shop.close();
  expect(exceptions.filter(({ code }) => code === 'negative-refund').map(({ record }) => record)).toEqual([
    'R4',
    'R5',
  ]);
});
