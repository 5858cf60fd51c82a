import * as z from 'zod';
import { SIGNABLE_NAME } from '../src/close/evidence/manifest.ts';
import type { ClosePorts } from '../src/close/stages/close-ports.ts';
import { PeriodParam } from '../src/close/stages/period-param.ts';
import { signPack } from '../src/close/stages/sign/sign-pack.ts';
import { definePipeline } from '../src/runtime/pipeline.ts';

/** Put a person's name under the pack of a closed period, with a key when there is one. */
export const sign = definePipeline(
  'sign',
  z.strictObject({
    period: PeriodParam,
    role: z.enum(['preparer', 'reviewer']),
    name: z.string().trim().regex(SIGNABLE_NAME),
    signText: z.custom<(statement: string) => string>().optional(),
  }),
  ({ stage }, ports: ClosePorts, { period, role, name, signText }) =>
    stage('sign', () => signPack(ports, period, { role, name, signText })),
);
