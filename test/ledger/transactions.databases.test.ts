import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Order, TransactionKind } from '../../src/contract/transaction.ts';
import { type CalendarDate, calendarDate, instant, startOfUtcDay } from '../../src/kernel/calendar.ts';
import { price } from '../../src/kernel/money.ts';
import { onEveryDatabase } from '../support/databases.ts';
import { ledgerForSuite } from './ledger-suite.ts';

const OCTOBER = startOfUtcDay('2026-10-01' as CalendarDate);
const NOVEMBER = startOfUtcDay('2026-11-01' as CalendarDate);
const HOUR_MS = 3_600_000;

const orderOf = (accountId: number, id: string, changes: Partial<Order> = {}): Order => ({
  transaction_id: id,
  user_id: accountId,
  transaction_date: OCTOBER,
  transaction_reference_id: null,
  provider: 'api',
  exemption_type: null,
  customer_id: null,
  from_country: 'US',
  from_zip: null,
  from_state: null,
  from_city: null,
  from_street: null,
  to_country: 'US',
  to_zip: '90404',
  to_state: 'CA',
  to_city: 'Santa Monica',
  to_street: null,
  amount: price(1_234_567),
  shipping: price(0),
  sales_tax: price(99_999),
  line_items: [
    {
      id: '1',
      quantity: 1,
      product_identifier: 'SKU "7"',
      description: 'Zürich\nfondue set',
      product_tax_code: null,
      unit_price: price(1_234_567),
      discount: price(0),
      sales_tax: price(99_999),
    },
  ],
  ...changes,
});

type Kind = TransactionKind;

