import pLimit from 'p-limit';
import { ServiceRefusal } from '../contract/refusal.ts';
import type { TaxRequestInput } from '../contract/tax-request.ts';
import { contradictionOf, type TaxResult } from '../contract/tax-result.ts';
import { type Database, withDatabase } from '../database/connect.ts';
import { type AnswerRow, type AnswerStore, type ClosePorts, isEmbedded } from '../run/close-ports.ts';

/** An answer of a service that may bill each; `again` is 1 where it came while all requests are being repeated. */
type KeptRow = { digest: string; request: string; result: string; again: number };
type Tables = { answer: KeptRow };

/** Returns answers, and whether they had one before they were asked for more. */
export const watchedAnswers = (answers: AnswerStore | undefined) => {
  const [found, made] = [new Set<string>(), new Set<string>()];
  const isKept = (digest: string): boolean => found.has(digest);
  if (!answers) return { answers, isKept };
  const watched: AnswerStore = {
    ...answers,
    results: async (digests) => {
      const results = await answers.results(digests);
      for (const digest of results.keys()) {
        if (!made.has(digest)) found.add(digest);
      }
      return results;
    },
    keep: (rows) => {
      for (const { digest } of rows) made.add(digest);
      return answers.keep(rows);
    },
  };
  return { answers: watched, isKept };
};

/** Answers by the digest of service and request, in `.tieout/answers.db`. They survive a kill: each is paid for once. */
export type KeptAnswers = AnswerStore & {
  /** Ends a repetition of all requests, so that the next one begins with the first. */
  readonly endRepetition: () => Promise<void>;
};

export const withAnswers = <Result>(
  state: string,
  { recompute }: { readonly recompute: boolean },
  work: (answers: KeptAnswers) => Promise<Result>,
): Promise<Result> =>
  withDatabase(`sqlite:${state}/answers.db`, async (database) => {
    await createTable(database);
    const tables = database.tables<Tables>();
    const again = Number(recompute);
    return work({
      results: async (digests) => {
        const rows = await tables.selectFrom('answer').selectAll().where('digest', 'in', digests).execute();
        return new Map(rows.flatMap(soundAnswer));
      },
      keep: async (rows) => {
        const kept = rows.map(({ digest, request, result }) => ({ digest, request, result, again }));
        await tables
          .insertInto('answer')
          .values(kept)
          .onConflict((conflict) =>
            conflict.column('digest').doUpdateSet(({ ref }) => ({ result: ref('excluded.result'), again })),
          )
          .execute();
      },
      askedAgain: async () => {
        const rows = await tables.selectFrom('answer').select('digest').where('again', '=', 1).execute();
        return new Set(rows.map(({ digest }) => digest));
      },
      endRepetition: async () => {
        await tables.updateTable('answer').set({ again: 0 }).where('again', '=', 1).execute();
      },
    });
  });

const createTable = async (database: Database): Promise<void> =>
  database
    .tables<Tables>()
    .schema.createTable('answer')
    .ifNotExists()
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('result', 'text', (column) => column.notNull())
    .addColumn('again', 'integer', (column) => column.notNull())
    .execute();

/** Leaves out an answer that contradicts itself: rows of a file can be edited. */
const soundAnswer = (row: KeptRow): readonly (readonly [string, TaxResult])[] => {
  const result = JSON.parse(row.result) as TaxResult;
  const request = JSON.parse(row.request) as TaxRequestInput;
  return contradictionOf(result, request) === undefined ? [[row.digest, result]] : [];
};

const TOLD_EVERY = 20;

/** The most answers of the embedded service in memory, about three kilobytes each. */
const ANSWERS_REMEMBERED = 2_000;

type Answer = TaxResult | ServiceRefusal;

/** Answers by the digest of their request: known ones and pending ones. */
export type CachedAnswers = ReadonlyMap<string, Answer | Promise<Answer>>;

export type CalculationCache = {
  /** Returns answers to requests by digest. Requests that exceed `budget` are not made. */
  readonly answersTo: (
    requests: ReadonlyMap<string, TaxRequestInput>,
    budget: { asked: number; left: number },
  ) => Promise<CachedAnswers>;
};

/**
 * Returns the cache through which all calculations of one run are requested.
 *
 * @param onProgress called from time to time while calls are made; an error that it throws stops them
 */
export const calculationCache = (
  ports: ClosePorts,
  onProgress: () => void,
  store: AnswerStore = ports.answers ?? NOT_KEPT,
): CalculationCache => {
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
  return isEmbedded(ports) ? embeddedCache(calculate) : remoteCache(ports, calculate, store);
};

const NOT_KEPT: AnswerStore = {
  results: async () => new Map(),
  keep: async () => {},
  askedAgain: async () => new Set(),
};

type Calculate = (request: TaxRequestInput) => Promise<Answer>;

/**
 * Answers of the embedded service are free. They are stored with the sales they are about, and the latest ones are
 * cached in memory.
 */
const embeddedCache = (calculate: Calculate): CalculationCache => {
  const remembered = new Map<string, Promise<Answer>>();
  return {
    answersTo: async (requests, budget) => {
      const answers = new Map<string, Promise<Answer>>();
      for (const [digest, request] of requests) {
        let answer = remembered.get(digest);
        if (!answer) {
          if (budget.left === 0) continue;
          count(budget);
          answer = calculate(request);
          const [oldest] = remembered.size === ANSWERS_REMEMBERED ? remembered.keys() : [];
          if (oldest !== undefined) remembered.delete(oldest);
          remembered.set(digest, answer);
        }
        answers.set(digest, answer);
      }
      return answers;
    },
  };
};

/**
 * Never sends a request to a remote service twice: not for two sales, not for two pages processed in parallel, and not
 * in a later run, because each answer is kept before it is used. The number of parallel calls is
 * limited by the configuration.
 *
 * A kill at any moment can cost the calls in flight, at most `callsAtOnce`, and the answers that are being written: what
 * comes meanwhile is the next group.
 */
const remoteCache = (ports: ClosePorts, calculate: Calculate, store: AnswerStore): CalculationCache => {
  const gate = pLimit(ports.callsAtOnce);
  const keep = inGroups(store.keep);
  const underWay = new Map<string, Promise<Answer>>();
  // With `recompute`, only answers that were requested again since count as known.
  let askedAgain: Set<string> | undefined;
  let failure: { readonly error: unknown } | undefined;
  // Looking up stored answers and registering new requests are one atomic step, and so is the change from pending to
  // stored.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  };

  const answerTo = async (digest: string, request: TaxRequestInput): Promise<Answer> => {
    const answer = await gate(async () => {
      if (failure) throw failure.error;
      return calculate(request);
    }).catch((error: unknown) => {
      failure ??= { error };
      throw error;
    });
    if (!(answer instanceof ServiceRefusal)) {
      await keep({ digest, request: JSON.stringify(request), result: JSON.stringify(answer) });
      askedAgain?.add(digest);
    }
    void inTurn(async () => underWay.delete(digest));
    return answer;
  };

  return {
    answersTo: (requests, budget) =>
      inTurn(async () => {
        if (ports.recompute) askedAgain ??= await store.askedAgain();
        const since = askedAgain;
        const digests = [...requests.keys()];
        const known = since ? digests.filter((digest) => since.has(digest)) : digests;
        const answers = new Map<string, Answer | Promise<Answer>>(await store.results(known));
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
