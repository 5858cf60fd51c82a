import { damagedFile } from '../../../database/sqlite-errors.ts';
import { TieoutError } from '../../../kernel/errors.ts';
import type { Configuration } from '../../configuration/schema.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import { countOfChannel, strayAmong } from '../../workspace/sale-index.ts';
import { nameOfKey } from '../../workspace/sale-key.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/**
 * A channel that is renamed or dropped would leave its sales behind, posted under a name no one looks for any more.
 *
 * @throws {TieoutError} E_CHANNEL_UNKNOWN; E_DATABASE_DAMAGED where no page has a sale with such a key
 */
export const checkChannels = async (workspace: Workspace, { channels }: Configuration): Promise<void> => {
  const stray = await strayAmong(
    workspace,
    channels.map(({ name }) => name),
  );
  if (!stray) return;
  const { key } = stray;
  if (!(await salesByKey(workspace, [key])).has(key))
    throw damagedFile({ path: workspace.database.place, busyWaitMs: 0 }, `no page has the sale ${key}`);
  const { channel } = nameOfKey(key);
  const sales = await countOfChannel(workspace, channel);
  throw new TieoutError({
    code: 'E_CHANNEL_UNKNOWN',
    recovery: 'fix-config',
    message: `the workspace holds ${sales} ${sales === 1 ? 'sale' : 'sales'} of the channel "${channel}", which the configuration does not name`,
    nextStep: 'Name the channel as it was named before, or begin with another workspace database',
  });
};
