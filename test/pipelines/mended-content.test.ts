import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { ownContent } from '../support/own-content.ts';

test('a rate that is mended in a content folder under the same version is computed with', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  const { content, raiseCalifornia } = await ownContent(shop.folder);
  const closed = async () => {
    const { totals, calculations } = await shop.close('2026-10', '--content', content);
    const { service } = (await shop.manifest()).content;
    return { expected: totals['expected'], asked: calculations['asked'], service };
  };
  const before = await closed();
  expect(before.expected).toBe('10.75');

  await raiseCalifornia();
  const after = await closed();
  expect(after.expected).toBe('11.75');
  expect(after.service).not.toBe(before.service);

  expect(await closed()).toEqual({ ...after, asked: 0 });
});
