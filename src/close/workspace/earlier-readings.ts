import type { FilingPeriod } from '../../kernel/period.ts';
import { isOf } from './sale-key.ts';
import type { Workspace } from './workspace.ts';

/**
 * The keys of the sales of a period that the last reading of their channel did not have: their file says nothing of them
 * any more, and they count as they were read before.
 */
export const keysOfEarlierReadings = async (
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
