/**
 * Start work on items while earlier results are awaited, at most `aheadMax` ahead, and yield the results in the order
 * of the items. A failure of the work or of the sequence is thrown in place of its result. When this ends, for any
 * reason, nothing is still running.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  aheadMax: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  try {
    for await (const { result } of begun(items, work)) {
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

/** End a failing sequence with a rejected result. Results are wrapped: a generator awaits a promise that it yields. */
async function* begun<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<{ readonly result: Promise<Result> }> {
  try {
    for await (const item of items) yield { result: work(item) };
  } catch (error) {
    yield { result: Promise.reject(error) };
  }
}
