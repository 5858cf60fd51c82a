import { UNNUMBERED_REFUND } from '../sales/record-id.ts';
import { rowsIn } from './queries.ts';
import type { Workspace } from './workspace.ts';

/** Returns those of these keys under which the exports have refunds that may be several. */
export const unnumberedAmong = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (keys.length === 0) return new Set();
  const rows = rowsIn(workspace, 'set_aside').select('key').where('key', 'in', keys);
  const found = await rows.where('code', '=', UNNUMBERED_REFUND).execute();
  return new Set(found.map(({ key }) => key));
};