describe('transactions', () => {
  onEveryDatabase((databases) => {
    const suite = ledgerForSuite(databases);
    const keyOf = (order: Order, kind: Kind = 'order') => ({
      account_id: order.user_id,
      kind,
      provider: order.provider,
      transaction_id: order.transaction_id,
    });
    const lists = () => suite.ledger().transactions;
    const store = () => ({
      ...lists(),
      create: async (kind: Kind, transaction: Order) => (await lists().create([{ kind, transaction }]))[0],
      find: async (key: ReturnType<typeof keyOf>) => (await lists().find([key]))[0],
      replace: (kind: Kind, transaction: Order, revision: number) =>
        lists().replace({ kind, transaction }, revision),
    });

    const revisionOf = async (order: Order): Promise<number> =>
      (await store().find(keyOf(order)))?.revision ?? Number.NaN;

    it('are replaced only by somebody who has seen their latest state', async () => {
      const { id } = await suite.newAccount();
      const order = orderOf(id, 'contested');
      await store().create('order', order);
      const changed = { ...order, sales_tax: price(1) };
      const revision = await revisionOf(order);
      expect(await store().replace('order', changed, revision)).toBe(true);
      expect(await store().replace('order', order, revision)).toBe(false);
      expect((await store().find(keyOf(order)))?.transaction).toEqual(changed);
      expect(await revisionOf(order)).not.toBe(revision);
    });

    it('are not replaced by somebody who has read one that was removed and recorded again since', async () => {
      const { id } = await suite.newAccount();
      const order = orderOf(id, 'again');
      await store().create('order', order);
      const revision = await revisionOf(order);
      await store().remove(keyOf(order));
      const again = { ...order, amount: price(1) };
      await store().create('order', again);
      expect(await store().replace('order', { ...order, sales_tax: price(1) }, revision)).toBe(false);
      expect((await store().find(keyOf(order)))?.transaction).toEqual(again);
    });

    it.runIf(databases.engine === 'postgres')(
      'that are loaded in bulk are found by their key at once, not after the server has noticed them',
      async () => {
        const { id } = await suite.newAccount();
        const orders = Array.from({ length: 1_000 }, (_, index) => orderOf(id, `bulk-${index}`));
        await Promise.all(orders.map((order) => store().create('order', order)));
        const tables = suite.database().tables<object>();
        const known = sql<{ count: string }>`select count(*) from pg_stats where tablename = 'transactions'`;
        await expect
          .poll(async () => Number((await known.execute(tables)).rows[0]?.count))
          .toBeGreaterThan(0);
        const plan = await sql`explain (costs off) select * from transactions where account_id = ${id}
          and kind = 'order' and provider = 'api' and transaction_id = 'bulk-7'`.execute(tables);
        expect(JSON.stringify(plan.rows)).toContain('transactions_key');
      },
    );

    it('of one list are recorded all or none', async () => {
      const { id } = await suite.newAccount();
      const orders = Array.from({ length: 1_200 }, (_, index) => orderOf(id, `all-${index}`));
      const recorded = orders.map((transaction) => ({ kind: 'order' as const, transaction }));
      const ofNobody = { kind: 'order' as const, transaction: orderOf(999_999, 'of-no one') };
      await expect(lists().create([...recorded, ofNobody])).rejects.toThrow();
      expect(await store().listIds({ account_id: id, kind: 'order', provider: 'api' })).toEqual([]);
      expect(await lists().create(recorded)).toEqual(orders.map(() => true));
    });

    it('change the marks of the days that a change is about, and of no other, nor of another account', async () => {
      const { id } = await suite.newAccount();
      const other = await suite.newAccount();
      const span = { first: calendarDate('2026-03-01'), last: calendarDate('2026-03-03') };
      const days = ['2026-03-01', '2026-03-02', '2026-03-03'].map(calendarDate);
      const marks = () => lists().marks(id, span);
      const changedBy = async (change: () => Promise<unknown>): Promise<readonly boolean[]> => {
        const before = await marks();
        await change();
        const after = await marks();
        return days.map((day) => after.get(day)?.mark !== before.get(day)?.mark);
      };
      const at = (day: string) => ({ transaction_date: startOfUtcDay(calendarDate(day)) });
      const order = orderOf(id, 'dated', at('2026-03-01'));
      expect(await changedBy(() => store().create('order', order))).toEqual([true, false, false]);
      const none = [false, false, false];
      expect(await changedBy(() => store().create('order', order))).toEqual(none);
      expect(await changedBy(() => store().find(keyOf(order)))).toEqual(none);
      expect(
        await changedBy(() => store().create('order', orderOf(other.id, 'd', at('2026-03-01')))),
      ).toEqual(none);
      const moved = { ...order, ...at('2026-03-03') };
      const revision = await revisionOf(order);
      expect(await changedBy(() => store().replace('order', moved, revision))).toEqual([true, false, true]);
      expect(await changedBy(() => store().remove(keyOf(order)))).toEqual([false, false, true]);
    });

    it('tell changes of their days by others from those that were made here', async () => {
      const { id } = await suite.newAccount();
      const day = calendarDate('2026-03-05');
      const others = async () => (await lists().marks(id, { first: day, last: day })).get(day)?.others;
      const order = orderOf(id, 'counted', { transaction_date: startOfUtcDay(day) });
      await store().create('order', order);
      await store().replace('order', { ...order, amount: price(1) }, await revisionOf(order));
      expect(await others()).toBe(0);
      const tables = suite.database().tables<object>();
      await sql`update transactions set amount = 2 where transaction_id = 'counted'`.execute(tables);
      expect(await others()).toBe(2);
    });

    it('are listed completely when there are more than one page of them, many at the same instant', async () => {
      const { id: account_id } = await suite.newAccount();
      const ids = Array.from({ length: 21_000 }, (_, index) => `o${String(index).padStart(6, '0')}`);
      const dateOf = (index: number) => instant(OCTOBER + Math.floor(index / 20_500) * HOUR_MS);
      await lists().create(
        ids.map((id, index) => ({
          kind: 'order',
          transaction: orderOf(account_id, id, { transaction_date: dateOf(index) }),
        })),
      );
      const span = { account_id, kind: 'order', provider: 'api', from: OCTOBER, before: NOVEMBER } as const;
      expect(await store().listIds(span)).toEqual(ids);
    });

    it('of a month are one stretch of an index, in the order in which they are listed', async () => {
      const explain = sql.raw(databases.engine === 'sqlite' ? 'explain query plan' : 'explain (costs off)');
      const tables = suite.database().tables<object>();
      const query = sql`${explain} select transaction_date, transaction_id from transactions
        where account_id = 1 and kind = 'order' and provider = 'api'
        and (transaction_date, transaction_id) > (${sql.lit(OCTOBER)}, 'a') and transaction_date < ${sql.lit(NOVEMBER)}
        order by transaction_date, transaction_id limit 20000`;
      const plan = await tables.transaction().execute(async (transaction) => {
        // Of a few rows a server may think that they are sorted sooner.
        if (databases.engine === 'postgres') await sql`set local enable_sort = off`.execute(transaction);
        return JSON.stringify((await query.execute(transaction)).rows);
      });
      expect(plan).toMatch(/COVERING INDEX transactions_by_date|Index Only Scan using transactions_by_date/);
      expect(plan).toMatch(/transaction_date/);
      expect(plan).not.toMatch(/TEMP B-TREE|Sort/);
    });
  });
});
