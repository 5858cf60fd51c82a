import { setTimeout as pause } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { workerData } from 'node:worker_threads';
import { TieoutError } from '../../src/kernel/errors.ts';
import { stopIfAsked } from '../../src/runtime/pipeline.ts';
import { inThread } from '../../src/runtime/thread.ts';

const notNow = (): TieoutError =>
  new TieoutError({ code: 'E_RUN_LOCKED', message: 'not now', nextStep: 'Later' });

/** What the tests ask of a thread. */
const doings: Readonly<Record<string, () => unknown>> = {
  data: () => workerData,
  'young MB': () => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    return (young?.space_size ?? 0) / 1024 / 1024;
  },
  'load many modules': async () => {
    await import('../entry/close.ts');
  },
  'designed error': () => {
    throw notNow();
  },
  defect: () => {
    throw new RangeError('out of it');
  },
  death: () => process.exit(0),
  'uncaught error': () => {
    setTimeout(() => {
      throw new RangeError('no one caught it');
    });
    return pause(60_000);
  },
};

await inThread(async (answerAsked) => {
  await answerAsked(async (message, leavingOff) => {
    if (message !== 'long work') return doings[String(message)]?.();
    for (;;) {
      stopIfAsked(leavingOff, 'long work');
      await pause(1);
    }
  });
  if (workerData === 'hold on') throw notNow();
});
