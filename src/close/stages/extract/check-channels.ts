import { damagedFile } from '../../../database/sqlite-errors.ts';
import { TieoutError } from '../../../kernel/errors.ts';
import type { Configuration } from '../../configuration/schema.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/**
 * A channel that is renamed or dropped would leave its sales behind, posted under a name no one looks for any more.
 *
 * @throws {TieoutError} E_CHANNEL_UNKNOWN; E_DATABASE_DAMAGED where a sale's key, which begins with its channel, has another
 */
export const checkChannels = async (workspace: Workspace, { channels }: Configuration): Promise<void> => {
  const names = channels.map(({ name }) => name);
  const stray = await workspace.tables
    .selectFrom('sale')
    .select(({ fn }) => ['channel', fn.min('key').as('key'), fn.countAll<number>().as('sales')])
    .where('entity', '=', workspace.entity)
    .where('channel', 'not in', names)
    .groupBy('channel')
    .orderBy('channel')
    .executeTakeFirst();
  if (!stray) return;
  if (!stray.key.startsWith(`${stray.channel}/`)) {
    const reason = `the sale ${stray.key} stands under the channel "${stray.channel}"`;
    throw damagedFile({ path: workspace.database.place, busyWaitMs: 0 }, reason);
  }
  throw new TieoutError({
    code: 'E_CHANNEL_UNKNOWN',
    recovery: 'fix-config',
    message: `the workspace holds ${stray.sales} ${Number(stray.sales) === 1 ? 'sale' : 'sales'} of the channel "${stray.channel}", which the configuration does not name`,
    nextStep: 'Name the channel as it was named before, or begin with another workspace database',
  });
};
