import { expect, it } from 'vitest';
import { month } from '../support/month.ts';
import { type Queued, runWorker } from '../support/worker-command.ts';

const batch = (sales: number, outcome: Queued['outcome']): Queued => ({
  batch: { entity: 'shop', period: { label: '2026-10' }, day: '2026-10-03', sales: Array(sales).fill(0) },
  outcome,
});

it('a worker prints a line a day, and why it refuses a batch', async () => {
  const done = { done: '' };
  const queued = [batch(1, done), batch(2, done), batch(3, { refused: 'it is another one' })];
  const { code, printed } = await runWorker(queued);
  expect(code).toBe(78);
  expect(printed.split('\n').filter((line) => line.startsWith('shop '))).toEqual([
    'shop 2026-10: sales of 2026-10-03',
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
