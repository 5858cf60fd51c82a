import pLimit from 'p-limit';

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
  const gate = pLimit(limit);
  let failure: { readonly error: unknown } | undefined;
  const settled = await Promise.allSettled(
    items.map((item) =>
      gate(async () => {
        if (failure) throw failure.error;
        try {
          return await work(item);
        } catch (error) {
          failure ??= { error };
          throw error;
        }
      }),
    ),
  );
  if (failure) throw failure.error;
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<Result>).value);
};
