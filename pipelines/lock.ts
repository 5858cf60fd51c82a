import * as z from 'zod';
import { type LockPorts, lockClosed } from '../src/close/stages/lock/lock-closed.ts';
import { PeriodParam } from '../src/close/stages/run/period-param.ts';
import { definePipeline } from '../src/runtime/pipeline.ts';

/** Freeze a closed period, or an amended version of one, because what is filed must not change any more. */
export const lock = definePipeline(
  'lock',
  z.strictObject({
    period: PeriodParam,
    who: z.string().default(''),
    /** Why the period may be locked with open exceptions; empty when it may not. */
    openExceptions: z.string().default(''),
  }),
  ({ stage }, ports: LockPorts, { period: { label }, ...wish }) =>
    stage('lock', () => lockClosed(ports, { label, ...wish })),
);
