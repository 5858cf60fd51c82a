/**
 * Work on items one after the other, each while the next one is got ready. Whatever ends it, nothing is under way any
 * more when it has ended.
 */
export const besideNext = async <Item>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  let underWay = Promise.resolve();
  try {
    for await (const item of items) {
      await underWay;
      underWay = work(item);
      // Whoever waits for it below hears of the failure.
      underWay.catch(() => {});
    }
  } finally {
    await underWay;
  }
};
