import { createHash } from 'node:crypto';
import { digestOf, sha256 } from '../../../kernel/digest.ts';
import { type FilingPeriod, periodBefore } from '../../../kernel/period.ts';
import { configurationDigest } from '../../configuration/configuration-digest.ts';
import { LOG_NAMES, type LogName } from '../../evidence/logged.ts';
import { closingOf } from '../../periods/closing.ts';
import { rejectsOf } from '../../periods/rejects-of.ts';
import { signaturesOf } from '../../workspace/signatures.ts';
import type { ClosePorts } from '../close-ports.ts';
import { evidenceLogs } from './evidence-logs.ts';
import type { GatheredReport } from './gather-report.ts';

/**
 * Digest of everything that the files of a period are drawn from, as the workspace has it now. Equal digests mean
 * equal bytes: `drawReport` takes nothing but what stands here or follows from it. The returns follow from the
 * program, which brings the law, the configuration, the report and the sales.
 */
export const drawnFrom = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { report }: GatheredReport,
): Promise<string> => {
  const { workspace, configuration, programDigest } = ports;
  return digestOf({
    program: programDigest,
    configuration: configurationDigest(configuration),
    report: sha256(JSON.stringify(report)),
    logs: await logDigests(ports, period),
    rejects: sha256(JSON.stringify(await rejectsOf(workspace, period))),
    signatures: (await signaturesOf(workspace, period.label)).map((signature) => ({ ...signature })),
    before: await signOffsBefore(ports, period),
  });
};

const logDigests = async (
  ports: ClosePorts,
  period: FilingPeriod,
): Promise<Readonly<Record<string, string>>> => {
  const sources = evidenceLogs(ports, period);
  const digests: Partial<Record<LogName, string>> = {};
  for (const name of LOG_NAMES) {
    const hash = createHash('sha256');
    for await (const line of sources[name]()) hash.update(line).update('\n');
    digests[name] = hash.digest('hex');
  }
  return digests as Record<LogName, string>;
};

const signOffsBefore = async ({ workspace }: ClosePorts, period: FilingPeriod) => {
  const before = periodBefore(period);
  const closing = before && (await closingOf(workspace, before.label));
  if (!closing) return null;
  const signatures = await signaturesOf(workspace, closing.period.label);
  return {
    contentDigest: closing.report.signOff.contentDigest,
    signatures: signatures.map((signature) => ({ ...signature })),
  };
};
