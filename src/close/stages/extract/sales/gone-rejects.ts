import { isOf } from '../../../workspace/sale-key.ts';
import type { WorkspaceQueries } from '../../../workspace/workspace.ts';
import type { ChannelLoad, OpenLoad } from '../reading/channel-load.ts';

/**
 * What was set aside is said again by a load that reads everything. Rejected records that have a name are kept beside
 * until they are found again: an export that was cut short may not have them.
 */
export const setRejectsBeside = async (
  { workspace: { entity }, channel: { name: channel } }: ChannelLoad,
  tables: WorkspaceQueries,
): Promise<void> => {
  const asides = tables.deleteFrom('set_aside').where('entity', '=', entity).where('channel', '=', channel);
  // What was kept before of a place gives way to what stands there.
  await asides
    .where('gone', '=', 1)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('set_aside as now')
          .select('now.line')
          .where('now.gone', '=', 0)
          .whereRef('now.entity', '=', 'set_aside.entity')
          .whereRef('now.channel', '=', 'set_aside.channel')
          .whereRef('now.file', '=', 'set_aside.file')
          .whereRef('now.line', '=', 'set_aside.line'),
      ),
    )
    .execute();
  await tables
    .updateTable('set_aside')
    .set({ gone: 1 })
    .where('entity', '=', entity)
    .where('channel', '=', channel)
    .where('gone', '=', 0)
    .where('outcome', '=', 'rejected')
    .where('key', '<>', '')
    .execute();
  await asides.where('gone', '=', 0).execute();
};

/**
 * Forget the rejected records that are found again, as sales or set aside. Where no sale is missing all are forgotten: who
 * takes nothing but rejected rows out of an export has settled them.
 */
export const forgetFoundRejects = async ({ workspace, channel, number }: OpenLoad): Promise<void> => {
  const { tables, entity } = workspace;
  const missing = await tables
    .selectFrom('sale')
    .select('key')
    .where('entity', '=', entity)
    .where(isOf(channel.name))
    .where('load', '<', number)
    .where('file', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  await tables
    .deleteFrom('set_aside')
    .where('entity', '=', entity)
    .where('channel', '=', channel.name)
    .where('gone', '=', 1)
    .$if(missing !== undefined, (query) =>
      query.where(({ or, exists, selectFrom }) =>
        or([
          exists(
            selectFrom('sale')
              .select('sale.key')
              .whereRef('sale.entity', '=', 'set_aside.entity')
              .whereRef('sale.key', '=', 'set_aside.key'),
          ),
          exists(
            selectFrom('set_aside as now')
              .select('now.key')
              .where('now.gone', '=', 0)
              .whereRef('now.entity', '=', 'set_aside.entity')
              .whereRef('now.channel', '=', 'set_aside.channel')
              .whereRef('now.key', '=', 'set_aside.key'),
          ),
        ]),
      ),
    )
    .execute();
};
