import pLimit from 'p-limit';
import { batchesOf } from '../../../runtime/batches.ts';
import type { ClosePorts } from './close-ports.ts';

/** Records of one list at most: while the embedded service works on it, nothing else is done. */
const LIST_MAX = 250;
/** While the last calls of one list end and its answers are written, the next lists are with the service already. */
const LISTS_AT_ONCE = 3;

/** Hands records to the service in lists, none longer than the calls that may be under way at once. */
export type InLists = <Item, Answer>(
  items: readonly Item[],
  ask: (list: readonly Item[]) => Promise<readonly Answer[]>,
) => Promise<readonly PromiseSettledResult<readonly Answer[]>[]>;

/** How all pages that are worked on together hand over their records. After a failure no list is handed over any more. */
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

/** The answers of all lists. @throws what one of them failed with */
export const allAnswers = <Answer>(
  settled: readonly PromiseSettledResult<readonly Answer[]>[],
): readonly Answer[] =>
  settled.flatMap((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
