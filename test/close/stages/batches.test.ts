import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Batch } from '../../../src/close/stages/batches/batch.ts';
import { batchDoer } from '../../../src/close/stages/batches/do-batch.ts';
import type { ClosePorts } from '../../../src/close/stages/close-ports.ts';
import type { Json } from '../../../src/kernel/digest.ts';
import type { Workers } from '../../../src/runtime/workers.ts';
import { closeHere } from '../../support/close-here.ts';
import { filesOf } from '../../support/tieout.ts';
import { variedShop } from '../../support/varied-shop.ts';

const shop = (): Promise<string> => variedShop({ count: 60 });

/** Workers in this process, who do every batch twice, as happens to one whose worker was lost. */
const forgetfulWorkers = (ports: ClosePorts, batches: Batch[]): Workers => ({
  itemsPerPiece: 10,
  doAll: async (pieces, done) => {
    const doBatch = batchDoer([ports]);
    for await (const piece of pieces) {
      // What travels is text.
      const batch = JSON.parse(JSON.stringify(piece)) as Batch;
      batches.push(batch);
      const first = await doBatch(batch, () => {});
      await doBatch(batch, () => {});
      done((first as { readonly done: Json }).done);
    }
  },
});

it('a close whose stages are done batch by batch asks, sends and writes what a close at one go does', async () => {
  const [atOneGo, byBatches] = [await shop(), await shop()];
  const plain = await closeHere(atOneGo);
  const batches: Batch[] = [];
  const closed = await closeHere(byBatches, (ports) => ({
    ...ports,
    workers: forgetfulWorkers(ports, batches),
  }));

  expect(await filesOf(join(byBatches, 'out'))).toEqual(await filesOf(join(atOneGo, 'out')));
  for (const stage of ['recomputed', 'submitted', 'pulledBack'] as const)
    expect(closed[stage]).toEqual(plain[stage]);
  const counts = Object.groupBy(batches, ({ stage }) => stage);
  expect(counts['recompute']?.length).toBeGreaterThanOrEqual(6);
  expect(counts['submit']?.length).toBe(7);
  expect(counts['pull-back']?.length).toBe(7);
});

it('a batch of another program, configuration or entity is refused', async () => {
  const folder = await shop();
  const said: unknown[] = [];
  await closeHere(folder, (ports) => {
    const batches: Batch[] = [];
    const workers = forgetfulWorkers(ports, batches);
    const refuse = async (batch: Batch | undefined) => {
      if (!batch) return;
      const doBatch = batchDoer([ports]);
      const { maker } = batch;
      for (const changed of [{ program: 'x' }, { configuration: 'x' }, { service: 'x' }])
        said.push(await doBatch({ ...batch, maker: { ...maker, ...changed } }, () => {}));
      said.push(await doBatch({ ...batch, entity: 'other' }, () => {}));
    };
    return {
      ...ports,
      workers: {
        ...workers,
        doAll: async (pieces, done, waiting) => {
          await workers.doAll(pieces, done, waiting);
          if (said.length === 0) await refuse(batches[0]);
        },
      },
    };
  });
  expect(said).toEqual([
    { refused: expect.stringMatching(/^it is Tieout 0 \(\w{8}\), and the close is x$/) },
    { refused: expect.stringMatching(/^its configuration \(\w{8}\) is not that of the close \(x\)$/) },
    { refused: expect.stringMatching(/^its tax service is embedded .+, and that of the close is x$/) },
    { refused: 'its configuration has no entity other' },
  ]);
});
