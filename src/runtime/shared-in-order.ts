/** Who works on an item. */
export type Sharing<Item, Result> = {
  /** Items that others work on, or that wait for them, at the most: none where there are no others. */
  readonly othersMax: number;
  /** Have one of the others do it; `undefined` when it is not for them. */
  readonly elsewhere: (item: Item) => Promise<Result | undefined>;
  readonly here: (item: Item) => Promise<Result>;
};

/**
 * Work on items side by side, some of them ahead of whoever takes the results, which come in the order of the items.
 * While the others have enough to do, this thread does one. A failure is heard of where its result is taken.
 */
export async function* sharedInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  { othersMax, elsewhere, here }: Sharing<Item, Result>,
): AsyncGenerator<Result> {
  let underWay = 0;
  const resultElsewhere = async (item: Item): Promise<Result | undefined> => {
    if (underWay === othersMax) return undefined;
    underWay += 1;
    try {
      return await elsewhere(item);
    } finally {
      underWay -= 1;
    }
  };
  const resultOf = async (item: Item): Promise<Result> => (await resultElsewhere(item)) ?? here(item);
  const aheadMax = 2 * othersMax;
  const ahead: Promise<Result>[] = [];
  for await (const item of items) {
    const result = resultOf(item);
    // Whoever takes the result hears of the failure.
    result.catch(() => {});
    ahead.push(result);
    const next = ahead.length > aheadMax ? ahead.shift() : undefined;
    if (next) yield await next;
  }
  for (const result of ahead) yield await result;
}
