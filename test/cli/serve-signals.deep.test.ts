import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { send } from '../contract/send.ts';
import { addSeller } from '../support/serving.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { ended, type Serving, serving } from './serving.ts';

const newLedger = async (): Promise<string> => `sqlite:${join(await temporaryFolder(), 'ledger.db')}`;

const inTwo = async (...options: readonly string[]): Promise<Serving> =>
  serving(['--processes', '2', '--metrics-port', '0', '--ledger', await newLedger(), ...options]);

const processesOf = ({ child: { pid } }: Serving): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

const messagesOf = ({ log }: Serving): readonly string[] =>
  log()
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly msg: string }).msg);

describe('a service in two processes', () => {
  it('goes on for the time of its drain when a signal to end reaches its processes, too', async () => {
    const service = await inTwo('--drain', '1');
    const exit = new Promise((resolve) => service.child.once('exit', resolve));
    for (const pid of processesOf(service)) process.kill(pid, 'SIGTERM');
    await pause(100);
    service.child.kill('SIGTERM');
    await pause(100);
    const statuses = await Promise.all(
      ['/readyz', '/healthz', '/readyz', '/healthz'].map(
        async (path) => (await send(new URL(path, service.url).toString())).status,
      ),
    );
    expect(statuses).toEqual([503, 200, 503, 200]);
    expect(await exit).toBe(0);
    const messages = messagesOf(service);
    expect(messages).toContain('The service is ending.');
    expect(messages.at(-1)).toBe('The service has ended.');
  });

  it('answers for its metrics at every moment of a replacement', async () => {
    const service = await inTwo('--drain', '0');
    service.child.kill('SIGHUP');
    const scrapes: Promise<number>[] = [];
    await expect
      .poll(
        () => {
          scrapes.push(send(service.metrics ?? '').then(({ status }) => status));
          return messagesOf(service);
        },
        { timeout: 30_000, interval: 20 },
      )
      .toContain('All processes of the service were replaced.');
    expect(new Set(await Promise.all(scrapes))).toEqual(new Set([200]));
    expect(messagesOf(service)).toContain('All processes of the service are being replaced.');
    expect(await ended(service.child)).toBe(0);
  });

  it('says so when one of them hangs', async () => {
    const service = await inTwo('--drain', '0');
    const [hanging = 0] = processesOf(service);
    process.kill(hanging, 'SIGSTOP');
    expect((await send(service.metrics ?? '')).status).toBe(500);
    expect(messagesOf(service).join()).toContain('A process does not answer for its metrics.');
    process.kill(hanging, 'SIGCONT');
    expect(await ended(service.child)).toBe(0);
  });
});

describe('the log of a service', () => {
  it('names the account of a request beyond its limit', async () => {
    const ledger = await newLedger();
    const key = await addSeller(ledger, ['CA']);
    const service = await serving(['--ledger', ledger, '--rate-limit', '1', '--drain', '0']);
    const headers = { authorization: `Bearer ${key}` };
    // A minute of the clock may end in between.
    for (let count = 0; count < 3; count += 1) await send(`${service.url}categories`, { headers });
    expect(await ended(service.child)).toBe(0);
    expect(service.log()).toMatch(/"account":1,"status":429/);
    expect(messagesOf(service).slice(-2)).toEqual(['The service is ending.', 'The service has ended.']);
  });
});
