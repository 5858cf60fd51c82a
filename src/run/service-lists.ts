import pLimit from 'p-limit';
import { batchesOf } from '../runtime/batches.ts';
import type { ClosePorts } from './close-ports.ts';

/** The most records in one list. The embedded service does nothing else while it processes a list. */
const LIST_MAX = 250;
/** While the last calls of one list end and its answers are written, the service already processes the next lists. */
const LISTS_AT_ONCE = 3;

/** Sends records to the service in lists, none longer than the number of calls allowed in parallel. */
export type InLists = <Item, Answer>(
  items: readonly Item[],
  ask: (list: readonly Item[]) => Promise<readonly Answer[]>,
) => Promise<readonly PromiseSettledResult<readonly Answer[]>[]>;

/**
 * Returns the function with which all pages that are processed in parallel send their records. After a failure, no more
 * lists are sent.
 */
export const inLists = ({ callsAtOnce }: ClosePorts): InLists => {
  const gate = pLimit(LISTS_AT_ONCE);
  let failure: { readonly error: unknown } | undefined;
  return (items, ask) =>
    Promise.allSettled(
      [...batchesOf(items, Math.min(callsAtOnce, LIST_MAX))].map((list) =>
        gate(async () => {
          if (failure) throw failure.error;
          return ask(list).catch((error: unknown) => {
            failure ??= { error };
            throw error;
          });
        }),
      ),
    );
};

/**
 * Returns the answers of all lists.
 *
 * @throws the error with which one of them failed
 */
export const allAnswers = <Answer>(
  settled: readonly PromiseSettledResult<readonly Answer[]>[],
): readonly Answer[] =>
  settled.flatMap((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
