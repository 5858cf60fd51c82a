import * as z from 'zod';
import { type LockPorts, lockClosed } from '../src/close/stages/lock/lock-closed.ts';
import { PeriodParam } from '../src/close/stages/run/period-param.ts';
import { definePipeline } from '../src/runtime/pipeline.ts';

/** Freeze a closed period, or an amended version of one: what is filed must not change any more. */
export const lock = definePipeline(
  'lock',
  z.strictObject({
    period: PeriodParam,
    who: z.string().default(''),
    /** Why open exceptions may stand; none may when it is empty. */
    openExceptions: z.string().default(''),
  }),
  ({ stage }, ports: LockPorts, { period: { label }, ...wish }) =>
    stage('lock', () => lockClosed(ports, { label, ...wish })),
);
