import { ServiceRefusal } from '../contract/refusal.ts';
import type { TaxRequestInput } from '../contract/tax-request.ts';
import type { TaxResult } from '../contract/tax-result.ts';
import { type Database, withDatabase } from '../database/connect.ts';
import { type AnswerRow, type AnswerStore, type ClosePorts, isEmbedded } from '../periods/close-ports.ts';
import { failingGate } from '../runtime/batches.ts';

type Tables = { answer: AnswerRow };

/**
 * Works with answers by the digest of service and request, in `.tieout/answers.db`. They survive a kill: each is paid for
 * once.
 */
export const withAnswers = <Result>(
  state: string,
  work: (answers: AnswerStore) => Promise<Result>,
): Promise<Result> =>
  withDatabase(`sqlite:${state}/answers.db`, async (database) => {
    await createTable(database);
    const tables = database.tables<Tables>();
    return work({
      results: async (wanted) => {
        const rows = await tables.selectFrom('answer').selectAll().where('digest', 'in', wanted).execute();
        return new Map(rows.map(({ digest, result }) => [digest, JSON.parse(result) as TaxResult]));
      },
      keep: async (rows) => {
        await tables
          .insertInto('answer')
          .values(rows)
          .onConflict((conflict) =>
            conflict.column('digest').doUpdateSet(({ ref }) => ({ result: ref('excluded.result') })),
          )
          .execute();
      },
    });
  });

const createTable = async (database: Database): Promise<void> =>
  database
    .tables<Tables>()
    .schema.createTable('answer')
    .ifNotExists()
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('result', 'text', (column) => column.notNull())
    .execute();

const TOLD_EVERY = 20;

type Answer = TaxResult | ServiceRefusal;

/** Answers by the digest of their request: known ones and pending ones. */
export type CachedAnswers = ReadonlyMap<string, Answer | Promise<Answer>>;

export type CalculationCache = {
  /** Returns answers to requests by digest. Requests that exceed `budget` are not made. */
  readonly answersTo: (
    requests: ReadonlyMap<string, TaxRequestInput>,
    budget: { asked: number; left: number },
  ) => Promise<CachedAnswers>;
  /** Whether the answer to a request was known before this run. */
  readonly isKept: (digest: string) => boolean;
};

/**
 * Returns the cache through which all calculations of one run are requested.
 *
 * @param onProgress called from time to time while calls are made; an error that it throws stops them
 */
export const calculationCache = (ports: ClosePorts, onProgress: () => void): CalculationCache => {
  let started = 0;
  const calculate = async (request: TaxRequestInput): Promise<Answer> => {
    started += 1;
    if (started % TOLD_EVERY === 0) onProgress();
    try {
      return await ports.service.calculateTax(request);
    } catch (error) {
      if (error instanceof ServiceRefusal) return error;
      throw error;
    }
  };
  return isEmbedded(ports) ? embeddedCache(calculate) : remoteCache(ports, calculate);
};

const NOT_KEPT: AnswerStore = { results: async () => new Map(), keep: async () => {} };

type Calculate = (request: TaxRequestInput) => Promise<Answer>;

/** Answers of the embedded service are free: they are stored with the sales they are about, and not kept for others. */
const embeddedCache = (calculate: Calculate): CalculationCache => ({
  answersTo: async (requests, budget) => {
    const answers = new Map<string, Promise<Answer>>();
    for (const [digest, request] of requests) {
      if (budget.left === 0) break;
      count(budget);
      answers.set(digest, calculate(request));
    }
    return answers;
  },
  isKept: () => false,
});

/**
 * Never sends a request to a remote service twice: not for two sales, not for two pages processed in parallel, and not
 * in a later run, because each answer is kept before it is used. The number of parallel calls is
 * limited by the configuration.
 *
 * A kill at any moment can cost the calls in flight, at most `callsAtOnce`, and the answers that are being written: what
 * comes meanwhile is the next group.
 */
const remoteCache = (
  { callsAtOnce, answers: store = NOT_KEPT }: ClosePorts,
  calculate: Calculate,
): CalculationCache => {
  const { run } = failingGate(callsAtOnce);
  const keep = inGroups(store.keep);
  const underWay = new Map<string, Promise<Answer>>();
  const kept = new Set<string>();
  const made = new Set<string>();
  // Looking up stored answers and registering new requests are one atomic step, and so is the change from pending to
  // stored.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  };

  const answerTo = async (digest: string, request: TaxRequestInput): Promise<Answer> => {
    const answer = await run(() => calculate(request));
    if (!(answer instanceof ServiceRefusal)) {
      made.add(digest);
      await keep({ digest, result: JSON.stringify(answer) });
    }
    void inTurn(async () => underWay.delete(digest));
    return answer;
  };

  return {
    answersTo: (requests, budget) =>
      inTurn(async () => {
        const answers = new Map<string, Answer | Promise<Answer>>(await store.results([...requests.keys()]));
        for (const digest of answers.keys()) if (!made.has(digest)) kept.add(digest);
        for (const [digest, request] of requests) {
          if (answers.has(digest)) continue;
          let answer = underWay.get(digest);
          if (!answer) {
            if (budget.left === 0) continue;
            count(budget);
            answer = answerTo(digest, request);
            underWay.set(digest, answer);
          }
          answers.set(digest, answer);
        }
        return answers;
      }),
    isKept: (digest) => kept.has(digest),
  };
};

/** Writes rows one group after the other, each of all that came while the one before was written. */
const inGroups = (write: AnswerStore['keep']) => {
  let waiting: AnswerRow[] = [];
  let written: Promise<void> = Promise.resolve();
  return (row: AnswerRow): Promise<void> => {
    if (waiting.push(row) > 1) return written;
    written = written.then(() => {
      const group = waiting;
      waiting = [];
      return write(group);
    });
    return written;
  };
};

const count = (budget: { asked: number; left: number }): void => {
  budget.left -= 1;
  budget.asked += 1;
};
