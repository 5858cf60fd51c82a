import type { Register } from '../close/certificates/register.ts';
import type { Entry } from '../close/evidence/entry.ts';
import type { FoundSale } from '../close/period-sales/detailed-sales.ts';
import { type CalculatedSale, expectationOf } from '../close/period-sales/expectation-of.ts';
import type { RecordedSale } from '../close/period-sales/recorded-sale.ts';
import type { SubmittedSale } from '../close/period-sales/submitted-sale.ts';
import { type SettledSale, withSettledExemption } from '../close/period-sales/with-settled-exemption.ts';
import type { OpenVariance } from '../close/reconcile/open-variance.ts';
import type { ReconciledSale, Status } from '../close/reconcile/reconciled-sale.ts';
import { postingOf } from '../close/sales/sale.ts';
import { entriesOf } from '../close/stages/book-pages/entries-of.ts';
import { gapCounter } from '../close/stages/coverage/rate-gaps.ts';
import type { CalculationCache } from '../close/stages/recompute/calculation-cache.ts';
import { explainVariances } from '../close/stages/recompute/explain-open.ts';
import { questionCap } from '../close/stages/recompute/question-cap.ts';
import { figuresOfSale, NONE } from '../close/stages/reconcile/reconcile-sales.ts';
import type { ClosePorts } from '../close/stages/run/close-ports.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { DefectError } from '../kernel/errors.ts';
import { type FilingPeriod, isWithin } from '../kernel/period.ts';
import { type Calculation, type Calls, calculateSales } from './calculate.ts';
import { bodyDigest, type IsStated, type Recorded, recordKeeper, wantedOf } from './record.ts';
import type { Statement } from './shapes.ts';

/** So many sales go through all steps together: what is made of them dies young. */
export const SALES_AT_ONCE = 500;

/** A sale with its exemption, its calculation and its record; neither if it is not posted. */
type Settled = {
  readonly sale: SettledSale;
  readonly statement: Statement;
  readonly posted?: Posted;
};

type Posted = {
  readonly row: CalculatedSale;
  /** Digest of the body that was sent. */
  readonly body: string;
  readonly recorded: Recorded;
};

/** A posted sale whose variance the rest of the period may explain. */
type Waiting = Settled & { readonly posted: Posted; readonly open: OpenVariance };

const FIGURE_OF = {
  calculated: 'calculated',
  'no registration': 'skipped',
  marketplace: 'skipped',
  refused: 'refused',
} as const;

/**
 * Settles a period, some sales of a day at a time: exemptions, calculation, record, comparison, evidence. What no
 * calculation explains waits for the whole period, because the rates that a shop has in common are decided by all of its
 * sales; it is all that is kept.
 *
 * @param given.spare how many calculations may be made beside those that the sales need
 * @param given.isKept whether the answer to a request was known before this run
 */
