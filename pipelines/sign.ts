import * as z from 'zod';
import type { ClosePorts } from '../src/close/stages/close-ports.ts';
import { PeriodParam } from '../src/close/stages/period-param.ts';
import { signPack } from '../src/close/stages/sign/sign-pack.ts';
import { definePipeline } from '../src/runtime/pipeline.ts';

/** Put a person's name under the pack of a closed period. */
export const sign = definePipeline(
  'sign',
  z.strictObject({
    period: PeriodParam,
    role: z.enum(['preparer', 'reviewer']),
    name: z.string().trim().min(1),
  }),
  ({ stage }, ports: ClosePorts, { period, role, name }) =>
    stage('sign', () => signPack(ports, period, { role, name })),
);
