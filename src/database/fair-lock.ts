/** One holder at a time, in the order in which they asked. */
export type FairLock = {
  readonly take: () => Promise<void>;
  readonly release: () => void;
};

/** Everybody waits for the one before: waking all for every turn would cost the square of their number. */
export const fairLock = (): FairLock => {
  let last: Promise<void> = Promise.resolve();
  let open = (): void => {};
  return {
    take: async () => {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before;
      open = resolve;
    },
    release: () => open(),
  };
};
