import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectTo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { openLedger } from '../../src/service/ledger/ledger.ts';
import { send } from '../contract/send.ts';
import { addSeller } from '../support/serving.ts';
import { launch, temporaryFolder } from '../support/tieout.ts';
import { ended, type Serving, serving } from './serving.ts';
import { type Outcome, steadyLoad } from './steady-load.ts';

const newLedger = async () => {
  const ledger = `sqlite:${join(await temporaryFolder(), 'ledger.db')}`;
  return { ledger, key: await addSeller(ledger, ['CA']) };
};

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

const metricsOf = async ({ metrics = '' }: Serving): Promise<string> => (await send(metrics)).text;
const processes = ['--processes', '2', '--log-level', 'warn'];

describe('a service in two processes', () => {
  it('answers every request while all of its processes are replaced, twice', async () => {
    const { ledger, key } = await newLedger();
    const service = await serving([...processes, '--ledger', ledger, '--metrics-port', '0']);
    const load = steadyLoad(service.url, key);
    let before = processesOf(service);
    for (const replaced of [2, 4]) {
      await expect.poll(load.answered, { timeout: 30_000 }).toBeGreaterThan(replaced * 50);
      service.child.kill('SIGHUP');
      await expect
        .poll(() => metricsOf(service), { timeout: 30_000 })
        .toContain(`tieout_process_starts_total{why="rolling restart"} ${replaced}`);
      await expect
        .poll(() => processesOf(service).filter((pid) => before.includes(pid)), { timeout: 30_000 })
        .toEqual([]);
      await expect.poll(() => processesOf(service).length, { timeout: 30_000 }).toBe(2);
      before = processesOf(service);
    }
    const outcomes = await load.stop();
    expect(tally(outcomes)).toEqual({ 201: outcomes.length });
    expect(await ended(service.child)).toBe(0);
    expect(service.log()).toBe('');
  });

  it('hands connections that are opened together to its processes in turn', async () => {
    const { ledger } = await newLedger();
    const service = await serving([...processes, '--ledger', ledger, '--metrics-port', '0']);
    const { hostname, port } = new URL(service.url);
    const opened = Array.from({ length: 32 }, async () => {
      const socket = connectTo({ host: hostname, port: Number(port) });
      socket.write('GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n');
      await once(socket, 'data');
      return socket;
    });
    for (const socket of await Promise.all(opened)) socket.destroy();
    const answered = (await metricsOf(service)).matchAll(
      /^tieout_http_requests_total{operation="health",.*} (\d+)$/gm,
    );
    expect([...answered].map(([, count]) => count)).toEqual(['16', '16']);
    expect(await ended(service.child)).toBe(0);
  });

  it('answers what it took before it ends, and every order that it answered is in the books', async () => {
    const { ledger, key } = await newLedger();
    const service = await serving([...processes, '--ledger', ledger]);
    const load = steadyLoad(service.url, key);
    await expect.poll(load.answered, { timeout: 30_000 }).toBeGreaterThan(100);
    expect(await ended(service.child)).toBe(0);
    const outcomes = await load.stop();
    const { 201: created = 0, ECONNREFUSED, ECONNRESET = 0, ...others } = tally(outcomes);
    // A connection that was still waiting to be taken when the port was given up is reset; its request reached no one.
    expect({ ECONNREFUSED, ...others }).toEqual({ ECONNREFUSED: 8 });
    expect(ECONNRESET).toBeLessThanOrEqual(8);
    const database = await connect(ledger);
    const { transactions, accounts } = await openLedger(database);
    const accountId = (await accounts.findByName('seller'))?.id ?? 0;
    const kept = await transactions.listIds({ accountId, kind: 'order', provider: 'api' });
    await database.close();
    expect(kept).toHaveLength(created);
  });

  it('replaces a process that is killed, and goes on meanwhile', async () => {
    const { ledger, key } = await newLedger();
    const service = await serving([...processes, '--ledger', ledger, '--metrics-port', '0']);
    const [killed = 0] = processesOf(service);
    const load = steadyLoad(service.url, key, 4);
    await expect.poll(load.answered, { timeout: 30_000 }).toBeGreaterThan(50);
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => metricsOf(service), { timeout: 30_000 }).toContain('starts_total{why="death"} 1');
    await expect.poll(() => metricsOf(service), { timeout: 30_000 }).toContain('tieout_processes 2');
    const { 201: created = 0, ...others } = tally(await load.stop());
    expect(created).toBeGreaterThan(50);
    // Only what the killed one had under way, and a connection that was just being handed to it.
    expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(5);
    expect(processesOf(service)).not.toContain(killed);
    expect(service.log()).toContain('E_SERVE_PROCESS');
    expect(await ended(service.child)).toBe(0);
  });

  it('ends as a whole when its processes do not stay alive', async () => {
    const { ledger } = await newLedger();
    const service = await serving([...processes, '--ledger', ledger]);
    const exit = new Promise((resolve) => service.child.once('exit', resolve));
    for (let deaths = 1; deaths <= 3; deaths += 1) {
      await expect.poll(() => processesOf(service).length, { timeout: 30_000 }).toBe(2);
      process.kill(processesOf(service)[0] ?? 0, 'SIGKILL');
      if (deaths < 3)
        await expect
          .poll(() => service.log().split('A process of the service has ended.').length - 1, {
            timeout: 30_000,
          })
          .toBe(deaths);
    }
    expect(await exit).toBe(69);
    expect(service.log()).toContain('E_SERVE_PROCESS: 3 processes of the service ended within 60 seconds.');
    expect(service.log()).toContain('SIGKILL');
  });

  it('holds a limit over all of them, whichever a request meets', async () => {
    const { ledger, key } = await newLedger();
    const service = await serving([
      ...processes,
      '--ledger',
      ledger,
      '--rate-limit',
      '30',
      '--metrics-port',
      '0',
    ]);
    // A minute of the clock may begin in between; it would have a limit of its own.
    const left = 60_000 - (Date.now() % 60_000);
    if (left < 5_000) await new Promise((resolve) => setTimeout(resolve, left));
    const headers = { authorization: `Bearer ${key}` };
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => send(`${service.url}categories`, { headers })),
    );
    expect(tally(answers.map(({ status }) => ({ id: '', status })))).toEqual({ 200: 30, 429: 70 });
    const served = (await metricsOf(service)).match(
      /^tieout_http_requests_total{.*status="200",process="\d"} \d+$/gm,
    );
    expect(served).toHaveLength(2);
    expect(await ended(service.child)).toBe(0);
  });
});

describe('a service in several processes is refused', () => {
  it.each([
    [['--ledger', 'sqlite::memory:'], 2, 'E_SERVE_MEMORY'],
    [['--ledger', 'postgres://nobody@127.0.0.1:1/none'], 69, 'E_DATABASE_UNREACHABLE'],
    [['--certificate', '/no/such/file', '--key', '/no/such/file'], 2, 'E_SERVE_TLS'],
    [['--certificate', import.meta.filename, '--key', import.meta.filename], 2, 'E_SERVE_TLS'],
    [['--host', '0.0.0.0'], 2, 'E_SERVE_PLAINTEXT'],
    [['--host', '203.0.113.1', '--insecure'], 2, 'E_SERVE_ADDRESS'],
  ])('once, and as one process would be: %s', async (args, code, error) => {
    const books = args.includes('--ledger') ? [] : ['--ledger', (await newLedger()).ledger];
    const refused = await launch(['serve', '--port', '0', ...processes, ...books, ...args]);
    expect([refused.code, refused.stderr.split(error).length - 1]).toEqual([code, 1]);
  });
});
