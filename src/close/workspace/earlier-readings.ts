import type { FilingPeriod } from '../../kernel/period.ts';
import { salesByKey } from './put-sales.ts';
import { isOf } from './sale-key.ts';
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
  { tables, entity }: Workspace,
  { first, last }: FilingPeriod,
): Promise<ReadonlySet<string>> => {
  const loads = await tables
    .selectFrom('source_load')
    .select(['channel', 'number'])
    .where('entity', '=', entity)
    .execute();
  const found = new Set<string>();
  for (const { channel, number } of loads) {
    const rows = await tables
      .selectFrom('sale')
      .select('key')
      .where('entity', '=', entity)
      .where('business_date', '>=', first)
      .where('business_date', '<=', last)
      .where(isOf(channel))
      .where('load', '<', number)
      .execute();
    for (const { key } of rows) found.add(key);
  }
  return found;
};
