import type { StageResult } from '../../../runtime/pipeline.ts';
import { type Decision, decideLate } from '../../periods/decide-late.ts';
import { type LateItem, recordOf } from '../../periods/late-item.ts';
import { amendReturns } from '../../periods/locked-returns.ts';
import { unknownLateItem } from '../../periods/period-errors.ts';
import { locksOf } from '../../workspace/locks.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { lockNamed } from './late-of.ts';

/** A person's decision on late items. */
export type LateWish = Omit<Decision, 'now'> & {
  /** The items to decide, by key, by id, or by the name of the record in the shop; all when absent. */
  readonly records: readonly string[] | undefined;
};

/**
 * Decide late items of a locked period as a person requests.
 *
 * @returns the number of items decided
 * @throws {TieoutError} E_LATE_UNKNOWN when a name is not a late item of the period
 */
export const decideRecords = async (
  { workspace, clock }: ClosePorts,
  label: string,
  items: readonly LateItem[],
  { records, ...wish }: LateWish,
): Promise<StageResult<number>> => {
  const lock = await lockNamed(workspace, label);
  const chosen = records === undefined ? items : chosenOf(items, records, label);
  const decision = { ...wish, now: clock.now() };
  if (wish.choice === 'amend') await amendReturns(workspace, lock, decision);
  const destination = await decideLate(workspace, lock, await locksOf(workspace), {
    items: chosen,
    decision,
  });
  const said = destination === '' ? 'decided, nothing to file' : `filed with ${destination}`;
  return { value: chosen.length, summary: `${chosen.length} ${said}` };
};

const chosenOf = (
  items: readonly LateItem[],
  names: readonly string[],
  label: string,
): readonly LateItem[] => {
  const unknown = names.find((name) => !items.some((item) => isNamed(item, name)));
  if (unknown !== undefined) throw unknownLateItem(label, unknown);
  return items.filter((item) => names.some((name) => isNamed(item, name)));
};

/** An order and its refunds share the name that the shop gave the order; each has an id of its own. */
const isNamed = (item: LateItem, name: string): boolean =>
  item.key === name || recordOf(item) === name || idOf(item) === name;

const idOf = ({ key }: LateItem): string => key.slice(key.lastIndexOf('/') + 1);
