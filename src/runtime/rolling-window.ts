/**
 * Run work on every item of a sequence of any length, at most `inFlightMax` at a time. The next item is taken as soon
 * as one is done, so the window stays full regardless of paging, and nothing accumulates in memory. After the first
 * failure of the work or of the sequence, nothing more is started; what is in flight is settled, and then the failure
 * is thrown.
 */
export const rollingWindow = async <Item>(
  items: AsyncIterable<Item>,
  inFlightMax: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  let failure: { readonly error: unknown } | undefined;
  let inFlight = 0;
  let wake: () => void = () => {};
  const oneDone = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const start = (item: Item): void => {
    inFlight += 1;
    work(item)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        inFlight -= 1;
        wake();
      });
  };

  try {
    for await (const item of items) {
      if (failure) break;
      start(item);
      while (inFlight >= inFlightMax) await oneDone();
      if (failure) break;
    }
  } catch (error) {
    failure ??= { error };
  }
  while (inFlight > 0) await oneDone();
  if (failure) throw failure.error;
};
