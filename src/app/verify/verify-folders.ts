import { type LinesSums, sumsOfLines } from '../../close/evidence/read-entries.ts';
import { type Verified, type VerifyOptions, verifyEvidence } from '../../close/evidence/verify-evidence.ts';
import { alone, type WithSumming } from '../../close/evidence/verify-files.ts';
import { othersHere, startThread } from '../../runtime/thread.ts';

/** Verifies folders of periods one after the other; other threads sum the sales of a large one. */
export const verifyFolders = async (
  folders: readonly string[],
  options: VerifyOptions,
): Promise<readonly Verified[]> => {
  const others = othersHere();
  const withSumming = others > 0 ? sharedSumming(others) : undefined;
  const verified: Verified[] = [];
  for (const folder of folders) verified.push(await verifyEvidence(folder, options, withSumming));
  return verified;
};

/** Parts queued at a thread, so that the next one is ready there while this thread is busy. */
const PARTS_AT_THREAD = 2;

/**
 * Maximum number of parts in progress or waiting for an earlier one: a thread starts with many parts before its own.
 */
const PARTS_AHEAD = 16;

/** Starting a thread takes about as long as summing this number of sales. */
const SALES_MIN = 20_000;

/** Sums parts of a large log of entries in a number of other threads, and in this one while they are busy. */
export const sharedSumming =
  (others: number, salesMin = SALES_MIN): WithSumming =>
  async (settings, entries, work) => {
    if (entries < salesMin) return alone(settings, entries, work);
    const threads = Array.from({ length: others }, () => ({
      ...startThread(new URL('./verify-sums-thread.ts', import.meta.url), settings),
      parts: 0,
    }));
    const sumsOf = async (lines: readonly string[]): Promise<LinesSums> => {
      const thread = threads.find(({ parts }) => parts < PARTS_AT_THREAD);
      if (!thread) return sumsOfLines(lines, settings);
      thread.parts += 1;
      try {
        return (await thread.ask(lines)) as LinesSums;
      } finally {
        thread.parts -= 1;
      }
    };
    try {
      return await work({ aheadMax: PARTS_AHEAD, sumsOf });
    } finally {
      await Promise.all(threads.map(({ close }) => close()));
    }
  };
