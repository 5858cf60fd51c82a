import { createHash } from 'node:crypto';
import { changedParts, type Parts } from '../../../kernel/parts.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { workParts } from '../../configuration/parts.ts';
import { digestedBytes } from '../../evidence/log-file.ts';
import { type EvidenceLogs, LOG_NAMES, type LogName } from '../../evidence/logs.ts';
import { balancesTakenOver } from '../../periods/balances-taken-over.ts';
import { type Closing, workspaceParts } from '../../periods/closing.ts';
import { countedRegistrations } from '../../periods/counted-registrations.ts';
import { workspaceState } from '../../workspace/state-digests.ts';
import { reconciledFrom } from '../inputs/reconciled-from.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { earlyDayAfter, overPart } from '../run/running-period.ts';
import { gatherReport } from './gather-report.ts';

/** Digests of the lines of each log. */
export type LogDigests = Parts<LogName>;

/**
 * All inputs of a period's files, except the logs. If they are unchanged, the files come out byte for byte the same.
 * `renderPack` may only use these and what is derived from them. The returns are derived from the program, which
 * contains the law, and from the logs.
 */
const DRAWN_FROM = [
  'configuration',
  'service',
  'program',
  'over',
  'before',
  'takenOver',
  'signatures',
] as const;

/** An input of the files. */
type DrawnPart = (typeof DRAWN_FROM)[number] | LogName;

/**
 * Whether the files of a closing might come out different now. If the workspace has changed, the files are rendered and
 * then compared, because gathering the logs first would cost half as much again. The logs decide only if the closing
 * has no digest of the workspace.
 */
export const mayHaveChanged = async (ports: ClosePorts, closing: Closing): Promise<boolean> => {
  const then = closing.parts.workspace;
  const now = await gatheredFrom(ports, closing.period);
  if (then !== '' && then !== now) return true;
  return (await changedSince(ports, closing, now)).length > 0;
};

/** Returns the part of a closing that says what its returns take over from other periods. */
const takenOverPart =
  ({ workspace, configuration }: ClosePorts, period: FilingPeriod): (() => Promise<string>) =>
  async () => {
    const registrations = await countedRegistrations(workspace, configuration.registrations, period);
    return JSON.stringify(await balancesTakenOver(workspace, registrations, period));
  };

/** Returns the inputs of a closing as they are now, except those that are gathered. */
const inputsNow = (ports: ClosePorts, closing: Closing) => ({
  ...workParts(ports),
  over: overPart(earlyDayAfter(ports, closing.period, closing)),
  takenOver: takenOverPart(ports, closing.period),
  ...workspaceParts(ports.workspace, closing.period),
});

/**
 * Returns the inputs of a closing that have changed. The logs are gathered only if something in the workspace has
 * changed and no other input has.
 */
const changedSince = async (
  ports: ClosePorts,
  closing: Closing,
  workspace: string,
): Promise<readonly DrawnPart[]> => {
  const { parts } = closing;
  const changed = await changedParts(parts, inputsNow(ports, closing), DRAWN_FROM);
  if (changed.length > 0) return changed;
  const isSame = parts.workspace !== '' && parts.workspace === workspace;
  return isSame ? [] : changedParts(parts, await logsNow(ports, closing), LOG_NAMES);
};

/**
 * Returns the digest of the workspace from which the logs of a period are gathered. While it is unchanged, so are the
 * logs.
 */
export const gatheredFrom = (ports: ClosePorts, period: FilingPeriod): Promise<string> =>
  workspaceState(ports.workspace, period, [...reconciledFrom(ports), 'reconciled']);

/** Returns the digests that the logs would have if they were written now. */
const logsNow = async (ports: ClosePorts, { period, report }: Closing): Promise<LogDigests> => {
  const hashes = LOG_NAMES.map((name) => ({ name, hash: createHash('sha256') }));
  const logs: EvidenceLogs = {
    write: async (pieces) => {
      for (const { name, hash } of hashes) {
        const piece = pieces[name];
        if (piece) hash.update(digestedBytes(piece));
      }
    },
  };
  await gatherReport(ports, period, logs, report.madeEarly);
  return Object.fromEntries(hashes.map(({ name, hash }) => [name, hash.digest('hex')])) as LogDigests;
};

/** Describes what has changed since a closing, as far as it affects the content to sign. */
export const changesText = async (ports: ClosePorts, closing: Closing): Promise<string> =>
  changesSaid(
    closing,
    ports.serviceId,
    await changedSince(ports, closing, await gatheredFrom(ports, closing.period)),
  );

/** Describes the same when the inputs of the new files are known. */
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
  over: () => 'the period is over now',
  before: () => 'the period before was closed again',
  takenOver: () => 'what other periods leave to it has changed',
  entries: () => 'its sales or their figures have changed',
  strays: () => 'the records that the service holds beside its sales have changed',
  'set-aside': () => 'the records that are set aside have changed',
};
