import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { send } from '../contract/send.ts';
import { onPostgres } from '../support/databases.ts';
import { addSeller } from '../support/serving.ts';
import { launch, temporaryFolder } from '../support/tieout.ts';
import { ended, type Serving, serving } from './serving.ts';
import { type Outcome, steadyLoad } from './steady-load.ts';

const IN_TWO = ['--processes', '2', '--log-level', 'warn'];
const CALLERS = 8;
const PATIENTLY = { timeout: 60_000 };

const newLedger = async (): Promise<string> => `sqlite:${join(await temporaryFolder(), 'ledger.db')}`;

const processesOf = ({ child: { pid } }: Serving): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

const tally = (outcomes: readonly Outcome[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, error } of outcomes) {
    const what = String(status ?? error);
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
};

describe('a service in two processes', () =>
  onPostgres(({ newUrl }) => {
    it('ends as a whole when one is killed, and has recorded every order that it answered', async () => {
      const ledger = await newUrl();
      const key = await addSeller(ledger, ['CA']);
      const service = await serving([...IN_TWO, '--ledger', ledger]);
      const exit = once(service.child, 'exit');
      const load = steadyLoad(service.url, key, CALLERS);
      await expect.poll(load.answered, PATIENTLY).toBeGreaterThan(50);
      process.kill(processesOf(service)[0] ?? 0, 'SIGKILL');
      expect(await exit).toEqual([69, null]);
      expect(service.log()).toContain('E_SERVE_PROCESS');
      expect(service.log()).toContain('SIGKILL');
      const { 201: created = 0, ECONNREFUSED, ECONNRESET = 0, ...others } = tally(await load.stop());
      expect({ ECONNREFUSED, ...others }).toEqual({ ECONNREFUSED: CALLERS });
      // What the killed one had under way, and what no one had taken yet when the port was given up.
      expect(ECONNRESET).toBeLessThanOrEqual(2 * CALLERS);
      const database = await connect(ledger);
      const { transactions, accounts } = await openLedger(database);
      const account_id = (await accounts.findByName('seller'))?.id ?? 0;
      const kept = await transactions.listIds({ account_id, kind: 'order', provider: 'api' });
      await database.close();
      expect(kept.length).toBeGreaterThanOrEqual(created);
      expect(kept.length).toBeLessThanOrEqual(created + CALLERS);
    });

    it('gets connections in turn, and shows the metrics of each', async () => {
      const ledger = await newUrl();
      const key = await addSeller(ledger, ['CA']);
      const service = await serving([...IN_TWO, '--ledger', ledger, '--metrics-port', '0']);
      const headers = { authorization: `Bearer ${key}`, connection: 'close' };
      const ask = async () => (await send(`${service.url}categories`, { headers })).status;
      expect([await ask(), await ask()]).toEqual([200, 200]);
      const { text } = await send(service.metrics ?? '');
      const counts = text.matchAll(/^tieout_http_requests_total\{.*status="(\d+)",process="\d"\} (\d)$/gm);
      expect([...counts].map(([, status, count]) => `${status}: ${count}`)).toEqual(['200: 1', '200: 1']);
      expect(await ended(service.child)).toBe(0);
    });
  }));

describe('a service in several processes', () => {
  it('goes on for the time of its drain when a signal to end reaches its processes, too', async () => {
    const service = await serving(['--processes', '2', '--drain', '1', '--ledger', await newLedger()]);
    const exit = once(service.child, 'exit');
    for (const pid of processesOf(service)) process.kill(pid, 'SIGTERM');
    await pause(100);
    service.child.kill('SIGTERM');
    await pause(100);
    const statusOf = async (path: string) => (await send(new URL(path, service.url).toString())).status;
    expect(await Promise.all(['/readyz', '/healthz'].map(statusOf))).toEqual([503, 200]);
    expect(await exit).toEqual([0, null]);
    expect(service.log()).toContain('The service is ending.');
    expect(service.log()).toMatch(/The service has ended\."\}\n$/);
  });

  it.each([
    [['--ledger', 'sqlite::memory:'], 2, 'E_SERVE_MEMORY'],
    [['--ledger', 'postgres://nobody@127.0.0.1:1/none'], 69, 'E_DATABASE_UNREACHABLE'],
    [['--metrics-host', '203.0.113.1', '--metrics-port', '0'], 2, 'E_SERVE_ADDRESS'],
  ])('is refused once, as one process would be: %s', async (args, code, error) => {
    const ledger = args.includes('--ledger') ? [] : ['--ledger', await newLedger()];
    const refused = await launch(['serve', '--port', '0', ...IN_TWO, ...ledger, ...args]);
    expect([refused.code, refused.stderr.split(error).length - 1]).toEqual([code, 1]);
  });
});
