import type { FilingPeriod } from '../../kernel/period.ts';
import { salesByKey } from './put-sales.ts';
import { salesOfDays } from './sales-of-days.ts';
import type { Workspace } from './workspace.ts';

/** The rows of the sales of a period that the last reading of their channel did not have, by channel and file. */
export const rowsOfEarlierReadings = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<ReadonlyMap<string, number>> => {
  const sales = await salesByKey(workspace, [...(await keysOfEarlierReadings(workspace, period))]);
  const rows = new Map<string, number>();
  for (const { channel, origin, rows: own } of sales.values())
    if (own > 0) rows.set(`${channel}/${origin.file}`, (rows.get(`${channel}/${origin.file}`) ?? 0) + own);
  return rows;
};

/**
 * The keys of the sales of a period that the last reading of their channel did not have: their file says nothing of them
 * any more, and they count as they were read before.
 */
const keysOfEarlierReadings = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<ReadonlySet<string>> => {
  const loads = await workspace.tables
    .selectFrom('source_load')
    .select(['channel', 'number'])
    .where('entity', '=', workspace.entity)
    .execute();
  const found = new Set<string>();
  for (const { channel, number } of loads) {
    const sales = salesOfDays(workspace, period, channel).select('key');
    const rows = await sales.where('load', '<', number).execute();
    for (const { key } of rows) found.add(key);
  }
  return found;
};
