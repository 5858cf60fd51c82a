import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

test('a table beside the exports that nothing reads is named when the exports are read', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  await shop.write('desk.csv', 'Order,Total\nD-1,20.00\n');
  await shop.write('notes.md', 'nothing of sales');
  const said = async (): Promise<string> => (await shop.run('close', '2026-10')).stdout;
  expect(await said()).toMatch(/^extract: .* rejected; beside the exports and not read: desk\.csv$/m);
  expect(await said()).toMatch(/^extract: .* as read before$/m);
  await shop.change({ orders: [{ name: '#1' }, { name: '#2' }] });
  expect(await said()).toContain('not read: desk.csv');
});
