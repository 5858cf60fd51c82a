/** Keeps what it is given, several at once. */
export type BatchWriter<Row> = {
  /** Resolves when the row is kept; rejects with whatever keeping its group threw. It need not be awaited. */
  readonly keep: (row: Row) => Promise<void>;
  /** Resolves when one more may be produced: at once, unless too many are waiting. @throws what keeping threw */
  readonly ready: () => Promise<void>;
  /** From now on what is waiting is written at once: little more comes that it could be written with. */
  readonly flushNow: () => void;
  /** Resolves when nothing is waiting any more. @throws what keeping threw */
  readonly drained: () => Promise<void>;
};

type Waiting<Row> = { readonly row: Row; readonly kept: PromiseWithResolvers<void> };

/** Keeping may take a twentieth of the time: after each group nothing is written for nineteen times that long. */
const REST_PER_WORK = 19;
const REST_MAX_MS = 50;

/**
 * A durable commit costs a trip to the disk, and rows arrive one by one. They are kept in groups: when the rest that
 * the last group has cost is over, or at once when `waitingMax` rows are waiting. One group is written at a time.
 */
export const batchWriter = <Row>(options: {
  readonly waitingMax: number;
  readonly write: (rows: readonly Row[]) => Promise<void>;
}): BatchWriter<Row> => {
  const { waitingMax, write } = options;
  let waiting: Waiting<Row>[] = [];
  let writing: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let restMs = 0;
  let isHurried = false;
  let timer: NodeJS.Timeout | undefined;

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeWaiting().finally(() => {
      writing = undefined;
      if (waiting.length > 0) schedule();
    });
    return writing;
  };
  const writeWaiting = async (): Promise<void> => {
    const group = waiting;
    waiting = [];
    const startedMs = performance.now();
    try {
      if (failure) throw failure.error;
      await write(group.map(({ row }) => row));
      for (const { kept } of group) kept.resolve();
    } catch (error) {
      failure ??= { error };
      for (const { kept } of group) kept.reject(error);
    }
    restMs = Math.min(REST_MAX_MS, REST_PER_WORK * (performance.now() - startedMs));
  };
  const schedule = (): void => {
    if (writing) return;
    if (isHurried || waiting.length >= waitingMax) void flush();
    else timer ??= setTimeout(() => void flush(), restMs);
  };

  return {
    keep: (row) => {
      const kept = Promise.withResolvers<void>();
      // Anyone who does not await this hears of the failure from `room` or `settled`.
      kept.promise.catch(() => {});
      waiting.push({ row, kept });
      schedule();
      return kept.promise;
    },
    ready: async () => {
      while (waiting.length >= waitingMax) await flush();
      if (failure) throw failure.error;
    },
    flushNow: () => {
      isHurried = true;
      if (waiting.length > 0) schedule();
    },
    drained: async () => {
      while (waiting.length > 0 || writing) await flush();
      if (failure) throw failure.error;
    },
  };
};
