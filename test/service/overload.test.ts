import { describe, expect, it } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { ORDER, SANTA_MONICA } from '../contract/samples.ts';
import { sqliteFiles } from '../support/databases.ts';
import { type Answered, serverForSuite } from './server-suite.ts';

const WAITING_MAX = 10;

describe('a server with more requests than it can answer soon', () => {
  const files = sqliteFiles();
  let address = '';
  const newUrl = async () => {
    address = await files.newUrl();
    return address;
  };
  const suite = serverForSuite({ ...files, newUrl }, { waitingMax: WAITING_MAX });
  const statuses = (answers: readonly Answered[]) => answers.map(({ status }) => status);
  const createdBy =
    (key: string) =>
    (index: number): Promise<Answered> =>
      suite.ask('transactions/orders', {
        method: 'POST',
        key,
        body: { ...ORDER, transaction_id: `order-${index}` },
      });

  it('refuses the rest at once, answers what it has taken, and says that it lives', async () => {
    const { secret: key } = await suite.newAccount(SANTA_MONICA);
    const create = createdBy(key);
    const database = await connect(address);
    const taken = await database
      .tables<{ accounts: { id: number } }>()
      .transaction()
      .execute(async (transaction) => {
        // While the books are held here no create can be answered.
        await transaction.selectFrom('accounts').select('id').execute();
        const waiting = Array.from({ length: WAITING_MAX }, (_, index) => create(index));
        await expect.poll(async () => (await create(99)).status, { timeout: 10_000 }).toBe(503);
        const refused = await Promise.all(Array.from({ length: 20 }, (_, index) => create(100 + index)));
        expect(statuses(refused)).toEqual(Array(20).fill(503));
        expect(refused[0]?.headers['retry-after']).toBe('1');
        expect(refused[0]?.json).toEqual({
          status: 503,
          error: 'Service Unavailable',
          detail: 'the service has more requests than it can answer soon, try again',
        });
        expect((await suite.page('/healthz')).status).toBe(200);
        return waiting;
      });
    expect(statuses(await Promise.all(taken)).filter((status) => status !== 201).length).toBeLessThanOrEqual(
      1,
    );
    await expect.poll(async () => (await create(200)).status, { timeout: 10_000 }).toBe(201);
    await database.close();
  });

  it('takes no more in a turn than its bound, however short each of them is', async () => {
    const { secret: key } = await suite.newAccount(SANTA_MONICA);
    const answers = await Promise.all(Array.from({ length: 300 }, () => suite.ask('categories', { key })));
    const counts = Object.groupBy(answers, ({ status }) => String(status));
    expect(Object.keys(counts).filter((status) => !['200', '503'].includes(status))).toEqual([]);
    expect(counts['200']?.length).toBeGreaterThanOrEqual(WAITING_MAX);
  });
});

describe('a request', () => {
  const suite = serverForSuite(sqliteFiles());

  it.each([
    ['keeps the id that its caller gave it', 'order-7:retry.2', true],
    ['gets a new id for one that is too long', 'x'.repeat(129), false],
    ['gets a new id for one with blanks', 'a b', false],
    ['gets a new id for one with marks that logs could stumble over', '"><script>', false],
  ])('%s', async (_, given, isKept) => {
    const { headers } = await suite.ask('/healthz', { headers: { 'x-request-id': given } });
    const id = String(headers['x-request-id']);
    expect(id === given).toBe(isKept);
    if (!isKept) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});
