import { ServiceRefusal } from '../../../contract/refusal.ts';
import { zoneCalendar } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { filingPlan, isFiled } from '../../period-sales/filing-plan.ts';
import { type SubmittedSale, submittedStage } from '../../period-sales/submitted-sale.ts';
import { nameOfKey } from '../../sales/sale-name.ts';
import { carriedPlaces } from '../../workspace/carried-sales.ts';
import { filedAmong } from '../../workspace/filed-pages.ts';
import { locksOf } from '../../workspace/locks.ts';
import { datedAmong } from '../../workspace/sale-index.ts';
import { beginningOf } from '../../workspace/sale-page.ts';
import { keepPage, pageHeads, readPage } from '../../workspace/stage-pages.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { withdraw } from './withdraw.ts';

/**
 * Deletes records of late items that were sent, and were decided otherwise before they were filed: nothing posts them any
 * more. They are dated in a locked period, whose days are not listed any more, so that no close would find them. A record
 * that the service refuses to delete keeps its row, and the next close tries again.
 */
export const withdrawDropped = async (ports: ClosePorts, period: FilingPeriod): Promise<Dropped> => {
  const { workspace } = ports;
  // Nothing that belongs to a locked period is sent with it.
  if (isFiled(filingPlan(period, await locksOf(workspace)))) return { withdrawn: 0, refused: 0 };
  const stage = submittedStage(ports);
  const late = beginningOf('late');
  const counts = { withdrawn: 0, absent: 0, refused: 0, kept: 0 };
  for (const { slot } of await pageHeads(workspace, stage, { first: late, last: late })) {
    const page = await readPage<SubmittedSale>(workspace, stage, slot);
    if (!page || page.rows.length === 0) continue;
    const keys = page.rows.map(({ key }) => key);
    const posted = await postedAmong(workspace, keys);
    const gone = new Set<string>();
    for (const key of keys.filter((each) => !posted.has(each))) {
      const outcome = await withdrawLocked(ports, key);
      counts[outcome] += 1;
      if (outcome === 'withdrawn' || outcome === 'absent') gone.add(key);
    }
    if (gone.size === 0) continue;
    // The empty input makes the stage process the page again.
    const rows = page.rows.filter(({ key }) => !gone.has(key));
    await keepPage(workspace, stage, slot, { input: '', open: page.open, rows });
  }
  return counts;
};

/** Records that were deleted, and those that the service refused to delete. */
type Dropped = { readonly withdrawn: number; readonly refused: number };

/** Returns those of these keys that are posted: filed, carried, or as the exports have them now. */
const postedAmong = async (workspace: Workspace, keys: readonly string[]): Promise<ReadonlySet<string>> => {
  const places = [...(await carriedPlaces(workspace, keys)), ...(await datedAmong(workspace, keys))];
  const posted = places.filter(({ posting }) => posting === 'posted');
  return new Set([...posted, ...(await filedAmong(workspace, keys))].map(({ key }) => key));
};

/** Deletes a record that is dated in a locked period. It is kept if its day is open. */
const withdrawLocked = async (
  ports: ClosePorts,
  key: string,
): Promise<'withdrawn' | 'absent' | 'refused' | 'kept'> => {
  const { service, configuration, workspace } = ports;
  const { channel, kind, id } = nameOfKey(key);
  if (!configuration.channels.some(({ name }) => name === channel)) return 'kept';
  const provider = providerOf(configuration, channel);
  const [record] = await service.showMany([{ provider, kind, id }]);
  if (!record) return 'absent';
  const day = zoneCalendar(configuration.timeZone).dateAt(record.transaction_date);
  const locks = await locksOf(workspace);
  if (!locks.some(({ first, last }) => first <= day && day <= last)) return 'kept';
  try {
    return (await withdraw(ports, { provider, kind, id, key, day })) ? 'withdrawn' : 'absent';
  } catch (error) {
    if (error instanceof ServiceRefusal) return 'refused';
    throw error;
  }
};
