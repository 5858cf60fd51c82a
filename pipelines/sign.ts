import * as z from 'zod';
import { SIGNABLE_NAME } from '../src/close/evidence/manifest.ts';
import type { ClosePorts } from '../src/close/stages/run/close-ports.ts';
import { PeriodParam } from '../src/close/stages/run/period-param.ts';
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
    /** Why it takes the place of the signature in the same role; it takes the place of none when it is empty. */
    replaces: z.string().trim().default(''),
    /** Why open exceptions may stand; none may when it is empty. */
    openExceptions: z.string().trim().default(''),
  }),
  ({ stage }, ports: ClosePorts, { period, signText, ...signing }) =>
    stage('sign', () => signPack(ports, period, { ...signing, signText })),
);
