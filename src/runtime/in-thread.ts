import { type MessagePort, parentPort } from 'node:worker_threads';
import { DefectError, writtenError } from '../kernel/errors.ts';
import type { Stopping } from './stopping.ts';
import type { Answered, Asked, Failed } from './thread.ts';

/** `cancelled` tells whether to abandon the work that the message started. */
type Answer = (message: unknown, cancelled: Stopping) => Promise<unknown>;

/**
 * Run a thread from start to end. `work` builds its resources, calls `answerAsked`, which answers all messages from
 * `startThread` until the thread is told to end, and then closes the resources. An error while building them is the
 * answer to every message; an error while closing them is reported at the end.
 */
export const inThread = async (
  work: (answerAsked: (answer: Answer) => Promise<void>) => Promise<void>,
): Promise<void> => {
  const port = parentPort;
  if (!port) throw new DefectError('no one asks: this is the main thread');
  let isToEnd = false;
  const answerAsked = async (answer: Answer): Promise<void> => {
    await answerUntilEnd(port, answer);
    isToEnd = true;
  };
  try {
    await work(answerAsked);
  } catch (error) {
    if (isToEnd) tell(port, { atEnd: failedWith(error) });
    else await answerAsked(() => Promise.reject(error));
  }
  port.close();
};

const answerUntilEnd = async (port: MessagePort, answer: Answer): Promise<void> => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const cancelledWork = new Map<number, boolean>();

  const hear = async (asked: Asked): Promise<void> => {
    if (asked === 'end') return end();
    if ('cancel' in asked) {
      if (cancelledWork.has(asked.cancel)) cancelledWork.set(asked.cancel, true);
      return;
    }
    const { number, message } = asked;
    cancelledWork.set(number, false);
    const outcome = await outcomeOf(() =>
      answer(message, { isAsked: () => cancelledWork.get(number) === true }),
    );
    cancelledWork.delete(number);
    tell(port, { number, ...outcome });
  };
  port.on('message', (asked: Asked) => void hear(asked));
  await ended;
};

const tell = (port: MessagePort, answered: Answered): void => port.postMessage(answered);

const outcomeOf = async (work: () => Promise<unknown>): Promise<{ readonly answer: unknown } | Failed> => {
  try {
    return { answer: await work() };
  } catch (error) {
    return failedWith(error);
  }
};

const failedWith = (error: unknown): Failed => {
  const failed = writtenError(error);
  return failed ? { failed } : { defect: error };
};
