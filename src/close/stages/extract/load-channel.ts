import { batches } from '../../../runtime/batches.ts';
import { readRefundDates } from '../../sales/read-refund-dates.ts';
import { readSale } from '../../sales/read-sale.ts';
import { isRefundDatesProfile } from '../../sales/shipped-profiles.ts';
import { setAsideRow } from '../../workspace/sale-rows.ts';
import { BATCH_ROWS, type WorkspaceQueries } from '../../workspace/workspace.ts';
import type { Advanced } from '../close-ports.ts';
import { addRefundsWithoutOrder } from './add-refunds-without-order.ts';
import { type ChannelLoad, ownerOf, type Tally } from './channel-load.ts';
import { detected, openSales } from './open-sales.ts';
import { refuseConflicts } from './refuse-conflicts.ts';
import type { SourceFile } from './source-file.ts';
import { storeBatch } from './store-batch.ts';

/**
 * Read all files of a channel into the workspace, in batches. It can be stopped anywhere and started again: what
 * tells that it is done, the digest of the load, is written last.
 */
export const loadChannel = async (load: ChannelLoad, advanced: Advanced): Promise<void> => {
  const { workspace, channel } = load;
  const own = (tables: WorkspaceQueries, table: 'set_aside' | 'refund_date' | 'source_file') =>
    tables
      .deleteFrom(table)
      .where('entity', '=', workspace.entity)
      .where('channel', '=', channel.name)
      .execute();
  await workspace.together(async (tables) => {
    for (const table of ['set_aside', 'refund_date', 'source_file'] as const) await own(tables, table);
  });

  for (const file of load.companions) await loadRefundDates(load, file);
  const conflicts = new Set<string>();
  for (const file of load.sources) await loadFile(load, file, conflicts, advanced);
  await refuseConflicts(load, conflicts);
  await addRefundsWithoutOrder(load);
  await workspace.upsert('source_load', [
    { entity: workspace.entity, channel: channel.name, digest: load.load },
  ]);
};

const loadRefundDates = async (load: ChannelLoad, file: SourceFile): Promise<void> => {
  const { workspace, channel } = load;
  const found = await detected(load, file, isRefundDatesProfile);
  if (!isRefundDatesProfile(found.profile)) return;
  const read = readRefundDates(file, found.header, found.headerLine, found.profile);
  const identity = { entity: workspace.entity, channel: channel.name, file: file.name };
  for await (const batch of batches(read, BATCH_ROWS)) {
    const dates = batch.flatMap((record) => ('amount' in record ? [record] : []));
    const asides = batch.flatMap((record) =>
      'outcome' in record ? [setAsideRow(ownerOf(load), record)] : [],
    );
    await workspace.together(async (tables) => {
      const rows = dates.map(({ order, instant, amount, origin }) => ({
        ...identity,
        line: origin.line,
        order_id: order,
        instant,
        amount,
      }));
      await workspace.upsert('refund_date', rows, tables);
      await workspace.upsert('set_aside', asides, tables);
    });
  }
};

const loadFile = async (
  load: ChannelLoad,
  file: SourceFile,
  conflicts: Set<string>,
  advanced: Advanced,
): Promise<void> => {
  const { workspace, channel } = load;
  const tally: Tally = { rows: 0, used: 0, ignored: 0, rejected: 0 };
  const { groups, profile, context, read } = await openSales(load, file);
  for await (const batch of batches(groups, BATCH_ROWS)) {
    const records = batch.map((group) => readSale(group, profile, read, context));
    await storeBatch(load, records, conflicts, tally, batch);
    advanced(tally.rows);
  }
  await workspace.upsert('source_file', [
    {
      entity: workspace.entity,
      channel: channel.name,
      path: file.name,
      sha256: file.sha256,
      bytes: file.bytes,
      profile: `${profile.id}@${profile.version}`,
      ...tally,
    },
  ]);
};
