import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { silentProgress } from '../../src/runtime/progress.ts';
import { withThreads } from '../../src/with-threads.ts';
import type { Month } from '../support/month.ts';
import { VERSION } from '../support/tieout.ts';

/** Close October, and let somebody else do something when a stage has begun. */
export const closeBeside = (
  shop: Pick<Month, 'ports'>,
  stage: string,
  work: () => Promise<unknown>,
  { others = 0 }: { readonly others?: number } = {},
): Promise<void> => {
  let beside: Promise<unknown> = Promise.resolve();
  const started = (name: string): void => {
    if (name === stage) beside = work();
  };
  const settings = { content: undefined, version: VERSION, others, salesMin: 10 };
  return shop.ports((ports) =>
    withThreads(ports, settings, async (close) => {
      await monthlyClose.run({ ...close, progress: { ...silentProgress, started } }, { period: '2026-10' });
      await beside;
    }),
  );
};
