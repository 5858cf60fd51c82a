import { type SalesSums, sumsOfLines } from '../../close/evidence/sales-sums.ts';
import { alone, type WithSumming } from '../../close/evidence/verify-logs.ts';
import { startThread } from '../../runtime/thread.ts';

/** Parts that a thread has been given: the next one waits there while this thread is busy. */
const PARTS_AT_THREAD = 2;

/** Parts that may be under way or waiting for one before them: a thread begins behind many others. */
const PARTS_AHEAD = 16;

/** To begin takes a thread about as long as so many sales. */
const SALES_MIN = 20_000;

/** Have parts of a large log of sales added up by so many other threads, and by this one while they are busy. */
export const sharedSumming =
  (others: number, salesMin = SALES_MIN): WithSumming =>
  async (given, sales, work) => {
    if (sales < salesMin) return alone(given, sales, work);
    const threads = Array.from({ length: others }, () => ({
      ...startThread(new URL('./verify-sums-thread.ts', import.meta.url), given),
      parts: 0,
    }));
    const sumsOf = async (lines: readonly string[]): Promise<SalesSums> => {
      const thread = threads.find(({ parts }) => parts < PARTS_AT_THREAD);
      if (!thread) return sumsOfLines(lines, given);
      thread.parts += 1;
      try {
        return (await thread.ask(lines)) as SalesSums;
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
