import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';

/** What was committed into a log, and whether the disk has it. */
export type DiskLog = {
  /** Something was committed that the disk need not have yet. */
  readonly wrote: () => void;
  /** Resolves when the disk has all that is committed now. @throws what the disk said, from then on for ever */
  readonly onDisk: () => Promise<void>;
};

/** Has the disk take what was written into an open file. */
export type SyncFile = (descriptor: number) => Promise<void>;

export const syncFile: SyncFile = promisify(fdatasync);

/**
 * Wait for the disk without holding up the thread. One trip at a time: anyone who commits during one waits for the next,
 * together with all others who do. After a trip that failed no one can tell what the disk has, so nothing counts as
 * written any more.
 */
export const diskLog = (sync: () => Promise<void>): DiskLog => {
  let written = 0;
  let synced = 0;
  let trip: Promise<void> | undefined;
  const syncOnce = async (): Promise<void> => {
    const upTo = written;
    await sync();
    synced = upTo;
    trip = undefined;
  };
  return {
    wrote: () => {
      written += 1;
    },
    onDisk: async () => {
      const wanted = written;
      while (synced < wanted) {
        trip ??= syncOnce();
        await trip;
      }
    },
  };
};
