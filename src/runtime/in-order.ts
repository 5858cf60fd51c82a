/**
 * Begin work on items while the results of those before are awaited, at most `aheadMax` of them, and give the results in the
 * order of the items. A failure, of the work or of the sequence, is thrown where its result would come. When this ends,
 * for whatever reason, nothing is under way any more.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  aheadMax: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  try {
    for await (const { result } of begun(items, work)) {
      // It is heard of where it is taken.
      result.catch(() => {});
      underWay.push(result);
      while (underWay.length > aheadMax) yield await (underWay.shift() as Promise<Result>);
    }
    while (underWay.length > 0) yield await (underWay.shift() as Promise<Result>);
  } finally {
    await Promise.allSettled(underWay);
  }
}

/** A sequence that fails ends with a result that fails. A generator would await a promise that it gives by itself. */
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
