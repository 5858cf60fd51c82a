import { parentPort } from 'node:worker_threads';
import { DefectError } from '../kernel/errors.ts';
import { writtenError } from '../kernel/written-error.ts';
import type { Stopping } from './stopping.ts';
import type { Answered, Asked } from './thread.ts';

type Answer = (message: unknown, leavingOff: Stopping) => Promise<unknown>;

/**
 * In a thread: answer what `startThread` passes on, until it is to end. `leavingOff` says whether to leave off what
 * this message has begun.
 */
export const answerAsked = async (answer: Answer): Promise<void> => {
  const port = parentPort;
  if (!port) throw new DefectError('nobody asks: this is the main thread');
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const leftOff = new Map<number, boolean>();

  const hear = async (asked: Asked): Promise<void> => {
    if (asked === 'end') return end();
    if ('leaveOff' in asked) {
      if (leftOff.has(asked.leaveOff)) leftOff.set(asked.leaveOff, true);
      return;
    }
    const { number, message } = asked;
    leftOff.set(number, false);
    const outcome = await outcomeOf(() => answer(message, { isAsked: () => leftOff.get(number) === true }));
    leftOff.delete(number);
    port.postMessage({ number, ...outcome } as Answered);
  };
  port.on('message', (asked: Asked) => void hear(asked));
  await ended;
  port.close();
};

const outcomeOf = async (work: () => Promise<unknown>): Promise<object> => {
  try {
    return { answer: await work() };
  } catch (error) {
    const failed = writtenError(error);
    return failed ? { failed } : { defect: error };
  }
};
