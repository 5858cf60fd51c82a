import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

const orders = { 'a.csv': [{ name: '#1' }], 'b.csv': [{ name: '#1' }] };
const channel = (name: string, ...files: readonly string[]) => ({ name, files, provider: name });

test.for([
  ['one file', 'a.csv'],
  ['a copy of it', 'b.csv'],
])('an export that two channels read keeps the month from being READY: %s', async ([, file = '']) => {
  const shop = await month({
    orders,
    settings: { channels: [channel('shop', 'a.csv'), channel('till', file)] },
  });
  const figures = await shop.close();
  expect(figures.exit_code).toBe(1);
  expect(figures.readiness.reasons).toMatchObject([{ code: 'read-by-two-channels' }]);
  const [exception] = (await shop.rows('Exceptions')).filter(({ Severity }) => Severity === 'error');
  expect(exception).toMatchObject({
    Record: expect.stringMatching(`^${file} [0-9a-f]{12}$`),
    Decision: 'open',
  });
  expect(await shop.verify()).toEqual([]);
});

test('what was accepted of an export that two channels read holds for its content alone', async () => {
  const shop = await month({
    orders,
    settings: { channels: [channel('shop', 'a.csv'), channel('till', 'b.csv')] },
  });
  const [first] = (await shop.close()).exceptions;
  const accept = [{ record: first?.record, code: 'read-by-two-channels', why: 'two shops in one export' }];
  await shop.change({
    settings: { channels: [channel('shop', 'a.csv'), channel('till', 'b.csv')], policy: { accept } },
  });
  expect((await shop.close()).exit_code).toBe(0);
  const more = [{ name: '#1' }, { name: '#2' }];
  await shop.change({ orders: { 'a.csv': more, 'b.csv': more } });
  expect((await shop.close()).readiness.reasons).toMatchObject([{ code: 'read-by-two-channels' }]);
});

test('copies of an export in one channel are no error: they say the same', async () => {
  const shop = await month({ orders, settings: { channels: [channel('shop', 'a.csv', 'b.csv')] } });
  expect((await shop.close()).exit_code).toBe(0);
});
