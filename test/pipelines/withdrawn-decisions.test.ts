import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openItemsOf } from '../support/decisions.ts';
import { type Figures, openOf } from '../support/figures.ts';
import { month, type Settings } from '../support/month.ts';
import { contentWithGaps, LIBERAL, sold, taxAt } from './gap-month.ts';

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

const codesOf = ({ exceptions }: Figures) =>
  exceptions.flatMap(({ code }) => (code === 'layout-changed' ? [] : [code])).sort();
const namesOf = (records: readonly string[]) =>
  records.map((record) => record.split(' ').slice(0, 2).join(' '));

describe('a decision that is taken back', () => {
  test('leaves its record at the service until somebody says delete', async () => {
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

  test('changes nothing that is locked', async () => {
    const shop = await shopToDecide();
    await shop.decide(POST, SPLIT);
    await shop.close();
    expect((await shop.run('lock', '2026-10')).code).toBe(0);
    await shop.decide(SPLIT);
    const files = await shop.files();
    await shop.close();
    expect(await shop.files()).toEqual(files);
    expect(codesOf(await shop.close('2026-11'))).toEqual(['no-sales']);
    expect(namesOf(await shop.records())).toContain('order 2');
  });

  test('in the configuration does not live on in a copy of open-items.csv', async () => {
    const shop = await month({
      settings: { policy: { accept: [{ record: '#2', code: 'total-differs', why: 'asked the shop' }] } },
      orders: [{ name: '#1' }, { name: '#2', total: '111.75' }],
    });
    await shop.close();
    await shop.write('copied.csv', await readFile(join(shop.out(), 'open-items.csv')));
    const decisions = ['copied.csv'];
    const policy = { accept: [{ record: '#2', code: 'total-differs', why: 'asked again' }] };
    await shop.change({ settings: { decisions, policy } });
    expect(openOf(await shop.close())).toEqual([]);
    await shop.change({ settings: { decisions } });
    expect(openOf(await shop.close())).toMatchObject([{ code: 'total-differs', record: '#2' }]);
  });
});

describe('decisions that contradict each other or do not fit', () => {
  const accept = (record: string, code: string) => [{ record, code, why: 'goes into November' }];

  test.for([
    ['a split and an acceptance of the refund', [SPLIT], accept('1-refund', 'refund-not-split')],
    ['a split of the refund and an acceptance of its order', [SPLIT], accept('#1', 'refund-not-split')],
    ['a post and an acceptance of an order', [POST], accept('#2', 'total-differs')],
    ['a post of what cannot be posted', [SPLIT.replace('Split by share', 'Post')], []],
    ['a remittance of an order that is held', [POST.replace('Post', 'Remit')], []],
    ['a post of a reason of the variance', ['2026-10 R24 of 3,#3,Post,as agreed'], []],
  ] as const)('stop the close before anything is sent: %s', async ([, lines, accepted]) => {
    const shop = await shopToDecide();
    await shop.decide(...lines);
    await shop.change({ settings: { decisions: ['decided.csv'], policy: { accept: accepted } } });
    expect(await shop.refused('close', '2026-10')).toBe('E_DECISION');
    expect(await shop.records()).toEqual([]);
  });

  test('stop the close before anything is published: of a record and of its whole cause', async () => {
    const to = { city: 'Phoenix', zip: '85004', state: 'AZ' };
    const shop = await month({ orders: ['#1', '#2'].map((name) => ({ name, to, tax: '8.60' })) });
    const decide = async (...lines: readonly string[]) => {
      await shop.write('decided.csv', ['key,records,decision,why', ...lines, ''].join('\n'));
      await shop.change({ settings: { decisions: ['decided.csv'] } });
    };
    const cause = '2026-10 R10 in AZ,2 records,Remit,we register there';
    await decide(cause, '2026-10 R10 of #2,#2,Refund,the customer asked');
    expect(await shop.refused('close', '2026-10')).toBe('E_DECISION');
    expect((await shop.published()).size).toBe(0);
    // Of a cause that the record does not have, nothing is contradicted.
    await decide(cause, '2026-10 R11 of #2,#2,Pay,the customer asked');
    expect((await shop.close()).exit_code).toBe(0);
    expect(await shop.records()).toHaveLength(2);
  });

  test('stop the close before anything is published: of a record that was charged the other way', async () => {
    const to = { city: 'Phoenix', zip: '85004', state: 'AZ' };
    const shop = await month({
      orders: [{ name: '#1' }, { name: '#2', to, tax: '8.60' }],
      settings: { decisions: ['decided.csv'] },
    });
    const decide = (verdict: string) =>
      shop.write('decided.csv', `key,records,decision,why\n2026-10 R10 of #2,#2,${verdict},as agreed\n`);
    await decide('Do not bill the customer');
    expect((await shop.run('close', '2026-10')).stderr).toContain(
      'decided.csv:2, column "decision": “Do not bill the customer” does not fit R10 of #2.\n',
    );
    expect((await shop.published()).size).toBe(0);
    await decide('Refund the customer');
    expect((await shop.close()).exit_code).toBe(0);
    expect(await shop.records()).toHaveLength(2);
  });

  describe('stop the close before anything is published: of a place whose rate is missing', () => {
    const shopWith = async (accepted: Settings[], lines: readonly string[]) => {
      const orders = Array.from({ length: 10 }, (_, index) =>
        sold(index, LIBERAL, 10_000 + index * 137, taxAt(10_000 + index * 137, 8_200)),
      );
      const settings = {
        registrations: [{ state: 'KS', since: '2019-01-01' }],
        content: await contentWithGaps(),
        decisions: ['decided.csv'],
        policy: { accept: accepted },
      };
      const shop = await month({ orders, settings });
      await shop.write('decided.csv', ['key,records,decision,why', ...lines, ''].join('\n'));
      return shop;
    };
    const CAUSE = '2026-10 gap in KS: Liberal,10 records,Accept,by the lookup of the state';
    const place = (why: string) => ({ record: 'Liberal, KS 2026-10', code: 'R27', why });

    test.for([
      [
        'and of its whole cause',
        [place('asked the shop')],
        [CAUSE],
        'decided.csv:2, column "decision": it says “Accept: by the lookup of the state”, and `policy.accept` of the configuration (Liberal, KS 2026-10, R27) says “Accept: asked the shop”.\nTo decide it again, change or remove the entry of the configuration; else clear the cell.\n',
      ],
      [
        'and of one of its sales',
        [place('asked the shop'), { record: '#2', code: 'R27', why: 'asked the buyer' }],
        [],
        '`policy.accept` of the configuration (Liberal, KS 2026-10, R27): it says “Accept: asked the shop”, and `policy.accept` of the configuration (#2, R27) says “Accept: asked the buyer”.\nTo decide it again, change or remove the entry of the configuration; else clear the cell.\n',
      ],
    ] as const)('%s', async ([, accepted, lines, message]) => {
      const shop = await shopWith([...accepted], lines);
      expect((await shop.run('close', '2026-10')).stderr).toContain(message);
      expect((await shop.published()).size).toBe(0);
    });

    test('unless both say the same, or are about other places', async () => {
      const other = { record: 'Wichita, KS 2026-10', code: 'R27', why: 'asked the shop' };
      const shop = await shopWith([place('by the lookup of the state'), other], [CAUSE]);
      expect((await shop.run('close', '2026-10')).stderr).toBe('');
      expect(await shop.records()).toHaveLength(10);
    });
  });

  test('say what may be written for the row alone', async () => {
    const shop = await shopToDecide();
    await shop.decide(SPLIT.replace('Split by share', 'Post'));
    expect((await shop.run('close', '2026-10')).stderr).toContain(
      'decided.csv:2, column "decision": “Post” does not fit refund-not-split of 1-refund.\nWrite one of “Split by share”, “Keep out”, “Ignore”, “Accept”.\n',
    );
  });

  test('stop no period that is locked', async () => {
    const shop = await shopToDecide();
    await shop.decide(SPLIT, POST);
    await shop.close();
    expect((await shop.run('lock', '2026-10')).code).toBe(0);
    const policy = { accept: accept('1-refund', 'refund-not-split') };
    await shop.change({ settings: { decisions: ['decided.csv'], policy } });
    expect((await shop.run('close', '2026-10')).code).toBe(0);
  });
});
