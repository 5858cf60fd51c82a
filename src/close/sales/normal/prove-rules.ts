import type { TableRow } from '../files/table-row.ts';
import type { RecordRule } from '../profile/sale-map.ts';
import type { SalesProfile } from '../profile.ts';
import { rowReader } from '../row-reader.ts';

/**
 * Returns the rules for the records of a file. A rule that depends on how the file is written is among them if a row
 * proves it. Files are read no further than that takes, and not at all for a profile without such rules.
 */
export const proveRules = async (
  { rules, locale, file: { nullTokens, headerAliases } }: SalesProfile,
  header: readonly string[],
  rows: () => AsyncIterable<readonly TableRow[]>,
): Promise<RecordRule[]> => {
  const { holds } = rowReader(header, { money: locale, nullTokens, headerAliases });
  const open = new Map(
    rules.flatMap((rule) => (rule.fileHas ? [[rule, rule.fileHas.map(holds)] as const] : [])),
  );
  if (open.size === 0) return rules;
  for await (const batch of rows()) {
    for (const row of batch)
      for (const [rule, tests] of open) if (tests.every((test) => test(row))) open.delete(rule);
    if (open.size === 0) break;
  }
  return rules.filter((rule) => !open.has(rule));
};
