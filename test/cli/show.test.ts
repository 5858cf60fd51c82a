import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { tieout } from '../support/tieout.ts';

test('show has a sale in the words of the books and in dollars, and all of it with --json', async () => {
  const shop = await month({ orders: [{ name: '#1', tax: '4.44' }] });
  await shop.close('2026-10');
  const { code, stdout } = await tieout(['show', shop.out(), 'order/1']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^shopify\/order\/1: as the books have it, in US dollars\n/);
  const said = (title: string) => new RegExp(`^ +${title} +(.*)$`, 'm').exec(stdout)?.[1];
  expect([said('Gross'), said('Collected'), said('Expected'), said('Variance')]).toEqual([
    '100.00',
    '4.44',
    '10.75',
    '-6.31',
  ]);
  const { stdout: line } = await tieout(['show', shop.out(), 'order/1', '--json']);
  expect(JSON.parse(line.split('\n')[0] ?? '')).toMatchObject({
    sale: { key: 'shopify/order/1', salesTax: 444 },
  });
  const none = await tieout(['show', shop.out(), 'order/2']);
  expect(none).toMatchObject({ code: 1, stdout: '' });
  await rm(join(shop.out(), 'evidence/entries.ndjson.gz'));
  expect((await tieout(['show', shop.out()])).stderr).toMatch(/^E_PACK_CHANGED: .*it is not there/);
});

test('show has of a held sale and of a rejected row why, where, and what to do', async () => {
  const held = { name: '#1', to: { state: 'PA', zip: '10001', city: 'Newtown' } };
  const shop = await month({ orders: [held, { name: '#2', total: '#REF!' }] });
  await shop.close('2026-10');
  const show = async (text: string) => (await tieout(['show', shop.out(), text])).stdout;
  expect(await show('#1')).toMatch(
    /^shopify\/order\/1: as the books have it(?:.*\n)+#?1: as Exceptions has it, in US dollars\n {2}Code +zip-not-in-state\n(?:.*\n)+ {2}What to do +Correct the address in the shop/,
  );
  expect(await show('order/2')).toMatch(
    /^2: as Exceptions has it, in US dollars\n {2}Code +bad-cell\n(?:.*\n)+ {2}What +"#REF!" in Total is not an amount\n {2}What to do +Correct the record .*\n {2}Decision +open\n {2}File and line +orders\.csv:3\n\n$/,
  );
  const { stdout } = await tieout(['show', shop.out(), '#2', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ exception: { code: 'bad-cell', record: '2', effect: 1075 } });
});
