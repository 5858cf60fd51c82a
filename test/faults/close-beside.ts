import { silentProgress } from '../../src/runtime/progress.ts';
import { pipelines } from '../entry/close.ts';
import type { Month } from '../support/month.ts';

/** Close October, and let somebody else do something when a stage has begun. */
export const closeBeside = (
  shop: Pick<Month, 'ports'>,
  stage: string,
  work: () => Promise<unknown>,
): Promise<void> => {
  let beside: Promise<unknown> = Promise.resolve();
  const started = (name: string): void => {
    if (name === stage) beside = work();
  };
  return shop.ports(async (ports) => {
    const progress = { ...silentProgress, started };
    await pipelines.monthlyClose.run({ ...ports, progress }, { period: '2026-10' });
    await beside;
  });
};
