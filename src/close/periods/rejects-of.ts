import type { FilingPeriod } from '../../kernel/period.ts';
import { type ChannelSetAside, type Rejects, recordsOf } from '../report/write-rejects.ts';
import { setAsideOf } from '../workspace/sale-rows.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { locksAnsweredBy } from './answered-locks.ts';
import type { FiledAside, Snapshot } from './lock-evidence.ts';

/**
 * The set-aside records of the period and those that cannot be dated, in the order of their files; and those that are
 * dated in a locked period and were rejected after its lock, because no one would see them otherwise.
 */
export const setAsidesOf = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<readonly ChannelSetAside[]> => [
  ...(await datedIn(workspace, period)),
  ...(await rejectedLate(workspace, period)),
];

const rejectedLate = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<readonly ChannelSetAside[]> => {
  const locks = await locksAnsweredBy(workspace, period);
  if (locks.length === 0) return [];
  const known = new Set((await lockedAsides(workspace)).map(nameOf));
  const late: ChannelSetAside[] = [];
  for (const lock of locks.filter(({ last }) => last < period.first)) {
    for (const aside of await datedIn(workspace, lock)) {
      const { channel, origin, reason, outcome, businessDate } = aside;
      const name = nameOf({ channel, record: origin.record, code: reason.code });
      if (outcome === 'rejected' && businessDate !== null && !known.has(name)) late.push(aside);
    }
  }
  return late;
};

const nameOf = ({ channel, record, code }: FiledAside): string => JSON.stringify([channel, record, code]);

const lockedAsides = async ({ tables, entity }: Workspace): Promise<readonly FiledAside[]> => {
  const rows = await tables
    .selectFrom('period_lock')
    .select('body')
    .where('entity', '=', entity)
    .where('state', '=', 'locked')
    .execute();
  return rows.flatMap(({ body }) => (JSON.parse(body) as Snapshot).asides);
};

const datedIn = async (
  workspace: Workspace,
  period: Pick<FilingPeriod, 'first' | 'last'>,
): Promise<readonly ChannelSetAside[]> => {
  const rows = await workspace.tables
    .selectFrom('set_aside')
    .select(['channel', 'body', 'gone'])
    .where('entity', '=', workspace.entity)
    .where(({ or, and, eb }) =>
      or([
        eb('business_date', 'is', null),
        and([eb('business_date', '>=', period.first), eb('business_date', '<=', period.last)]),
      ]),
    )
    .orderBy('channel')
    .orderBy('file')
    .orderBy('line')
    .execute();
  return rows.map((row) => ({ ...setAsideOf(row), channel: row.channel }));
};

/** The rejected records among those set aside, by input; inputs without any are left out. */
export const rejectsAmong = async (
  workspace: Workspace,
  asides: readonly ChannelSetAside[],
): Promise<readonly Rejects[]> => {
  const rejected = asides.filter(({ outcome }) => outcome === 'rejected');
  const inputs = await workspace.tables
    .selectFrom('source_file')
    .select(['channel', 'path', 'sha256', 'header'])
    .where('entity', '=', workspace.entity)
    .orderBy('channel')
    .orderBy('path')
    .execute();
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
