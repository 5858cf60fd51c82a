import { describe, expect, test } from 'vitest';
import { openItemsOf } from '../support/decisions.ts';
import type { Figures } from '../support/figures.ts';
import { month } from '../support/month.ts';

/** An order whose parts are not its total, and one of which a part was given back, undivided. */
const shopToDecide = async () => {
  const shop = await month({
    settings: { decisions: ['decided.csv'] },
    orders: [
      { name: '#1', status: 'partially_refunded', refunded: '20.00' },
      { name: '#2', total: '111.75' },
      { name: '#3' },
    ],
    refunds: [{ order: '#1', at: '2026-10-20', amount: '20.00' }],
  });
  const decide = (...lines: readonly string[]) =>
    shop.write('decided.csv', ['key,records,decision,why', ...lines, ''].join('\n'));
  return { ...shop, decide };
};

const POST = '2026-10 total-differs of 2,#2,Post,a tip of 1.00';
const SPLIT = '2026-10 refund-not-split of 1-refund,1-refund,Split by share,agreed';

const codesOf = ({ exceptions }: Figures) => exceptions.map(({ code }) => code).sort();
const namesOf = (records: readonly string[]) =>
  records.map((record) => record.split(' ').slice(0, 2).join(' '));

test('a decision that is taken back leaves its record at the service until somebody says delete', async () => {
  const shop = await shopToDecide();
  await shop.decide(POST, SPLIT);
  expect((await shop.close()).submissions['created']).toBe(4);
  expect(namesOf(await shop.records())).toEqual(['order 1', 'order 2', 'order 3', 'refund 1-refund']);

  await shop.decide();
  const undecided = await shop.close();
  expect(undecided.submissions).toMatchObject({ withdrawn: 0, created: 0 });
  expect(await shop.records()).toHaveLength(4);
  expect(codesOf(undecided)).toEqual([
    'recorded-not-posted',
    'recorded-not-posted',
    'refund-not-split',
    'total-differs',
  ]);
  expect(undecided.totals).toMatchObject({ collected: '21.50', recorded: '21.50' });
  expect(await shop.verify()).toEqual([]);

  const asked = (await openItemsOf(shop, '2026-10')).filter(({ choices }) => /Delete/.test(choices));
  await shop.decide(...asked.map(({ key, records }) => `${key},${records},Delete the record,not posted`));
  const deleted = await shop.close();
  expect(deleted.submissions).toMatchObject({ withdrawn: 2 });
  expect(namesOf(await shop.records())).toEqual(['order 1', 'order 3']);
  expect(codesOf(deleted)).toEqual(['refund-not-split', 'total-differs']);
  const files = await shop.files();
  await shop.close();
  expect(await shop.files()).toEqual(files);
});

describe('decisions that contradict each other or do not fit', () => {
  const accept = (record: string, code: string) => `2026-10 ${code} of ${record},${record},Accept,later`;

  test.for([
    ['a post and an acceptance of an order', [POST, accept('#2', 'total-differs')]],
    ['a post of what cannot be posted', [SPLIT.replace('Split by share', 'Post')]],
    ['a remittance of an order that is held', [POST.replace('Post', 'Remit')]],
    ['a post of a reason of the variance', ['2026-10 R24 of 3,#3,Post,as agreed']],
  ] as const)('stop the close before anything is sent: %s', async ([, lines]) => {
    const shop = await shopToDecide();
    await shop.decide(...lines);
    expect(await shop.refused('close', '2026-10')).toBe('E_DECISION');
    expect(await shop.records()).toEqual([]);
  });

  test('stop no period that is locked', async () => {
    const shop = await shopToDecide();
    await shop.decide(SPLIT, POST);
    await shop.close();
    expect((await shop.run('lock', '2026-10')).code).toBe(0);
    await shop.decide(SPLIT, POST, accept('#1', 'refund-not-split'));
    expect((await shop.run('close', '2026-10')).code).toBe(0);
  });
});
