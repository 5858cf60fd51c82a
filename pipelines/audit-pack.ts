import * as z from 'zod';
import { comparePack, rebuildPack } from '../src/close/stages/audit/rebuild-pack.ts';
import type { ClosePorts } from '../src/close/stages/run/close-ports.ts';
import { PeriodParam } from '../src/close/stages/run/period-param.ts';
import { definePipeline } from '../src/runtime/pipeline.ts';

/**
 * Verify that the published files of a period match the workspace: write all of them again into the empty folder
 * `into`, and compare them with the published ones byte for byte. Makes no calls, sends nothing and publishes nothing.
 */
export const auditPack = definePipeline(
  'audit-pack',
  z.strictObject({ period: PeriodParam, into: z.string() }),
  async (run, close: ClosePorts, { period, into }) => {
    const wanted = await run.stage('rebuild', () => rebuildPack(close, period, into));
    const differences = await run.stage('compare', () => comparePack(close, period, wanted));

    return { files: wanted.map(({ path }) => path), differences };
  },
);
