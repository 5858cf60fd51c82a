import { createHash } from 'node:crypto';
import { changedParts, type Parts } from '../../../kernel/parts.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { workParts } from '../../configuration/parts.ts';
import { LOG_NAMES, type LogName } from '../../evidence/logged.ts';
import type { Closing } from '../../periods/closing.ts';
import { workspaceParts } from '../../periods/closing-parts.ts';
import type { ClosePorts } from '../close-ports.ts';
import type { EvidenceLogs } from './evidence-logs.ts';
import { gatherReport } from './gather-report.ts';

/** Digests of the lines of each log. */
export type LogDigests = Parts<LogName>;

/**
 * Everything that the files of a period are drawn from, beside the logs: where none of it has changed they come out byte for
 * byte the same. `drawReport` takes nothing but what stands here or follows from it. The returns follow from the program,
 * which brings the law, and from the logs.
 */
const DRAWN_FROM = ['configuration', 'service', 'program', 'before', 'signatures'] as const;

/** A part from which files are drawn. */
type DrawnPart = (typeof DRAWN_FROM)[number] | LogName;

/** The parts from which a closing was drawn that are others now. The logs are gathered only where nothing else has changed. */
export const changedSince = async (
  ports: ClosePorts,
  { period, parts }: Closing,
): Promise<readonly DrawnPart[]> => {
  const now = { ...workParts(ports), ...workspaceParts(ports.workspace, period) };
  const changed = await changedParts(parts, now, DRAWN_FROM);
  return changed.length > 0 ? changed : changedParts(parts, await logsNow(ports, period), LOG_NAMES);
};

/** Digests of the logs as they would be if they were written. */
const logsNow = async (ports: ClosePorts, period: FilingPeriod): Promise<LogDigests> => {
  const hashes = LOG_NAMES.map((name) => ({ name, hash: createHash('sha256') }));
  const logs: EvidenceLogs = {
    write: async (pieces) => {
      for (const { name, hash } of hashes) hash.update(pieces[name]?.bytes ?? '');
    },
  };
  await gatherReport(ports, period, logs);
  return Object.fromEntries(hashes.map(({ name, hash }) => [name, hash.digest('hex')])) as LogDigests;
};

/** In words what has changed since a closing, as far as it changes what would be signed. */
export const changesText = async (ports: ClosePorts, closing: Closing): Promise<string> => {
  const changed = await changedSince(ports, closing);
  const { service } = closing.parts;
  return changed
    .filter((part) => part !== 'program' || !changed.includes('service'))
    .flatMap((part) => SAID[part]?.(service, ports.serviceId) ?? [])
    .join('; ');
};

const SAID: Partial<Readonly<Record<DrawnPart, (then: string, now: string) => string>>> = {
  configuration: () => 'the configuration is another',
  service: (then, now) => `it was closed with ${then}, and this is ${now}`,
  program: () => 'the program is another',
  before: () => 'the period before was closed again',
  sales: () => 'its sales, or what was found about them, are others',
  records: () => 'the service holds other records beside its sales',
  'set-aside': () => 'other records are set aside',
};
