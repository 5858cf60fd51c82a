import { calculationCache } from '../ask/answers.ts';
import type { CallBudget } from '../ask/calculate.ts';
import { checkBudget } from '../ask/plan-calculations.ts';
import { registerOfFiles } from '../certificates/read-register.ts';
import type { EntryLine } from '../evidence/entry.ts';
import { doublesByDay, type OrderOfDay, orderOfDay } from '../judge/possible-doubles.ts';
import type { Status } from '../judge/reconciled-sale.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { isWithin } from '../kernel/period.ts';
import type { Advanced } from '../periods/close-ports.ts';
import { daysOf, keyOfAside, type Statement } from '../read/shapes.ts';
import { batchesOf, inOrder } from '../runtime/batches.ts';
import { partitions } from '../runtime/partitions.ts';
import { type Exempted, exempted } from './compare-sale.ts';
import { settleLocked, type ToSettle } from './frozen.ts';
import { NONE, noneOf } from './outcome.ts';
import { planOfPeriod } from './plan.ts';
import { recordKeeper } from './record.ts';
import {
  type Batch,
  entriesFrom,
  explainWaiting,
  type SettledBatch,
  type Settler,
  settleBatch,
  type Waiting,
} from './settle-batch.ts';
import { batchAsker } from './share.ts';

/** So many sales go through all steps together: what is made of them dies young. */
const SALES_AT_ONCE = 100;

/** Batches on the queue at once: enough for every worker, and few enough to be withdrawn at once. */
const BATCHES_AHEAD = 32;

/**
 * Settles the sales of a period, some of a day at a time: exemptions, calculation, record, comparison, evidence. What
 * neither calculation nor tax lines explain waits, because the rates of a shop are decided by all sales of the period.
 *
 * @param folder a folder for what does not fit in memory
 * @param add takes the entries: those of which all is known by day and key, then corrections, then those that waited, by day and key
 */
export const settleAll = async (
  close: ToSettle,
  folder: string,
  add: (entries: readonly EntryLine[]) => Promise<void>,
  advanced: Advanced,
) => {
  const { ports, period, exports } = close;
  const register = registerOfFiles(exports.certificates);
  const doubles = doublesByDay(exports.inputs);
  let done = 0;
  const tell = (): void => advanced(done);
  const cache = calculationCache(ports, tell);
  const isStated = (key: string, day: CalendarDate): boolean =>
    exports.asides.read(day).some((aside) => keyOfAside(aside) === key);
  const keeper = recordKeeper(ports, period, isStated);
  const callsLeft = await callsBeyondSales(close);
  const calls: CallBudget = { cache, asked: 0, left: Number.MAX_SAFE_INTEGER };
  const counts = noneOf('calculated', 'known', 'skipped', 'refused');
  const keeperOf = (day: CalendarDate): typeof keeper =>
    isWithin(period, day) ? keeper : recordKeeper(ports, { first: day, last: day }, isStated, keeper);
  const settler: Settler = { ports, period, calls, counts, keeperOf };
  const statuses: Record<Status, number> = { ...NONE };
  const waiting = partitions<Waiting>(`${folder}/waiting`);
  const withExemptions = (statements: readonly Statement[]): readonly Exempted[] =>
    statements.map((statement) => exempted(statement, register));
  const addCounted = async (entries: readonly EntryLine[]): Promise<void> => {
    for (const { entry } of entries) if (entry.figures) statuses[entry.figures.status] += 1;
    await add(entries);
  };
  /** Adds the entries of sales of which all is known now, and keeps the others for the end. */
  const take = async (settled: SettledBatch): Promise<void> => {
    for (const one of settled.waiting) waiting.add(one.sale.businessDate, one);
    await addCounted(settled.entries);
    done += settled.entries.length + settled.waiting.length;
    tell();
  };
  const { queued } = ports;
  async function* allBatches() {
    for (const day of daysOf(exports, period)) {
      const orders: OrderOfDay[] = [];
      for (const statements of exports.sales.parts(day)) {
        // A single file has no doubles.
        if (exports.readings.length > 1) orders.push(...statements.flatMap(({ sale }) => orderOfDay(sale)));
        for (const some of batchesOf(statements, queued?.salesPerBatch ?? SALES_AT_ONCE))
          yield { day, sales: withExemptions(some) } satisfies Batch;
      }
      doubles.see(orders);
    }
  }
  const ask = batchAsker(settler, tell);
  if (ask)
    for await (const takeOver of inOrder(allBatches(), BATCHES_AHEAD, ask)) await take(await takeOver());
  else for await (const batch of allBatches()) await take(await settleBatch(settler, batch));
  const undecided = await settleLocked(close, { settler, keeper, withExemptions, take, add });
  const { explained, recomputed } = await explainWaiting(settler, waiting.pages, callsLeft, tell);
  for (const page of waiting.pages())
    for (const some of batchesOf(page, SALES_AT_ONCE))
      await addCounted(entriesFrom(settler, some.map(explained)));
  return { doubles, settled: { keeper, statuses, undecided, recomputed } };
};

/** Returns the calls that the sales of the period leave over. @throws {TieoutError} E_CALL_BUDGET before the first call */
const callsBeyondSales = async (close: ToSettle): Promise<number> => {
  const { ports, period } = close;
  if (ports.maxCalculations === undefined) return Number.MAX_SAFE_INTEGER;
  const plan = await planOfPeriod(ports, close, period);
  checkBudget(plan);
  return ports.maxCalculations - plan.toAsk;
};
