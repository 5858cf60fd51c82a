import type { FilingPeriod } from '../../kernel/period.ts';
import { type ChannelSetAside, type Rejects, recordsOf } from '../report/write-rejects.ts';
import { frozenBodies } from '../workspace/locks.ts';
import { setAsidesOn } from '../workspace/set-asides.ts';
import { sourceFilesOf } from '../workspace/source-files.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { locksAnsweredBy } from './answered-locks.ts';
import type { FiledAside, Snapshot } from './lock-evidence.ts';

/**
 * Returns the set-aside records of the period and those that have no date, in the order of their files. Adds records
 * dated in a locked period that were rejected after its lock, because otherwise no one would see them.
 */
export const setAsidesOf = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<readonly ChannelSetAside[]> => [
  ...(await setAsidesOn(workspace, period)),
  ...(await rejectedLate(workspace, period)),
];

const rejectedLate = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<readonly ChannelSetAside[]> => {
  const locks = await locksAnsweredBy(workspace, period);
  if (locks.length === 0) return [];
  const known = new Set(
    (await frozenBodies(workspace)).flatMap((body) => (JSON.parse(body) as Snapshot).asides).map(nameOf),
  );
  const late: ChannelSetAside[] = [];
  for (const lock of locks.filter(({ last }) => last < period.first)) {
    for (const aside of await setAsidesOn(workspace, lock)) {
      const { channel, origin, reason, outcome, businessDate } = aside;
      const name = nameOf({ channel, record: origin.record, code: reason.code });
      if (outcome === 'rejected' && businessDate !== null && !known.has(name)) late.push(aside);
    }
  }
  return late;
};

const nameOf = ({ channel, record, code }: FiledAside): string => JSON.stringify([channel, record, code]);

/** Returns the rejected records among those set aside, by input; skips inputs without any. */
export const rejectsAmong = async (
  workspace: Workspace,
  asides: readonly ChannelSetAside[],
): Promise<readonly Rejects[]> => {
  const rejected = asides.filter(({ outcome }) => outcome === 'rejected');
  const inputs = await sourceFilesOf(workspace);
  return inputs
    .map(({ channel, path, sha256, header }) => ({
      channel,
      path,
      sha256,
      header: JSON.parse(header) as string[],
      records: recordsOf(rejected, channel, path),
    }))
    .filter(({ records }) => records.length > 0);
};
