import { describe, expect, test } from 'vitest';
import { extractSales } from '../../src/close/stages/extract/extract-sales.ts';
import { loadContent } from '../../src/service/content/load-content.ts';
import { closeInMemory } from '../support/close-in-memory.ts';
import { type ShopRefund, writeOrders, writeRefunds } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';

const CONTENT = loadContent();
const SETTINGS = {
  entity: 'shop',
  name: 'Shop',
  timeZone: 'America/Los_Angeles',
  shipFrom: { country: 'US', state: 'CA', zip: '95814', city: 'Sacramento', street: '1 K Street' },
  registrations: [{ state: 'CA', since: '2019-01-01' }],
  channels: [{ name: 'shopify', files: ['orders.csv'], refundDates: ['payments.csv'] }],
};

const paid = (day: string, amount: string): ShopRefund => ({
  order: '#1',
  at: `2026-10-${day} 12:00:00 -0700`,
  amount,
});

/** The refunds that follow from payments files which take one another's place, under one name. */
const refundsAfter = async (
  refunded: string,
  ...files: readonly (readonly ShopRefund[])[]
): Promise<readonly string[]> => {
  const folder = await temporaryFolder();
  await writeOrders(folder, 'orders.csv', [{ name: '#1', status: 'partially_refunded', refunded }]);
  return closeInMemory({ folder, content: CONTENT, settings: SETTINGS }, async (ports) => {
    for (const file of files) {
      await writeRefunds(folder, 'payments.csv', file);
      await extractSales(ports, () => {});
    }
    const rows = await ports.workspace.tables
      .selectFrom('sale')
      .select(['business_date', 'body'])
      .where('kind', '=', 'refund')
      .orderBy('business_date')
      .execute();
    return rows.map(({ business_date, body }) => `${business_date} ${JSON.parse(body).amount}`);
  });
};

describe('a payments file that takes the place of an earlier one', () => {
  test.for([
    ['amount', '44.30', [paid('12', '22.15')], [paid('12', '44.30')], ['2026-10-12 4430']],
    ['day', '22.15', [paid('12', '22.15')], [paid('14', '22.15')], ['2026-10-14 2215']],
    [
      'only what is new',
      '44.30',
      [paid('12', '22.15')],
      [paid('14', '22.15')],
      ['2026-10-12 2215', '2026-10-14 2215'],
    ],
  ] as const)('corrected or continued: %s', async ([, refunded, first, second, refunds]) => {
    expect(await refundsAfter(refunded, first, second)).toEqual(refunds);
  });

  test('put back as it was, it holds as it did', async () => {
    const [good, wrong] = [[paid('12', '22.15')], [paid('12', '11.08')]];
    expect(await refundsAfter('22.15', good, wrong, good)).toEqual(['2026-10-12 2215']);
  });
});
