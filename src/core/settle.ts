import { calculationCache } from '../ask/answers.ts';
import type { CallBudget } from '../ask/calculate.ts';
import { explainVariances } from '../ask/explain-open.ts';
import { checkBudget, questionCap } from '../ask/plan-calculations.ts';
import { registerOfFiles } from '../certificates/read-register.ts';
import type { Entry } from '../evidence/entry.ts';
import { doublesByDay } from '../judge/possible-doubles.ts';
import type { Status } from '../judge/reconciled-sale.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { isWithin } from '../kernel/period.ts';
import type { Advanced } from '../periods/close-ports.ts';
import { keyOfAside } from '../periods/late.ts';
import { daysOf, type Statement } from '../read/shapes.ts';
import { batches, batchesOf, inOrder } from '../runtime/batches.ts';
import { postingOf } from '../sales/sale.ts';
import { exempted, figuresOfSale } from './compare-sale.ts';
import type { Settled } from './entry-of.ts';
import { frozenEntries, frozenIn, replacedIn } from './frozen.ts';
import { correctionsIn, heldIn, lateNamesakes, undecidedIn } from './late.ts';
import { recordsOf } from './locked.ts';
import { NONE, noneOf } from './outcome.ts';
import { planOfPeriod } from './plan.ts';
import type { Close } from './reading.ts';
import { recordKeeper } from './record.ts';
import {
  type Batch,
  calculationsOf,
  entriesFrom,
  type SettledBatch,
  type Settler,
  settleBatch,
  type Waiting,
} from './settle-batch.ts';
import { batchAsker, takeWorked } from './share.ts';

/** So many sales go through all steps together: what is made of them dies young. */
const SALES_AT_ONCE = 100;

/** Batches on the queue at once: enough for every worker, and few enough to be withdrawn at once. */
const BATCHES_AHEAD = 32;

/** A period with what the exports say, and what is locked and late of it. */
type ToSettle = Pick<Close, 'ports' | 'period' | 'exports' | 'locks' | 'late'>;

/**
 * Settles the sales of a period, some of a day at a time: exemptions, calculation, record, comparison, evidence. What no
 * calculation explains waits for the whole period, because the rates that a shop has in common are decided by all of its
 * sales; it is all that is kept.
 *
 * @param add takes the entries, in any order
 */
export const settleAll = async (
  close: ToSettle,
  add: (entries: readonly Entry[]) => void,
  advanced: Advanced,
) => {
  const { ports, period, exports, locks, late } = close;
  const register = registerOfFiles(exports.certificates);
  const channels = ports.configuration.channels.map(({ name }) => name);
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
  const waiting: Waiting[] = [];
  /** Returns some sales of a business day with their exemptions. */
  const batchOf = (day: CalendarDate, statements: readonly Statement[]): Batch => ({
    day,
    sales: statements.map((statement) => exempted(statement, register)),
  });
  const addCounted = (entries: readonly Entry[]): void => {
    for (const { figures } of entries) if (figures) statuses[figures.status] += 1;
    add(entries);
  };
  /** Adds the entries of sales of which all is known now, and keeps the others for the end. */
  const take = (settled: SettledBatch): void => {
    waiting.push(...settled.waiting);
    addCounted(settled.entries);
  };
  const takeNext = ({ sales }: Batch, settled: SettledBatch): void => {
    take(settled);
    done += sales.length;
    tell();
  };
  const { queued } = ports;
  async function* allBatches() {
    for (const day of daysOf(exports, period)) {
      const statements = exports.sales.read(day);
      doubles.see(statements.map(({ sale }) => sale));
      for (const some of batchesOf(statements, queued?.salesPerBatch ?? SALES_AT_ONCE))
        yield batchOf(day, some);
    }
  }
  const ask = batchAsker(settler, tell);
  if (ask)
    for await (const { batch, worked } of inOrder(allBatches(), BATCHES_AHEAD, ask))
      takeNext(batch, await takeWorked(settler, batch, worked));
  else for await (const batch of allBatches()) takeNext(batch, await settleBatch(settler, batch));
  const frozen = frozenIn(locks, period);
  const held = heldIn(late, locks, period);
  const replaced = await replacedIn(frozen, locks, late, held);
  const added = [...correctionsIn(late, locks, period), ...held];
  for (const orders of await lateNamesakes(locks, added, channels)) doubles.seeLate(orders);
  for (const [day, statements] of Map.groupBy(added, ({ sale }) => sale.businessDate))
    take(await settleBatch(settler, batchOf(day, statements)));
  for (const [index, locked] of frozen.entries()) {
    const entries = frozenEntries(locked, (key) => replaced[index]?.(key) === true);
    await addFrozen(close, entries, keeper, add);
  }
  /** Returns the entries that sales would have that await a decision. They are calculated, and not recorded. */
  const foresee = async (statements: readonly Statement[]): Promise<readonly Entry[]> => {
    const all = statements.map((statement) => exempted(statement, register));
    const posted = all.filter(({ sale }) => postingOf(sale) === 'posted');
    const calculations = new Map(await calculationsOf(settler, posted));
    return all.map((one): Entry => {
      const { sale, version } = one;
      const { row } = calculations.get(sale.key) ?? {};
      const figures = row && figuresOfSale(ports, one, period, row);
      return { sale, ...(version && { version }), ...(figures && { figures }) };
    });
  };
  const undecided = await undecidedIn(late, locks, period, foresee);
  const { calculated, known, skipped, refused } = counts;
  const cap = questionCap(ports.configuration, calculated + known + skipped + refused);
  const questionsMax = Math.min(cap, callsLeft);
  const questions = { cache, asked: 0, left: questionsMax };
  const variances = waiting.map(({ open }) => open);
  const answers = await explainVariances(ports, variances, questions, tell);
  const explained = waiting.map(({ open: { whole }, posted, ...one }): Settled => {
    const found = answers.get(one.sale.key);
    const row = { ...posted.row, ...(found && { found }), ...(whole && { whole }) };
    return { ...one, posted: { ...posted, row } };
  });
  addCounted(entriesFrom(settler, explained));
  const recomputed = {
    ...counts,
    asked: calls.asked + questions.asked,
    questions: questions.asked,
    questionsMax,
    // Variances for which not every question was asked, because a limit was reached.
    cutShort: [...answers.values()].filter(({ isCutShort }) => isCutShort).length,
  };
  return { doubles, settled: { keeper, statuses, undecided, recomputed } };
};

/** Adds the entries of a locked period as they stay; what the service has of them is not a stray. */
const addFrozen = async (
  { ports, period }: ToSettle,
  entries: AsyncIterable<Entry>,
  { listed }: ReturnType<typeof recordKeeper>,
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
const callsBeyondSales = async (close: ToSettle): Promise<number> => {
  const { ports, period } = close;
  if (ports.maxCalculations === undefined) return Number.MAX_SAFE_INTEGER;
  const plan = await planOfPeriod(ports, close, period);
  checkBudget(plan);
  return ports.maxCalculations - plan.toAsk;
};
