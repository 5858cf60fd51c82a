import { setTimeout as pause } from 'node:timers/promises';
import { httpTaxService } from '../../src/client/http-tax-service.ts';
import {
  RETRY_DEFAULT,
  withLimit,
  withRetry,
  withSoundAnswers,
} from '../../src/client/remote-tax-service.ts';
import {
  callName,
  type HttpCall,
  type HttpReply,
  NoAnswerError,
  type Transport,
} from '../../src/client/transport.ts';
import type { TaxService } from '../../src/contract/tax-service.ts';
import type { EmbeddedTaxService } from '../../src/service/tax-service.ts';
import type { Random } from '../hostile/random.ts';
import { answerCall } from './answer-call.ts';
import type { CallWitness } from './call-witness.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** What may happen to a call on its way; after `out` no call of the run is served. */
export const FAULTS = [
  '429',
  '500',
  '503',
  'reset',
  'timeout',
  'answer lost',
  'done, then 500',
  'slow',
] as const;

/** The weather of a run: of a hundred calls so many meet a fault, and from which call on the service is out. */
export type Weather = { readonly percent: number; readonly outFrom?: number };

/** Told of what reaches the service, and of what the process hears from it. */
export type Witness = Pick<CallWitness, 'reached' | 'heard'>;

export type RemoteService = {
  readonly service: TaxService;
  /** Calls on their way to the service, or not done there. */
  readonly underWay: () => readonly HttpCall[];
  /** Resolves when nothing is on the line any more. */
  readonly settled: () => Promise<void>;
};

/** A service behind a line, which goes on with what has reached it when the process is gone. */
export const remoteService = (
  behind: EmbeddedTaxService,
  process: SimulatedProcess,
  options: {
    readonly random: Random;
    readonly weather: Weather;
    readonly witness: Witness;
    readonly callsAtOnce: number;
  },
): RemoteService => {
  const { random, weather, witness, callsAtOnce } = options;
  const onLine = new Set<Promise<unknown>>();
  const undone = new Set<HttpCall>();
  let calls = 0;

  const serve = async (call: HttpCall): Promise<HttpReply> => {
    witness.reached(call);
    const reply = await answerCall(behind, call);
    undone.delete(call);
    return reply;
  };
  const faultOfNext = () => {
    calls += 1;
    if (weather.outFrom !== undefined && calls >= weather.outFrom)
      return random.pick(['reset', '503', 'timeout'] as const);
    return random.below(100) < weather.percent ? random.pick(FAULTS) : undefined;
  };
  const onTheLine = async (call: HttpCall): Promise<HttpReply> => {
    const fault = faultOfNext();
    await pause(1 + random.below(20));
    if (fault === 'reset') throw new NoAnswerError('the connection was reset');
    if (fault === '500' || fault === '503') return { status: Number(fault), text: '{}' };
    if (fault === '429') return { status: 429, text: '{}', retryAfterMs: random.below(2) * 1000 };
    const reply = await serve(call);
    await pause(1 + random.below(fault === 'slow' ? 25_000 : 20));
    if (fault === 'timeout') throw new NoAnswerError('no answer in time', { isTimeout: true });
    if (fault === 'answer lost') throw new NoAnswerError('the connection broke off');
    if (fault === 'done, then 500') return { status: 500, text: '{}' };
    return reply;
  };
  const send: Transport = async (call) => {
    const reply = await process.effect(
      `${callName(call)}${call.body?.match(/"transaction_id":"[^"]*"/)?.[0] ?? ''}`,
      () => {
        undone.add(call);
        const answer = onTheLine(call);
        onLine.add(answer);
        const gone = () => {
          onLine.delete(answer);
          undone.delete(call);
        };
        answer.then(gone, gone);
        return answer;
      },
    );
    witness.heard(call, reply);
    return reply;
  };
  const retried = withRetry(send, RETRY_DEFAULT);
  return {
    service: withSoundAnswers(httpTaxService(withLimit(retried, callsAtOnce), callsAtOnce)),
    underWay: () => [...undone],
    settled: async () => {
      await Promise.allSettled(onLine);
    },
  };
};
