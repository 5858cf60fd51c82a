import type { Json } from '../../../kernel/digest.ts';
import type { Workers } from '../../../runtime/workers.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { type ExportBatch, makerOf } from './batch.ts';

/** What is made of a piece, with its place among the pieces, from 0. */
type Numbered = { readonly number: number };

/**
 * What workers make of pieces, in the order of the pieces, of which a few are under way or made before they are asked for.
 * Anyone who stops asking ends the work.
 *
 * @param waiting is called again and again, and may end the work by throwing
 */
export async function* inOrder<Made extends Numbered>(
  workers: Workers,
  pieces: AsyncIterable<Json>,
  ahead: number,
  waiting: () => void,
): AsyncGenerator<Made> {
  const made = new Map<number, Made>();
  let taken = 0;
  let isOver = false;
  let changed = Promise.withResolvers<void>();
  const tell = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  async function* given(): AsyncGenerator<Json> {
    let number = 0;
    for await (const piece of pieces) {
      while (number >= taken + ahead && !isOver) await changed.promise;
      if (isOver) return;
      yield piece;
      number += 1;
    }
  }
  let failure: { readonly error: unknown } | undefined;
  const all = workers
    .doAll(
      given(),
      (result) => {
        const one = result as unknown as Made;
        made.set(one.number, one);
        tell();
      },
      waiting,
    )
    .catch((error: unknown) => {
      failure = { error };
    })
    .finally(() => {
      isOver = true;
      tell();
    });
  try {
    for (;;) {
      const next = made.get(taken);
      if (next) {
        made.delete(taken);
        taken += 1;
        tell();
        yield next;
      } else if (failure) throw failure.error;
      else if (isOver) return;
      else await changed.promise;
    }
  } finally {
    isOver = true;
    tell();
    await all;
  }
}

/** Threads that read shares of exports. */
export type ExportReaders = {
  /** As of `Threads`. */
  readonly salesMin: () => number;
  /** What they make of shares, as `inOrder`. */
  readonly read: <Made extends Numbered>(
    shares: AsyncIterable<Json>,
    ahead: number,
    waiting: () => void,
  ) => AsyncGenerator<Made>;
};

/** The threads of a close as readers of its exports, where it has any. */
export const exportReaders = (ports: ClosePorts): ExportReaders | undefined => {
  const { threads, workspace } = ports;
  if (!threads) return undefined;
  const maker = makerOf(ports);
  async function* pieces(shares: AsyncIterable<Json>): AsyncGenerator<Json> {
    for await (const share of shares)
      yield {
        maker,
        entity: workspace.entity,
        stage: 'extract',
        share,
      } satisfies ExportBatch as unknown as Json;
  }
  return {
    salesMin: threads.salesMin,
    read: (shares, ahead, waiting) => inOrder(threads, pieces(shares), ahead, waiting),
  };
};
