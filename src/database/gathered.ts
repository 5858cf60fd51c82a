import { setImmediate as nextTurn } from 'node:timers/promises';
import { TieoutError } from '../kernel/errors.ts';

type Waiting<Item, Result> = { readonly item: Item; readonly answer: PromiseWithResolvers<Result> };

/**
 * Combine the calls of many callers: requests made in the same turn of the event loop, or while earlier calls are in
 * flight, are sent together. A round trip to a database server costs more than what it carries.
 *
 * `work` returns results in the order of its items. If it rejects a group, the items are tried one by one, so that no
 * caller fails because of another's item; if the database itself fails, all callers get that error at once.
 */
export const gathered = <Item, Result>(
  { groupMax, inFlightMax }: { readonly groupMax: number; readonly inFlightMax: number },
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): ((item: Item) => Promise<Result>) => {
  const waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;

  const run = async (): Promise<void> => {
    inFlight += 1;
    await nextTurn();
    while (waiting.length > 0) await settle(waiting.splice(0, groupMax), work);
    inFlight -= 1;
  };

  return (item) => {
    const answer = Promise.withResolvers<Result>();
    waiting.push({ item, answer });
    if (inFlight < inFlightMax) void run();
    return answer.promise;
  };
};

const settle = async <Item, Result>(
  group: readonly Waiting<Item, Result>[],
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> => {
  try {
    const results = await work(group.map(({ item }) => item));
    for (const [index, { answer }] of group.entries()) answer.resolve(results[index] as Result);
  } catch (error) {
    if (group.length === 1 || error instanceof TieoutError)
      for (const { answer } of group) answer.reject(error);
    else for (const one of group) await settle([one], work);
  }
};
