import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { month } from '../support/month.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { type Queued, runWorker } from '../support/worker-command.ts';

const pages = (slots: readonly string[], outcome: Queued['outcome']): Queued => ({
  batch: { entity: 'shop', stage: 'submit', period: { label: '2026-10' }, slots },
  outcome,
});
const DONE = { done: { sales: 1, figures: {} } };
const share = (done: { readonly begins?: number }): Queued => ({
  batch: { entity: 'shop', stage: 'extract', file: 'orders.csv' },
  outcome: { done },
});

it('a worker says what became of each batch: done, left to the close, or refused', async () => {
  const log = join(await temporaryFolder(), 'worker.log');
  const { code, printed } = await runWorker(
    [
      pages(['a'], DONE),
      pages(['a', 'b'], DONE),
      share({ begins: 2 }),
      share({}),
      { batch: { entity: 'shop', stage: 'sale-pages', day: '2026-10-03' }, outcome: { done: 1 } },
      pages(['c'], { refused: 'it is another one' }),
    ],
    '--log-level',
    'info',
    '--log-file',
    log,
  );
  expect(code).toBe(78);
  expect(printed.split('\n').filter((line) => line.startsWith('shop '))).toEqual([
    'shop 2026-10 submit: one part done',
    'shop 2026-10 submit: 2 parts done',
    'shop extract: one part of orders.csv done',
    'shop extract: one part of orders.csv left to the close; here the file or its profile is missing, another one, or not to be read in parts',
    'shop extract: the sales of 2026-10-03 done',
  ]);
  expect(readFileSync(log, 'utf8').match(/"msg":"a batch [^"]+"/g)).toEqual([
    ...Array.from({ length: 3 }, () => '"msg":"a batch is done"'),
    '"msg":"a batch is left to the close"',
    '"msg":"a batch is done"',
  ]);
  expect(printed).toContain('E_WORKER_REFUSED: worker 7 on here cannot work for the close that runs: it is');
});

it('a worker of several entities leaves out one whose decision file is missing, and names it', async () => {
  const orders = [{ name: '#1' }];
  const { config } = await month({
    entities: { store: { orders }, outlet: { orders, settings: { decisions: ['lost.csv'] } } },
  });
  const both = await runWorker([], '--config', config, '--quiet');
  expect([both.code, both.entities]).toEqual([0, ['store']]);
  expect(both.printed).toMatch(/^outlet: E_DECISION: .*lost\.csv: there is no such file\.\n/);
  expect(both.printed).toMatch(/^Until it is started again, this worker takes no batches of outlet\.$/m);
  const alone = await runWorker([], '--config', config, '--entity', 'outlet');
  expect([alone.code, alone.entities]).toEqual([65, []]);
});
