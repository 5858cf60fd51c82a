import { calculationCache } from '../ask/answers.ts';
import { checkBudget, planOfSales } from '../ask/plan-calculations.ts';
import { registerOfFiles } from '../certificates/read-register.ts';
import type { Entry } from '../evidence/entry.ts';
import { doublesByDay } from '../judge/possible-doubles.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { type FilingPeriod, isWithin } from '../kernel/period.ts';
import type { Advanced, ClosePorts } from '../periods/close-ports.ts';
import type { Locks } from '../periods/folders.ts';
import { keyOfAside, type LateItems } from '../periods/late.ts';
import { daysOf, type Exports } from '../read/shapes.ts';
import { batches, batchesOf, inOrder } from '../runtime/batches.ts';
import { frozenEntries, frozenIn, replacedIn } from './frozen.ts';
import { correctionsIn, heldIn, lateNamesakes, undecidedIn } from './late.ts';
import { recordsOf } from './locked.ts';
import { postedSales } from './plan.ts';
import { SALES_AT_ONCE, settling } from './settling.ts';
import { batchAsker, takeWorked } from './share.ts';

/** A period with what the exports say, and what is locked and late of it. */
type ToSettle = {
  readonly ports: ClosePorts;
  readonly period: FilingPeriod;
  readonly exports: Exports;
  readonly locks: Locks;
  readonly late: LateItems;
};

/** Batches on the queue at once: enough for every worker, and few enough to be withdrawn at once. */
const BATCHES_AHEAD = 32;

/** Settles the sales of a period, day by day, and then those that waited for all of them. */
export const settleAll = async (
  close: ToSettle,
  add: (entries: readonly Entry[]) => void,
  advanced: Advanced,
) => {
  const { ports, period, exports, locks, late } = close;
  const register = registerOfFiles(exports.certificates);
  const channels = ports.configuration.channels.map(({ name }) => name);
  const doubles = doublesByDay(exports.inputs, channels);
  let done = 0;
  const cache = calculationCache(ports, () => advanced(done));
  const spare = await spareCalls(close);
  const isStated = (key: string, day: CalendarDate): boolean =>
    exports.asides.read(day).some((aside) => keyOfAside(aside) === key);
  const settle = settling(ports, period, { register, cache, spare, isStated });
  const { queued } = ports;
  const ask = batchAsker(settle.settler, () => advanced(done));
  async function* allBatches() {
    for (const day of daysOf(exports, period)) {
      const statements = exports.sales.read(day);
      doubles.see(statements.map(({ sale }) => sale));
      for (const some of batchesOf(statements, queued?.salesPerBatch ?? SALES_AT_ONCE))
        yield settle.batchOf(day, some);
    }
  }
  if (ask)
    for await (const { batch, worked } of inOrder(allBatches(), BATCHES_AHEAD, ask)) {
      add(settle.take(await takeWorked(settle.settler, batch, worked)));
      done += batch.sales.length;
      advanced(done);
    }
  else
    for await (const batch of allBatches()) {
      add(settle.take(await settle.settle(batch)));
      done += batch.sales.length;
      advanced(done);
    }
  const frozen = frozenIn(locks, period);
  const held = heldIn(late, locks, period);
  const replaced = await replacedIn(frozen, locks, late, held);
  const added = [...correctionsIn(late, locks, period), ...held];
  for (const orders of await lateNamesakes(locks, added, channels)) doubles.seeLate(orders);
  for (const [day, statements] of Map.groupBy(added, ({ sale }) => sale.businessDate))
    add(settle.take(await settle.settle(settle.batchOf(day, statements))));
  for (const [index, locked] of frozen.entries()) {
    const entries = frozenEntries(locked, (key) => replaced[index]?.(key) === true);
    await addFrozen(ports, period, entries, settle, add);
  }
  const undecided = await undecidedIn(late, locks, period, settle.foresee);
  const { entries, figures } = await settle.end(() => advanced(done));
  add(entries);
  const { keeper, gaps, statuses, counts } = settle;
  return { doubles, settled: { keeper, gaps, statuses, undecided, recomputed: { ...counts, ...figures } } };
};

/** Adds the entries of a locked period as they stay; what the service has of them is not a stray. */
const addFrozen = async (
  ports: ClosePorts,
  period: FilingPeriod,
  entries: AsyncIterable<Entry>,
  { keeper: { listed } }: ReturnType<typeof settling>,
  add: (entries: readonly Entry[]) => void,
): Promise<void> => {
  for await (const some of batches(entries, SALES_AT_ONCE)) {
    for (const entry of some) {
      const { businessDate } = entry.sale;
      const isOpen = isWithin(period, businessDate);
      for (const name of recordsOf(ports, entry)) {
        if (isOpen) await listed.until(name, businessDate);
        listed.take(name);
      }
    }
    add(some);
  }
};

/** Returns the calls that the sales of the period leave over. @throws {TieoutError} E_CALL_BUDGET before the first call */
const spareCalls = async ({ ports, period, exports }: ToSettle): Promise<number> => {
  if (ports.maxCalculations === undefined) return Number.MAX_SAFE_INTEGER;
  const plan = await planOfSales(ports, postedSales(exports, period));
  checkBudget(plan);
  return ports.maxCalculations - plan.toAsk;
};
