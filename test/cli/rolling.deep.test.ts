import { describe, expect, it, onTestFinished } from 'vitest';
import { send } from '../contract/send.ts';
import { onPostgres } from '../support/databases.ts';
import { newDatabase } from '../support/new-database.ts';
import { startPostgres } from '../support/postgres.ts';
import { addSeller, serveHere } from '../support/serving.ts';
import { startBalancer } from './balancer.ts';
import { ended, type Serving, serving } from './serving.ts';
import { steadyLoad } from './steady-load.ts';

const portOf = ({ url }: Serving): number => Number(new URL(url).port);

describe('two machines behind a load balancer', () =>
  onPostgres(({ newUrl }) => {
    it('are ended and started one after the other without a failed request', async () => {
      const ledger = await newUrl();
      const key = await addSeller(ledger, ['CA']);
      const args = ['--ledger', ledger, '--log-level', 'warn', '--drain', '1'];
      const machines = [await serving(args), await serving(args)];
      const balancer = await startBalancer(machines.map(portOf));
      onTestFinished(balancer.stop);
      const load = steadyLoad(balancer.url, key);
      for (const machine of machines) {
        const before = load.answered();
        await expect.poll(load.answered, { timeout: 30_000 }).toBeGreaterThan(before + 100);
        expect(await ended(machine.child)).toBe(0);
        expect(balancer.ready()).not.toContain(portOf(machine));
        await serving([...args, '--port', String(portOf(machine))]);
        await expect.poll(balancer.ready, { timeout: 30_000 }).toContain(portOf(machine));
      }
      const outcomes = await load.stop();
      expect(outcomes.filter(({ status }) => status !== 201)).toEqual([]);
    });
  }));

describe('a service', () =>
  onPostgres(() => {
    it('is not ready while its database is away, and is again when that is back', async () => {
      const postgres = await startPostgres({ keepsCommits: true });
      onTestFinished(postgres.stop);
      const { url, stop } = await serveHere((await newDatabase(postgres.url)).url);
      onTestFinished(() => stop().catch(() => {}));
      const status = async (path: string) => (await send(new URL(path, url).toString())).status;
      expect([await status('/readyz'), await status('/healthz')]).toEqual([200, 200]);
      await postgres.halt();
      expect([await status('/readyz'), await status('/healthz')]).toEqual([503, 200]);
      await postgres.resume();
      expect(await status('/readyz')).toBe(200);
    });
  }));
