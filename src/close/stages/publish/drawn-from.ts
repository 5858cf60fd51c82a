import { createHash } from 'node:crypto';
import { digestOf } from '../../../kernel/digest.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { configurationDigest } from '../../configuration/configuration-digest.ts';
import { LOG_NAMES, type LogName } from '../../evidence/logged.ts';
import { closingBefore } from '../../periods/closing.ts';
import { signaturesOf } from '../../workspace/signatures.ts';
import type { ClosePorts } from '../close-ports.ts';
import type { EvidenceLogs } from './evidence-logs.ts';

/** Digests of the lines of each log. */
export type LogDigests = Readonly<Record<LogName, string>>;

/**
 * Digest of everything that the files of a period are drawn from, as the workspace has it now. Equal digests mean
 * equal bytes: `drawReport` takes nothing but what stands here or follows from it. The returns follow from the
 * program, which brings the law, and from the logs.
 */
export const drawnFrom = async (
  ports: ClosePorts,
  period: FilingPeriod,
  logs: LogDigests,
): Promise<string> => {
  const { workspace, configuration, programDigest } = ports;
  return digestOf({
    program: programDigest,
    configuration: configurationDigest(configuration),
    logs,
    signatures: (await signaturesOf(workspace, period.label)).map((signature) => ({ ...signature })),
    before: await signOffsBefore(ports, period),
  });
};

/** Logs of which only the digests are wanted, as they would be if they were written. */
export const logDigester = (): EvidenceLogs & { readonly digests: () => LogDigests } => {
  const hashes = LOG_NAMES.map((name) => ({ name, hash: createHash('sha256') }));
  return {
    write: async (pieces) => {
      for (const { name, hash } of hashes) hash.update(pieces[name]?.bytes ?? '');
    },
    digests: () =>
      Object.fromEntries(hashes.map(({ name, hash }) => [name, hash.digest('hex')])) as LogDigests,
  };
};

const signOffsBefore = async ({ workspace }: ClosePorts, period: FilingPeriod) => {
  const closing = await closingBefore(workspace, period);
  if (!closing) return null;
  const signatures = await signaturesOf(workspace, closing.period.label);
  return {
    contentDigest: closing.report.signOff.contentDigest,
    signatures: signatures.map((signature) => ({ ...signature })),
  };
};