export const settling = (
  ports: ClosePorts,
  period: FilingPeriod,
  given: {
    readonly register: Register | undefined;
    readonly cache: CalculationCache;
    readonly spare: number;
    readonly isKept: (digest: string) => boolean;
    readonly isStated: IsStated;
  },
) => {
  const { register, cache, isKept, isStated } = given;
  const keeper = recordKeeper(ports, period, isStated);
  const calls: Calls = {
    own: {
      cache,
      asked: 0,
      left: Number.MAX_SAFE_INTEGER,
    },
    spare: {
      cache,
      asked: 0,
      left: given.spare,
    },
  };
  const keeperOf = (day: CalendarDate): typeof keeper =>
    isWithin(period, day) ? keeper : recordKeeper(ports, { first: day, last: day }, isStated, keeper);
  /** Calculates sales. What is reversed is not calculated again. */
  const calculationsOf = async (posted: readonly SettledSale[]) => {
    const reversals = posted.filter(isReversal);
    const others = posted.filter((sale) => !isReversal(sale));
    const found = await calculateSales(ports, others, calls);
    const rows = reversals.map(({ sale: { key } }): [string, Calculation] => [
      key,
      { row: { key, sale: '', basis: 'refused', detail: '' }, open: undefined },
    ]);
    return new Map([...found, ...rows]);
  };
  const waiting: Waiting[] = [];
  const counts = {
    calculated: 0,
    known: 0,
    skipped: 0,
    refused: 0,
  };
  const statuses: Record<Status, number> = { ...NONE };
  const gaps = gapCounter(ports);

  const figuresOf = (sale: SettledSale, { row, recorded }: Posted): ReconciledSale => {
    const { record, adjustments, detail } = recorded;
    const expectation = expectationOf(row, NO_ANSWERS);
    const known = { expectation, recorded: record, adjustments, refusal: detail };
    const figures = figuresOfSale(ports, sale, period, known);
    statuses[figures.status] += 1;
    return figures;
  };

  /** Returns the entries of sales of which all is known. */
  const entriesFrom = async (settled: readonly Settled[]): Promise<readonly Entry[]> => {
    const found = settled.map(({ sale, posted }): FoundSale => {
      return { ...sale, reconciled: posted && figuresOf(sale, posted) };
    });
    const calculated = new Map<string, CalculatedSale>();
    const submitted = new Map<string, SubmittedSale>();
    const records = new Map<string, RecordedSale>();
    for (const { sale, posted } of settled) {
      if (!posted) continue;
      const { key } = sale.sale;
      const { record, adjustments, state, detail } = posted.recorded;
      calculated.set(key, posted.row);
      submitted.set(key, { key, body: posted.body, sale: '', state, detail });
      if (record) records.set(key, { key, record, adjustments });
    }
    const entries = await entriesOf(ports, found, { calculated, submitted, records });
    return entries.map((entry, index): Entry => {
      const { statement, posted } = settled[index] as Settled;
      const { stated, identity, version } = statement;
      const inUse = posted?.recorded.inUse;
      const sent = entry.sent && inUse && { sent: { ...entry.sent, inUse } };
      return { ...entry, stated, identity, ...sent, ...(version && { version }) };
    });
  };

  return {
    counts,
    statuses,
    keeper,
    gaps,
    /** Settles some sales of a business day, and returns the entries of those of which all is known now. */
    settle: async (day: CalendarDate, statements: readonly Statement[]): Promise<readonly Entry[]> => {
      const all = statements.map((statement): Settled => {
        return { statement, sale: withSettledExemption(storedOf(statement), register) };
      });
      const settled = all.map(({ sale }) => sale);
      const posted = settled.filter(({ posting }) => posting === 'posted');
      for (const { sale } of posted) gaps.add(sale);
      const calculations = await calculationsOf(posted);
      const wanted = posted.map(({ sale }) => {
        const expectation = expectationOf(of(calculations, sale.key).row, NO_ANSWERS);
        return wantedOf(ports, sale, expectation.basis === 'refused' ? undefined : expectation.result);
      });
      const recorded = await keeperOf(day).record(day, wanted);
      const bodies = new Map(wanted.map((one) => [one.sale.key, bodyDigest(one)]));
      const ready: Settled[] = [];
      for (const one of all) {
        const { key } = one.sale.sale;
        if (one.sale.posting !== 'posted') {
          ready.push(one);
          continue;
        }
        const { row, open } = of(calculations, key);
        if (!one.statement.reverses)
          counts[row.own && isKept(row.own.digest) ? 'known' : FIGURE_OF[row.basis]] += 1;
        const known = {
          ...one,
          posted: {
            row,
            body: of(bodies, key),
            recorded: of(recorded, key),
          },
        };
        if (open) waiting.push({ ...known, open });
        else ready.push(known);
      }
      return entriesFrom(ready);
    },
    /** Returns the entries that sales would have that await a decision. They are calculated, and not recorded. */
    foresee: async (statements: readonly Statement[]): Promise<readonly Entry[]> => {
      const sales = statements.map((each) => withSettledExemption(storedOf(each), register));
      const posted = sales.filter(({ posting }) => posting === 'posted');
      const calculations = await calculationsOf(posted);
      return sales.map((sale, index): Entry => {
        const { version } = statements[index] as Statement;
        const { row } = calculations.get(sale.sale.key) ?? {};
        const expectation = row && expectationOf(row, NO_ANSWERS);
        const known = { expectation, recorded: undefined, adjustments: [], refusal: '' };
        const figures = row && figuresOfSale(ports, sale, period, known);
        return { sale: sale.sale, ...(version && { version }), ...(figures && { figures }) };
      });
    },
    /** Explains the sales that waited, after all of the period was seen, and returns their entries. */
    end: async (advanced: () => void) => {
      const { calculated, known, skipped, refused } = counts;
      const cap = questionCap(ports.configuration, calculated + known + skipped + refused);
      const questionsMax = Math.min(cap, calls.spare.left);
      const questions = {
        cache,
        asked: 0,
        left: questionsMax,
      };
      cache.flushNow();
      const variances = waiting.map(({ open }) => open);
      const answers = await explainVariances(ports, variances, questions, advanced);
      const explained = waiting.map(({ open: { whole }, posted, ...one }): Settled => {
        const found = answers.get(one.sale.sale.key);
        const row = {
          ...posted.row,
          ...(found && { found }),
          ...(whole && { whole }),
        };
        return { ...one, posted: { ...posted, row } };
      });
      const figures: AskedFigures = {
        asked: calls.own.asked + calls.spare.asked + questions.asked,
        ...{ questions: questions.asked, questionsMax },
        cutShort: [...answers.values()].filter(({ isCutShort }) => isCutShort).length,
      };
      return { entries: await entriesFrom(explained), figures };
    },
  };
};

/** Calls that were made, and those of them that explain variances. */
export type AskedFigures = {
  readonly asked: number;
  readonly questions: number;
  readonly questionsMax: number;
  /** Variances for which not every question was asked, because a limit was reached. */
  readonly cutShort: number;
};

const isReversal = ({ late }: SettledSale): boolean => (late?.reversedFigures ?? null) !== null;

const storedOf = ({ sale, stated: digest, version, reverses }: Statement) => ({
  ...{ sale, digest, posting: postingOf(sale) },
  ...(version && {
    late: {
      source: version.source,
      corrects: version.of,
      reversedFigures: reverses ? JSON.stringify(reverses) : null,
      isAmended: version.amended === true,
    },
  }),
});

/** Every answer is kept with the sale that it is about. */
const NO_ANSWERS = new Map<string, never>();

const of = <Found>(found: ReadonlyMap<string, Found>, key: string): Found => {
  const own = found.get(key);
  if (own === undefined) throw new DefectError(`${key} is posted and was not settled`);
  return own;
};
