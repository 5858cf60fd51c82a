import type { CalculationCache } from '../ask/answers.ts';
import { type Calls, expectationOf } from '../ask/calculate.ts';
import { explainVariances } from '../ask/explain-open.ts';
import { questionCap } from '../ask/plan-calculations.ts';
import { gapCounter } from '../ask/rate-gaps.ts';
import type { Register } from '../certificates/certificate.ts';
import type { Entry } from '../evidence/entry.ts';
import type { Status } from '../judge/reconciled-sale.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { type FilingPeriod, isWithin } from '../kernel/period.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { Statement } from '../read/shapes.ts';
import { postingOf } from '../sales/sale.ts';
import { exempted, figuresOfSale } from './compare-sale.ts';
import type { Settled } from './entry-of.ts';
import { NONE, noneOf } from './outcome.ts';
import { type IsStated, recordKeeper } from './record.ts';
import {
  type Batch,
  calculationsOf,
  entriesFrom,
  type SettledBatch,
  type Settler,
  settleBatch,
  type Waiting,
} from './settle-batch.ts';

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
    settler,
    counts,
    statuses,
    keeper,
    gaps,
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
        questions: questions.asked,
        questionsMax,
        // Variances for which not every question was asked, because a limit was reached.
        cutShort: [...answers.values()].filter(({ isCutShort }) => isCutShort).length,
      };
      return { entries: counted(entriesFrom(settler, explained)), figures };
    },
  };
};
