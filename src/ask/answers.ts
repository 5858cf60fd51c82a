import type { TaxRequestInput } from '../contract/tax-request.ts';
import { contradictionOf, type TaxResult } from '../contract/tax-result.ts';
import type { Database } from '../database/database.ts';
import { withDatabase } from '../database/with-database.ts';
import type { AnswerStore } from '../run/close-ports.ts';

/** An answer of a service that may bill each; `again` is 1 where it came while all requests are being repeated. */
type AnswerRow = { digest: string; request: string; result: string; again: number };
type Tables = { answer: AnswerRow };

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
export type Answers = AnswerStore & {
  /** Ends a repetition of all requests, so that the next one begins with the first. */
  readonly endRepetition: () => Promise<void>;
};

export const withAnswers = <Result>(
  state: string,
  { recompute }: { readonly recompute: boolean },
  work: (answers: Answers) => Promise<Result>,
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
const soundAnswer = (row: AnswerRow): readonly (readonly [string, TaxResult])[] => {
  const result = JSON.parse(row.result) as TaxResult;
  const request = JSON.parse(row.request) as TaxRequestInput;
  return contradictionOf(result, request) === undefined ? [[row.digest, result]] : [];
};
