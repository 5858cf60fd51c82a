import * as z from 'zod';
import { SIGNABLE_NAME } from '../src/close/evidence/manifest.ts';
import type { ClosePorts } from '../src/close/stages/run/close-ports.ts';
import { PeriodParam } from '../src/close/stages/run/period-param.ts';
import { signPack } from '../src/close/stages/sign/sign-pack.ts';
import { definePipeline } from '../src/runtime/pipeline.ts';

/** Sign the pack of a closed period in a person's name, with a key when there is one. */
export const sign = definePipeline(
  'sign',
  z.strictObject({
    period: PeriodParam,
    role: z.enum(['preparer', 'reviewer']),
    name: z.string().trim().regex(SIGNABLE_NAME),
    signText: z.custom<(statement: string) => string>().optional(),
    /** Why it replaces the signature in the same role; empty when it replaces none. */
    replaces: z.string().trim().default(''),
    /** Why the pack may be signed with open exceptions; empty when it may not. */
    openExceptions: z.string().trim().default(''),
  }),
  ({ stage }, ports: ClosePorts, { period, signText, ...signing }) =>
    stage('sign', () => signPack(ports, period, { ...signing, signText })),
);
