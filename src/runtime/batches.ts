import pLimit from 'p-limit';

/** Split a list into parts of a bounded size, the last one smaller. */
export function* batchesOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * Start work on items while earlier results are awaited, at most `aheadMax` ahead, and yield the results in the order
 * of the items. A failure of the work is thrown in place of its result. When this ends, for any reason, nothing is still
 * running.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  aheadMax: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // The failure is thrown where the result is awaited.
      result.catch(() => {});
      underWay.push(result);
      while (underWay.length > aheadMax) yield await (underWay.shift() as Promise<Result>);
    }
    while (underWay.length > 0) yield await (underWay.shift() as Promise<Result>);
  } finally {
    await Promise.allSettled(underWay);
  }
}

/**
 * Run work on every item, at most `limit` at a time, and return the results in the order of the items. After the first
 * failure nothing more is started; what is in flight is settled, and then the failure is thrown. For one bounded batch
 * only: never pass every order of a month.
 */
export const inParallel = async <Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const { run, check } = failingGate(limit);
  const settled = await Promise.allSettled(items.map((item) => run(() => work(item))));
  check();
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<Result>).value);
};

/** Runs work, at most `limit` at a time. After the first failure nothing more is started: what waits fails with it. */
export const failingGate = (limit: number) => {
  const gate = pLimit(limit);
  let failure: { readonly error: unknown } | undefined;
  /** @throws the first failure */
  const check = (): void => {
    if (failure) throw failure.error;
  };
  const run = <Result>(work: () => Promise<Result>): Promise<Result> =>
    gate(async () => {
      check();
      try {
        return await work();
      } catch (error) {
        failure ??= { error };
        throw error;
      }
    });
  return { run, check };
};
