import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { month } from '../support/month.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { type Queued, runWorker } from '../support/worker-command.ts';

const batch = (sales: number, outcome: Queued['outcome']): Queued => ({
  batch: { entity: 'shop', period: { label: '2026-10' }, day: '2026-10-03', sales: Array(sales).fill(0) },
  outcome,
});

it('a worker prints a line a day, and logs what became of each batch: done, or refused', async () => {
  const log = join(await temporaryFolder(), 'worker.log');
  const { code, printed } = await runWorker(
    [batch(1, { done: '' }), batch(2, { done: '' }), batch(3, { refused: 'it is another one' })],
    '--log-level',
    'info',
    '--log-file',
    log,
  );
  expect(code).toBe(78);
  expect(printed.split('\n').filter((line) => line.startsWith('shop '))).toEqual([
    'shop 2026-10: sales of 2026-10-03',
  ]);
  expect(readFileSync(log, 'utf8').match(/"msg":"a batch [^"]+"/g)).toEqual([
    '"msg":"a batch is done"',
    '"msg":"a batch is done"',
  ]);
  expect(printed).toContain('E_WORKER_REFUSED: worker 7 on here cannot work for the close that runs: it is');
});

it('a decision file that is missing stops a worker before it takes a batch', async () => {
  const orders = [{ name: '#1' }];
  const { config } = await month({
    entities: { store: { orders }, outlet: { orders, settings: { decisions: ['lost.csv'] } } },
  });
  const both = await runWorker([], '--config', config);
  expect([both.code, both.entities, both.printed]).toEqual([65, [], expect.stringMatching(/^E_DECISION: /)]);
  expect((await runWorker([], '--config', config, '--entity', 'store')).entities).toEqual(['store']);
});
