import { type CalculationCache, calculationCache } from '../ask/answers.ts';
import { type Calls, expectationOf } from '../ask/calculate.ts';
import { explainVariances } from '../ask/explain-open.ts';
import { checkBudget, planOfSales, questionCap } from '../ask/plan-calculations.ts';
import { gapCounter } from '../ask/rate-gaps.ts';
import { type Register, registerOfFiles } from '../certificates/exemption-of.ts';
import type { Entry } from '../evidence/entry.ts';
import { doublesByDay } from '../judge/possible-doubles.ts';
import type { Status } from '../judge/reconciled-sale.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { type FilingPeriod, isWithin } from '../kernel/period.ts';
import type { Locks } from '../periods/folders.ts';
import { keyOfAside, type LateItems } from '../periods/late.ts';
import { daysOf, type Exports, type Statement } from '../read/shapes.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import { batches, batchesOf, inOrder } from '../runtime/batches.ts';
import { postingOf } from '../sales/sale.ts';
import { exempted, figuresOfSale, NONE } from './figures.ts';
import { frozenEntries, frozenIn, replacedIn } from './frozen.ts';
import { correctionsIn, heldIn, lateNamesakes, undecidedIn } from './late.ts';
import { recordsOf } from './locked.ts';
import { noneOf } from './outcome.ts';
import { postedSales } from './plan.ts';
import { type IsStated, recordKeeper } from './record.ts';
import {
  type Batch,
  calculationsOf,
  entriesFrom,
  type Settled,
  type SettledBatch,
  type Settler,
  settleBatch,
  type Waiting,
} from './settle-batch.ts';
import { batchAsker, takeWorked } from './share.ts';

/** So many sales go through all steps together: what is made of them dies young. */
export const SALES_AT_ONCE = 100;

/**
 * Settles a period, some sales of a day at a time: exemptions, calculation, record, comparison, evidence. What no
 * calculation explains waits for the whole period, because the rates that a shop has in common are decided by all of its
 * sales; it is all that is kept.
 *
 * @param given.spare how many calculations may be made beside those that the sales need
 */
export const settling = (
  ports: ClosePorts,
  period: FilingPeriod,
  given: {
    readonly register: Register | undefined;
    readonly cache: CalculationCache;
    readonly spare: number;
    readonly isStated: IsStated;
  },
) => {
  const { register, cache, isStated } = given;
  const keeper = recordKeeper(ports, period, isStated);
  const calls: Calls = {
    own: { cache, asked: 0, left: Number.MAX_SAFE_INTEGER },
    spare: { cache, asked: 0, left: given.spare },
  };
  const keeperOf = (day: CalendarDate): typeof keeper =>
    isWithin(period, day) ? keeper : recordKeeper(ports, { first: day, last: day }, isStated, keeper);
  const waiting: Waiting[] = [];
  const counts = noneOf('calculated', 'known', 'skipped', 'refused');
  const statuses: Record<Status, number> = { ...NONE };
  const gaps = gapCounter(ports);

  const settler: Settler = { ports, period, calls, counts, keeperOf };
  const counted = (entries: readonly Entry[]): readonly Entry[] => {
    for (const { figures } of entries) if (figures) statuses[figures.status] += 1;
    return entries;
  };

  return {
    ...{ settler, counts, statuses, keeper, gaps },
    /** Returns some sales of a business day with their exemptions. */
    batchOf: (day: CalendarDate, statements: readonly Statement[]): Batch => {
      const sales = statements.map((statement) => exempted(statement, register));
      for (const { sale } of sales) if (postingOf(sale) === 'posted') gaps.add(sale);
      return { day, sales };
    },
    /** Settles some sales of a business day. */
    settle: (batch: Batch): Promise<SettledBatch> => settleBatch(settler, batch),
    /** Returns the entries of those of which all is known now, and keeps the others for the end. */
    take: (settled: SettledBatch): readonly Entry[] => {
      waiting.push(...settled.waiting);
      return counted(settled.entries);
    },
    /** Returns the entries that sales would have that await a decision. They are calculated, and not recorded. */
    foresee: async (statements: readonly Statement[]): Promise<readonly Entry[]> => {
      const all = statements.map((statement) => exempted(statement, register));
      const posted = all.filter(({ sale }) => postingOf(sale) === 'posted');
      const calculations = new Map(await calculationsOf(settler, posted));
      return all.map((one): Entry => {
        const { sale, version } = one;
        const { row } = calculations.get(sale.key) ?? {};
        const expectation = row && expectationOf(row);
        const known = { expectation, refusal: '' };
        const figures = row && figuresOfSale(ports, one, period, known);
        return { sale, ...(version && { version }), ...(figures && { figures }) };
      });
    },
    /** Explains the sales that waited, after all of the period was seen, and returns their entries. */
    end: async (advanced: () => void) => {
      const { calculated, known, skipped, refused } = counts;
      const cap = questionCap(ports.configuration, calculated + known + skipped + refused);
      const questionsMax = Math.min(cap, calls.spare.left);
      const questions = { cache, asked: 0, left: questionsMax };
      const variances = waiting.map(({ open }) => open);
      const answers = await explainVariances(ports, variances, questions, advanced);
      const explained = waiting.map(({ open: { whole }, posted, ...one }): Settled => {
        const found = answers.get(one.sale.key);
        const row = { ...posted.row, ...(found && { found }), ...(whole && { whole }) };
        return { ...one, posted: { ...posted, row } };
      });
      const figures = {
        asked: calls.own.asked + calls.spare.asked + questions.asked,
        ...{ questions: questions.asked, questionsMax },
        // Variances for which not every question was asked, because a limit was reached.
        cutShort: [...answers.values()].filter(({ isCutShort }) => isCutShort).length,
      };
      return { entries: counted(entriesFrom(settler, explained)), figures };
    },
  };
};

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
