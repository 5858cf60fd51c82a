import { batches } from '../../../runtime/batches.ts';
import type { Profile } from '../../sales/profile.ts';
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
  const { profile, header, headerLine } = await detected(load, file, isRefundDatesProfile);
  if (!isRefundDatesProfile(profile)) return;
  const tally: Tally = { rows: 0, used: 0, ignored: 0, rejected: 0 };
  const identity = { entity: workspace.entity, channel: channel.name, file: file.name };
  for await (const batch of batches(readRefundDates(file, header, headerLine, profile), BATCH_ROWS)) {
    const dates = batch.flatMap((row) => (row.kind === 'refund' ? [row.date] : []));
    const asides = batch.flatMap((row) =>
      row.kind === 'rejected' ? [setAsideRow(ownerOf(load), row.aside)] : [],
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
    tally.rows += batch.length;
    tally.used += dates.length;
    tally.rejected += asides.length;
    tally.ignored += batch.length - dates.length - asides.length;
  }
  await storeFile(load, file, { profile, header }, tally);
};

const storeFile = (
  { workspace, channel }: ChannelLoad,
  { name, sha256, bytes }: SourceFile,
  { profile, header }: { readonly profile: Profile; readonly header: readonly string[] },
  tally: Tally,
): Promise<void> =>
  workspace.upsert('source_file', [
    {
      entity: workspace.entity,
      channel: channel.name,
      path: name,
      sha256,
      bytes,
      profile: `${profile.id}@${profile.version}`,
      header: JSON.stringify(header),
      ...tally,
    },
  ]);

const loadFile = async (
  load: ChannelLoad,
  file: SourceFile,
  conflicts: Set<string>,
  advanced: Advanced,
): Promise<void> => {
  const tally: Tally = { rows: 0, used: 0, ignored: 0, rejected: 0 };
  const { groups, profile, header, context, read } = await openSales(load, file);
  for await (const batch of batches(groups, BATCH_ROWS)) {
    const records = batch.map((group) => readSale(group, profile, read, context));
    await storeBatch(load, records, conflicts, tally, batch);
    advanced(tally.rows);
  }
  await storeFile(load, file, { profile, header }, tally);
};
