import { batches } from '../../runtime/batches.ts';
import { rollingWindow } from '../../runtime/rolling-window.ts';
import type { ClosePorts } from './close-ports.ts';

/** Records of one list at most: while the embedded service works on it, nothing else is done. */
const LIST_MAX = 250;
/** Others are with the service while the slowest calls of one end and its answers are noted. */
const LISTS_AT_ONCE = 3;

/** Hand records to the service in lists, none longer than the calls that may be under way at once. */
export const inLists = <Item>(
  { callsAtOnce }: ClosePorts,
  items: AsyncIterable<Item>,
  work: (list: readonly Item[]) => Promise<void>,
): Promise<void> => rollingWindow(batches(items, Math.min(callsAtOnce, LIST_MAX)), LISTS_AT_ONCE, work);
