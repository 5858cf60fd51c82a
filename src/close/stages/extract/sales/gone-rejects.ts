import { CONTRADICTED } from '../../../sales/record-id.ts';
import type { SetAside } from '../../../sales/sale.ts';
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

/** What was said of a record that stood more than once, by its key. */
export type Contradictions = ReadonlyMap<string, SetAside['reason']>;

/**
 * Forget the rejected records that are found again, as sales or set aside. Where no sale is missing all are forgotten: who
 * takes nothing but rejected rows out of an export has settled them. Of a record that stood more than once a copy is found as
 * a sale: where sales are missing of the days that were read, the other copy is missing like them. Gives those.
 *
 * @param conflicts records of which this load has several copies
 */
export const forgetFoundRejects = async (
  load: OpenLoad,
  conflicts: ReadonlySet<string>,
): Promise<Contradictions> => {
  const { workspace, channel, number } = load;
  const { tables, entity } = workspace;
  const sales = tables
    .selectFrom('sale')
    .where('entity', '=', entity)
    .where(isOf(channel.name))
    .where('file', 'is not', null);
  const { since, missing } = await sales
    .select(({ fn, eb }) => [
      fn.min(eb.case().when('load', '=', number).then(eb.ref('business_date')).end()).as('since'),
      fn.max(eb.case().when('load', '<', number).then(eb.ref('business_date')).end()).as('missing'),
    ])
    .executeTakeFirstOrThrow();
  // An export of the last days lacks those before them, and nothing is missing in it.
  const isCut = missing !== null && since !== null && missing >= since;
  const left = isCut ? await contradictedBefore(load) : [];
  const held = new Map([...left].filter(([key]) => !conflicts.has(key)));
  await tables
    .deleteFrom('set_aside')
    .where('entity', '=', entity)
    .where('channel', '=', channel.name)
    .where('gone', '=', 1)
    .$if(held.size > 0, (query) => query.where('key', 'not in', [...held.keys()]))
    .$if(missing !== null, (query) =>
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
  return held;
};

/** The records that stood more than once before this load, and of which it has found a copy, but not in a newer file. */
const contradictedBefore = async ({
  workspace: { tables, entity },
  channel,
  number,
  sources,
}: OpenLoad): Promise<Contradictions> => {
  const rows = await tables
    .selectFrom('set_aside')
    .innerJoin('sale', (join) =>
      join.onRef('sale.entity', '=', 'set_aside.entity').onRef('sale.key', '=', 'set_aside.key'),
    )
    .select(['set_aside.key', 'set_aside.body', 'set_aside.file', 'sale.file as place'])
    .where('set_aside.entity', '=', entity)
    .where('set_aside.channel', '=', channel.name)
    .where('set_aside.gone', '=', 1)
    .where('set_aside.code', 'in', [...CONTRADICTED])
    .where('sale.load', '=', number)
    .execute();
  const age = new Map(sources.map(({ name }, index) => [name, index]));
  return new Map(
    rows
      .filter(({ file, place }) => (place ?? 0) <= (age.get(file) ?? 0))
      .map(({ key, body }) => [key, (JSON.parse(body) as SetAside).reason]),
  );
};
