import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { errorsOf } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';
import { preparedMonth } from '../support/prepared-month.ts';
import type { Order } from '../support/shop-exports.ts';

/** Three orders and a refund: four records in the service. */
const ORDERS: readonly Order[] = [
  { name: '#1' },
  { name: '#2', price: '50.00' },
  { name: '#3', refundedOn: '2026-10-20' },
];
const closedMonth = preparedMonth({ orders: ORDERS }, (shop) => shop.told(0, 'close', '2026-10'));

const inLedger = ({ folder }: Month, statement: string, rows = 1) => {
  const ledger = new DatabaseSync(join(folder, '.tieout', 'ledger.db'));
  const { changes } = ledger.prepare(statement).run();
  ledger.close();
  expect(changes).toBe(rows);
};

describe('a month that changes between two runs', () => {
  test('an order that was changed in the shop is updated once, and nothing else is sent', async () => {
    const shop = await closedMonth();
    await shop.change({ orders: [{ name: '#1', sku: 'GEN-LAN01X' }, ...ORDERS.slice(1)] });
    expect((await shop.told(0, 'close', '2026-10')).submissions).toEqual({
      created: 0,
      updated: 1,
      adjusted: 0,
      unchanged: 3,
      refused: 0,
      conflicts: 0,
      withdrawn: 0,
    });
  });

  test('a record that the service takes and loses is an exception', async () => {
    const shop = await closedMonth();
    inLedger(shop, "delete from transactions where kind = 'order' and transaction_id = '1'");
    const ledger = new DatabaseSync(join(shop.folder, '.tieout', 'ledger.db'));
    ledger.exec(`create trigger lose after insert on transactions when new.transaction_id = '1'
      begin delete from transactions where transaction_id = '1'; end`);
    ledger.close();
    expect(errorsOf(await shop.told(1, 'close', '2026-10'))).toEqual(['R19 #1']);
  });

  test('a record that somebody else put into the account is an exception, and is never touched', async () => {
    const shop = await closedMonth();
    const ledger = new DatabaseSync(join(shop.folder, '.tieout', 'ledger.db'));
    const names = ledger
      .prepare('select name from pragma_table_info(?)')
      .all('transactions')
      .map((row) => String(row['name']));
    ledger.close();
    const rest = names.filter((name) => name !== 'transaction_id' && name !== 'id').join(', ');
    inLedger(
      shop,
      `insert into transactions (transaction_id, ${rest}) select 'stranger', ${rest} from transactions where kind = 'order' and transaction_id = '1'`,
    );
    const figures = await shop.told(1, 'close', '2026-10');
    expect(figures.exceptions.filter(({ code }) => code === 'R20')).toMatchObject([{ record: 'stranger' }]);
    const extra = await shop.rows('Completeness');
    expect(extra.reduce((total, row) => total + Number(row['Extra']), 0)).toBe(1);
    expect(await shop.records()).toContain('order stranger 100.00 10.75');
  });

  test('what somebody else changes on a day of which the shop changed nothing is found as ever', async () => {
    const orders: readonly Order[] = ['04', '11', '18', '25'].map((day) => ({
      name: `#${day}`,
      at: `2026-10-${day}`,
    }));
    const shop = await month({ orders });
    await shop.told(0, 'close', '2026-10');
    inLedger(shop, "update transactions set sales_tax = sales_tax + 100 where transaction_id = '11'");
    inLedger(
      shop,
      "update transactions set transaction_date = transaction_date + 864000000 where transaction_id = '18'",
    );
    inLedger(shop, "delete from transactions where transaction_id = '25'");
    await shop.change({
      orders: orders.map((order) => (order.name === '#04' ? { ...order, price: '50.00' } : order)),
    });
    const found = await shop.told(1, 'close', '2026-10');
    expect(found.submissions).toMatchObject({ created: 1, updated: 2 });
    // What is there under another day is never taken for the sale of that number.
    expect(errorsOf(found)).toContain('number-in-use #18');
  });
});
