import pLimit from 'p-limit';
import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { TaxRequestInput } from '../../../contract/tax-request.ts';
import type { TaxResult } from '../../../contract/tax-result.ts';
import { batchWriter } from '../../../runtime/batch-writer.ts';
import { resultsOf } from '../../period-sales/expectation-of.ts';
import { askedAgainOf, keepAnswers, keepAskedAgain } from '../../workspace/answers.ts';
import type { CalculationRow } from '../../workspace/tables.ts';
import { type ClosePorts, isEmbedded } from '../run/close-ports.ts';

const TOLD_EVERY = 20;

/** Answers of the embedded service in memory, about three kilobytes each. */
export const ANSWERS_REMEMBERED = 2_000;

type Answer = TaxResult | ServiceRefusal;

/** Answers by the digest of their request: known ones, and those that are on their way. */
export type CachedAnswers = ReadonlyMap<string, Answer | Promise<Answer>>;

export type CalculationCache = {
  /** Requests by their digests; what `budget` does not cover any more is not asked. */
  readonly answersTo: (
    requests: ReadonlyMap<string, TaxRequestInput>,
    budget: { asked: number; left: number },
  ) => Promise<CachedAnswers>;
  /** Few more requests come: no answer waits for others to be written with. */
  readonly flushNow: () => void;
};

/**
 * Asks for the calculations of one run, anyone who wants them.
 *
 * @param onProgress called now and then while calls are made; what it throws ends the asking
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

type Calculate = (request: TaxRequestInput) => Promise<Answer>;

/**
 * Answers of the embedded service cost nothing: they are kept with the sales that they are about, and the last of them in
 * memory.
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
    flushNow: () => {},
  };
};

/**
 * No request goes to a remote service twice: not by two sales, not by two pages that are worked on at once, and not by a
 * later run, because each answer is written to the workspace before anybody uses it. Never more are asked at once than
 * configured.
 *
 * What a kill at any moment can cost are the calls in flight, at most `callsAtOnce`, and the answers that are
 * being written just then or wait for it, at most `answersAtRisk` more. A group is written as soon as a twentieth of the
 * time allows: with a disk that takes a millisecond the last twenty milliseconds of answers.
 */
const remoteCache = (ports: ClosePorts, calculate: Calculate): CalculationCache => {
  const { workspace, serviceId } = ports;
  const gate = pLimit(ports.callsAtOnce);
  const writer = batchWriter<CalculationRow>({
    waitingMax: ports.answersAtRisk,
    write: (rows) => (ports.recompute ? keepAskedAgain(workspace, rows) : keepAnswers(workspace, rows)),
  });
  const underWay = new Map<string, Promise<Answer>>();
  // When everything is to be asked again, what was asked for since then is known all the same.
  let askedAgain: Set<string> | undefined;
  let failure: { readonly error: unknown } | undefined;
  // Looking up what is kept and noting what is asked are one step, and so is the passage from the one to the other.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  };

  const answerTo = async (digest: string, request: TaxRequestInput): Promise<Answer> => {
    const answer = await gate(async () => {
      if (failure) throw failure.error;
      await writer.ready();
      return calculate(request);
    }).catch((error: unknown) => {
      failure ??= { error };
      throw error;
    });
    if (!(answer instanceof ServiceRefusal)) {
      const texts = { request: JSON.stringify(request), result: JSON.stringify(answer) };
      await writer.keep({ digest, service: serviceId, ...texts });
      askedAgain?.add(digest);
    }
    void inTurn(async () => underWay.delete(digest));
    return answer;
  };

  return {
    answersTo: (requests, budget) =>
      inTurn(async () => {
        if (ports.recompute) askedAgain ??= await askedAgainOf(workspace);
        const since = askedAgain;
        const digests = [...requests.keys()];
        const known = since ? digests.filter((digest) => since.has(digest)) : digests;
        const answers = new Map<string, Answer | Promise<Answer>>(await resultsOf(workspace, known));
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
    flushNow: writer.flushNow,
  };
};

const count = (budget: { asked: number; left: number }): void => {
  budget.left -= 1;
  budget.asked += 1;
};
