import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withDatabase } from '../../src/database/connect.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { type Fault, failingService } from '../support/faulty-service.ts';
import { month } from '../support/month.ts';
import { startServer } from '../support/serving.ts';
import type { Order } from '../support/shop-exports.ts';
import { codeOf, sharedFolder } from '../support/tieout.ts';

const ORDERS: readonly Order[] = Array.from({ length: 12 }, (_, index) => ({
  name: `#${index + 1}`,
  price: `${100 + 4 * index}.00`,
  tax: (10.75 + 0.43 * index).toFixed(2),
}));

const books = join(sharedFolder(), 'books.db');
let served: {
  readonly url: string;
  readonly child: ChildProcess;
};
beforeAll(async () => {
  served = await startServer(`sqlite:${books}`);
});
afterAll(() => void served.child.kill('SIGKILL'));

const newAccount = (
  name: string,
): Promise<{
  readonly id: number;
  readonly secret: string;
}> =>
  withDatabase(`sqlite:${books}`, async (database) => {
    const { accounts, keys } = await openLedger(database);
    const nexus = [{ country: 'US', state: 'CA', from: calendarDate('2019-01-01') }];
    const { id } = await accounts.ensure({ name, nexus });
    return { id, secret: (await keys.create(id)).secret };
  });

/** What the service holds of an account: id and tax of each record. */
const recordsOf = (account: number): readonly string[] => {
  const file = new DatabaseSync(books, { readOnly: true });
  try {
    const rows = file
      .prepare('select transaction_id, sales_tax from transactions where account_id = ? order by 1')
      .all(account);
    return rows.map((row) => `${row['transaction_id']} ${row['sales_tax']}`);
  } finally {
    file.close();
  }
};

const EXPECTED = ORDERS.map(({ name, tax }) => `${name.slice(1)} ${Math.round(Number(tax) * 10_000)}`).sort();

/** The call from which on the service is out: in the middle of each stage that calls it. */
const STAGES = {
  recompute: { method: 'POST', path: 'taxes', nth: 5 },
  submit: { method: 'POST', path: 'transactions/orders', nth: 5 },
  'read back': { method: 'GET', path: 'transactions/orders', nth: 3 },
} as const;
type Stage = keyof typeof STAGES;

const OUTAGES: readonly Fault[] = [
  ...(['refuses connections', 'resets connections', 'answers 503', 'says nothing'] as const),
  ...(['wants to be left alone for an hour', 'does not know the key any more'] as const),
  ...(['loses its answers', 'breaks off its answers', 'is hidden by the page of a proxy'] as const),
];

/** Whose fault it is said to be, and the exit code: an outage, unless something else is named here. */
const SAID: Partial<Readonly<Record<Fault, readonly [string, number]>>> = {
  'does not know the key any more': ['E_SERVICE_KEY', 78],
  'is hidden by the page of a proxy': ['E_SERVICE_ANSWER', 69],
};

type Case = readonly [Fault, Stage];
const ALL = OUTAGES.flatMap((outage) => Object.keys(STAGES).map((stage) => [outage, stage] as Case));
const FEW: readonly Case[] = [
  ['resets connections', 'recompute'],
  ['is hidden by the page of a proxy', 'recompute'],
  ['refuses connections', 'submit'],
  ['wants to be left alone for an hour', 'submit'],
  ['says nothing', 'submit'],
  ['loses its answers', 'submit'],
  ['does not know the key any more', 'read back'],
  ['breaks off its answers', 'read back'],
];

/** `npm run test:outages` tries every kind of outage in the middle of every stage. */
test.for(process.env['ALL_OUTAGES'] === '1' ? ALL : FEW)(
  'a service that %s in the middle of %s: it is said, and the next close has each record once',
  async ([outage, stage]) => {
    const [code, exitCode] = SAID[outage] ?? ['E_SERVICE_UNAVAILABLE', 69];
    const service = await failingService(served.url, { outage, ...STAGES[stage] });
    const shop = await month({
      orders: ORDERS,
      settings: { service: { url: service.url, concurrency: 4, retries: 1, timeoutSeconds: 1 } },
    });
    const { id, secret } = await newAccount(shop.folder);
    const close = () => shop.runWith({ env: { TIEOUT_SERVICE_KEY: secret } }, 'close', '2026-10');
    const stopped = await close();
    expect([codeOf(stopped.stderr), stopped.code]).toEqual([code, exitCode]);
    await service.repair();
    const { code: ended, stdout } = await close();
    expect([ended, stdout]).toEqual([0, expect.stringMatching(/: READY, .*exit code 0/)]);
    expect(recordsOf(id)).toEqual(EXPECTED);
  },
);
