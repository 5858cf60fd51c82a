import { decisionsOf } from '../configuration/decisions-of.ts';
import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import type { PeriodReport } from '../report/period-report.ts';
import type { Workspace } from '../workspace/workspace.ts';

type Decision = ReturnType<typeof decisionsOf>[number];

/**
 * Acceptances and taxes set by hand in the configuration that fit nothing in any period that was closed here: the
 * record is misspelt, or what was decided of it is gone.
 */
export const unusedDecisions = async (
  { tables, entity }: Workspace,
  configuration: LoadedConfiguration,
): Promise<readonly Decision[]> => {
  let left = decisionsOf(configuration).filter(({ period }) => period === '');
  const labels = await tables
    .selectFrom('closing')
    .select('period')
    .where('entity', '=', entity)
    .orderBy('period', 'desc')
    .execute();
  for (const { period } of left.length === 0 ? [] : labels) {
    if (left.length === 0) break;
    const row = await tables
      .selectFrom('closing')
      .select('report')
      .where('entity', '=', entity)
      .where('period', '=', period)
      .executeTakeFirstOrThrow();
    const { exceptions } = JSON.parse(row.report) as PeriodReport;
    const used = new Set(exceptions.flatMap(({ decision }) => (decision ? [keyOf(decision)] : [])));
    left = left.filter((decision) => !used.has(keyOf(decision)));
  }
  return left;
};

/** Its place in the file may have moved since. */
const keyOf = ({ verdict, code, records }: Decision): string => JSON.stringify([verdict, code, records]);
