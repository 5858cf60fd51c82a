import { CONTRADICTED } from '../sales/record-id.ts';
import { rowsIn } from './queries.ts';
import type { Workspace } from './workspace.ts';

/** Returns those of these keys whose records contradict each other in the exports. */
export const contradictedAmong = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (keys.length === 0) return new Set();
  const rows = rowsIn(workspace, 'set_aside').select('key').where('key', 'in', keys);
  const found = await rows.where('code', 'in', CONTRADICTED).execute();
  return new Set(found.map(({ key }) => key));
};
