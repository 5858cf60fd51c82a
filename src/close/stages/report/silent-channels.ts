import { isAmendmentLabel } from '../../../kernel/amended-version.ts';
import { addDays, type CalendarDate } from '../../../kernel/calendar.ts';
import { ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import { channelRecord } from '../../reconcile/expected-totals.ts';
import { isOf } from '../../workspace/sale-key.ts';
import { hasSales } from '../../workspace/sales-of-days.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** A channel that sold within so many days before the period was at work when it began. */
const DAYS_BEFORE = 30;

/**
 * Channels that sold until shortly before the period, and in it nothing: more often than not the export of the period
 * has been forgotten, and the one of the period before still lies there. Channels whose exports are empty as well.
 */
export const silentChannels = async (
  workspace: Workspace,
  period: FilingPeriod,
  channels: readonly string[],
  has: (channel: string) => boolean,
): Promise<readonly DraftException[]> => {
  if (isAmendmentLabel(period.label)) return [];
  const drafts: DraftException[] = [];
  for (const channel of channels.filter((name) => !has(name))) {
    const last = await lastDayBefore(workspace, period, channel);
    if (last !== undefined)
      drafts.push(
        silent(channel, period, `hold no sale of the period, and their last one before it is of ${last}`),
      );
    else if (await isEmpty(workspace, channel))
      drafts.push(silent(channel, period, 'have a header and no rows'));
  }
  return drafts;
};

/** The same as far as the sales say before they are looked at one by one. */
export const silentBefore = async (
  { workspace, configuration }: Pick<ClosePorts, 'workspace' | 'configuration'>,
  period: FilingPeriod,
): Promise<readonly DraftException[]> => {
  const names = configuration.channels.map(({ name }) => name);
  const active = new Set<string>();
  for (const name of names) if (await hasSales(workspace, period, name)) active.add(name);
  return active.size === 0 ? [] : silentChannels(workspace, period, names, (name) => active.has(name));
};

const lastDayBefore = async (
  { tables, entity }: Workspace,
  { first }: FilingPeriod,
  channel: string,
): Promise<CalendarDate | undefined> => {
  const found = await tables
    .selectFrom('sale')
    .select('business_date as day')
    .where('entity', '=', entity)
    .where(isOf(channel))
    .where('business_date', '>=', addDays(first, -DAYS_BEFORE))
    .where('business_date', '<', first)
    .orderBy('business_date', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.day as CalendarDate | undefined;
};

/** Whether the exports of a channel have nothing at all: a shop that is new, or an export that went wrong. */
const isEmpty = async ({ tables, entity }: Workspace, channel: string): Promise<boolean> => {
  const files = await tables
    .selectFrom('source_file')
    .select('rows')
    .where('entity', '=', entity)
    .where('channel', '=', channel)
    .execute();
  return files.length > 0 && files.every(({ rows }) => rows === 0);
};

const silent = (channel: string, period: FilingPeriod, what: string): DraftException => ({
  severity: 'error',
  code: 'no-channel-sales',
  origin: { file: '', line: 0, record: channelRecord(channel, period) },
  message: `the exports of "${channel}" ${what}`,
  state: '',
  effect: ZERO,
});
