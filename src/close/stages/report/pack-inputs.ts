import { createHash } from 'node:crypto';
import { changedParts, type Parts } from '../../../kernel/parts.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { workParts } from '../../configuration/parts.ts';
import { digestedBytes } from '../../evidence/log-file.ts';
import { LOG_NAMES, type LogName } from '../../evidence/logged.ts';
import { type Closing, workspaceParts } from '../../periods/closing.ts';
import { workspaceState } from '../../workspace/state-digests.ts';
import { reconciledFrom } from '../inputs/reconciled-from.ts';
import type { ClosePorts } from '../run/close-ports.ts';
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

/**
 * Whether the files of a closing may come out as others now. Where the workspace has changed they are drawn, and then
 * compared: gathering the logs to compare them first costs half as much again. Only where the workspace has no digest
 * the logs decide.
 */
export const mayHaveChanged = async (ports: ClosePorts, closing: Closing): Promise<boolean> => {
  const then = closing.parts.workspace;
  const now = await gatheredFrom(ports, closing.period);
  if (then !== '' && then !== now) return true;
  return (await changedSince(ports, closing, now)).length > 0;
};

/**
 * The parts from which a closing was drawn that are others now. The logs are gathered only where
 * something in the workspace has changed, and nothing else. */
const changedSince = async (
  ports: ClosePorts,
  { period, parts }: Closing,
  workspace: string,
): Promise<readonly DrawnPart[]> => {
  const now = { ...workParts(ports), ...workspaceParts(ports.workspace, period) };
  const changed = await changedParts(parts, now, DRAWN_FROM);
  if (changed.length > 0) return changed;
  const isSame = parts.workspace !== '' && parts.workspace === workspace;
  return isSame ? [] : changedParts(parts, await logsNow(ports, period), LOG_NAMES);
};

/** Digest of the workspace from which the logs of a period are gathered: while it is what it was, so are they. */
export const gatheredFrom = (ports: ClosePorts, period: FilingPeriod): Promise<string> =>
  workspaceState(ports.workspace, period, [...reconciledFrom(ports), 'reconciled']);

/** Digests of the logs as they would be if they were written. */
const logsNow = async (ports: ClosePorts, period: FilingPeriod): Promise<LogDigests> => {
  const hashes = LOG_NAMES.map((name) => ({ name, hash: createHash('sha256') }));
  const logs: EvidenceLogs = {
    write: async (pieces) => {
      for (const { name, hash } of hashes) {
        const piece = pieces[name];
        if (piece) hash.update(digestedBytes(piece));
      }
    },
  };
  await gatherReport(ports, period, logs);
  return Object.fromEntries(hashes.map(({ name, hash }) => [name, hash.digest('hex')])) as LogDigests;
};

/** In words what has changed since a closing, as far as it changes what would be signed. */
export const changesText = async (ports: ClosePorts, closing: Closing): Promise<string> =>
  changesSaid(
    closing,
    ports.serviceId,
    await changedSince(ports, closing, await gatheredFrom(ports, closing.period)),
  );

/** The same, where the parts from which the files were drawn again are known. */
export const changesInParts = async (closing: Closing, parts: Closing['parts']): Promise<string> =>
  changesSaid(
    closing,
    parts.service,
    await changedParts(closing.parts, parts, [...DRAWN_FROM, ...LOG_NAMES]),
  );

const changesSaid = (
  { parts: { service } }: Closing,
  serviceNow: string,
  changed: readonly DrawnPart[],
): string =>
  changed
    .filter((part) => part !== 'program' || !changed.includes('service'))
    .flatMap((part) => SAID[part]?.(service, serviceNow) ?? [])
    .join('; ') || 'something has changed since it was closed';

const SAID: Partial<Readonly<Record<DrawnPart, (then: string, now: string) => string>>> = {
  configuration: () => 'the configuration has changed',
  service: (then, now) => `it was closed with ${then}, and this is ${now}`,
  program: () => 'the program has changed',
  before: () => 'the period before was closed again',
  sales: () => 'its sales or their figures have changed',
  records: () => 'the records that the service holds beside its sales have changed',
  'set-aside': () => 'the records that are set aside have changed',
};
