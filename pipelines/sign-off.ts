import * as z from 'zod';
import type { ClosePorts } from '../src/close/stages/close-ports.ts';
import { PeriodParam } from '../src/close/stages/period-param.ts';
import { signPeriod } from '../src/close/stages/sign/sign-period.ts';
import { definePipeline } from '../src/runtime/pipeline.ts';

/** Put a person's name under a closed period. */
export const signOff = definePipeline(
  'sign-off',
  z.strictObject({
    period: PeriodParam,
    role: z.enum(['preparer', 'reviewer']),
    name: z.string().trim().min(1),
  }),
  ({ stage }, ports: ClosePorts, { period, role, name }) =>
    stage('sign', () => signPeriod(ports, period, { role, name })),
);
