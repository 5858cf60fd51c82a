/** A writer that writes rows in groups. */
export type BatchWriter<Row> = {
  /** Resolves when the row is written; rejects with the error of writing its group. It need not be awaited. */
  readonly keep: (row: Row) => Promise<void>;
  /** Resolves when one more row may be produced: at once, unless too many are waiting. @throws the error of writing */
  readonly ready: () => Promise<void>;
  /** From now on, write waiting rows immediately, because few more rows will follow. */
  readonly flushNow: () => void;
  /** Resolves when no row is waiting. @throws the error of writing */
  readonly drained: () => Promise<void>;
};

type Waiting<Row> = { readonly row: Row; readonly kept: PromiseWithResolvers<void> };

/** Writing may take a twentieth of the time: after each group the writer pauses nineteen times as long as it took. */
const REST_PER_WORK = 19;
const REST_MAX_MS = 50;

/**
 * Write rows that arrive one by one in groups, because each durable commit costs a disk sync. A group is written when
 * the pause after the previous one is over, or immediately when `waitingMax` rows are waiting. One group is written at
 * a time.
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
      // A caller that does not await this gets the failure from `ready` or `drained`.
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
