import pLimit from 'p-limit';
import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { TaxRequestInput } from '../../../contract/tax-request.ts';
import type { TaxResult } from '../../../contract/tax-result.ts';
import { keptInGroups } from '../../../runtime/kept-in-groups.ts';
import { resultsOf } from '../../period-sales/expectation-of.ts';
import { askedAgainOf, keepAnswers, keepAskedAgain } from '../../workspace/answers.ts';
import type { CalculationRow } from '../../workspace/tables.ts';
import { type ClosePorts, isEmbedded } from '../run/close-ports.ts';

const TOLD_EVERY = 20;

/** Answers of the embedded service in memory, about three kilobytes each. */
export const ANSWERS_REMEMBERED = 2_000;

type Answer = TaxResult | ServiceRefusal;

/** Answers that are known, and those that are on their way, by the digest of their request. */
export type Asked = {
  readonly kept: ReadonlyMap<string, TaxResult>;
  readonly underWay: ReadonlyMap<string, Promise<Answer>>;
};

export type Asker = {
  /** Requests by their digests; what `budget` does not cover any more is not asked. */
  readonly answersTo: (
    requests: ReadonlyMap<string, TaxRequestInput>,
    budget: { asked: number; left: number },
  ) => Promise<Asked>;
  /** Few more requests come: no answer waits for others to be written with. */
  readonly hurry: () => void;
};

/**
 * Asks for the calculations of one run, never more at once than configured, anyone who wants them. No request goes to a
 * remote service twice: not by two sales, not by two pages that are worked on at once, and not by a later run, because
 * each answer is written to the workspace before anybody uses it. Answers of the embedded service cost nothing; they
 * are kept with the sales that they are about, and the last of them in memory.
 *
 * What a kill at any moment can cost are the calls in flight, at most `callsAtOnce`, and the answers that are
 * being written just then or wait for it, at most `answersAtRisk` more. A group is written as soon as a twentieth of the
 * time allows: with a disk that takes a millisecond the last twenty milliseconds of answers.
 */
export const calculationAsker = (
  ports: ClosePorts,
  /** Called now and then while calls are made; what it throws ends the asking. */
  onProgress: () => void,
): Asker => {
  const { workspace, service, serviceId } = ports;
  const isOwn = isEmbedded(ports);
  const remembered = new Map<string, TaxResult>();
  const remember = (digest: string, answer: TaxResult): void => {
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size === ANSWERS_REMEMBERED) remembered.delete(oldest);
    remembered.set(digest, answer);
  };
  const gate = pLimit(ports.callsAtOnce);
  const keeper = keptInGroups<CalculationRow>({
    waitingMax: ports.answersAtRisk,
    write: (rows) => (ports.recompute ? keepAskedAgain(workspace, rows) : keepAnswers(workspace, rows)),
  });
  const underWay = new Map<string, Promise<Answer>>();
  // When everything is to be asked again, what was asked for since then is known all the same.
  let askedAgain: Set<string> | undefined;
  let started = 0;
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
      started += 1;
      if (started % TOLD_EVERY === 0) onProgress();
      await keeper.room();
      return calculate(service, request);
    }).catch((error: unknown) => {
      failure ??= { error };
      throw error;
    });
    if (isOwn && !(answer instanceof ServiceRefusal)) remember(digest, answer);
    if (!isOwn && !(answer instanceof ServiceRefusal)) {
      const texts = { request: JSON.stringify(request), result: JSON.stringify(answer) };
      await keeper.keep({ digest, service: serviceId, ...texts });
      askedAgain?.add(digest);
    }
    void inTurn(async () => underWay.delete(digest));
    return answer;
  };

  return {
    answersTo: (requests, budget) =>
      inTurn(async () => {
        if (ports.recompute && !isOwn) askedAgain ??= await askedAgainOf(workspace);
        const since = askedAgain;
        const digests = [...requests.keys()];
        const kept = isOwn
          ? new Map(digests.flatMap((digest) => entryOf(remembered, digest)))
          : await resultsOf(workspace, since ? digests.filter((digest) => since.has(digest)) : digests);
        const missing = [...requests].filter(([digest]) => !kept.has(digest));
        const answers = new Map<string, Promise<Answer>>();
        for (const [digest, request] of missing) {
          let answer = underWay.get(digest);
          if (!answer) {
            if (budget.left === 0) continue;
            budget.left -= 1;
            budget.asked += 1;
            answer = answerTo(digest, request);
            underWay.set(digest, answer);
          }
          answers.set(digest, answer);
        }
        return { kept, underWay: answers };
      }),
    hurry: keeper.hurry,
  };
};

const entryOf = (answers: ReadonlyMap<string, TaxResult>, digest: string): [string, TaxResult][] => {
  const answer = answers.get(digest);
  return answer ? [[digest, answer]] : [];
};

const calculate = async (service: ClosePorts['service'], request: TaxRequestInput): Promise<Answer> => {
  try {
    return await service.calculateTax(request);
  } catch (error) {
    if (error instanceof ServiceRefusal) return error;
    throw error;
  }
};
