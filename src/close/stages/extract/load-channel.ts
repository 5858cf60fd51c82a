import { batches } from '../../../runtime/batches.ts';
import type { Profile } from '../../sales/profile.ts';
import { readRefundDates } from '../../sales/read-refund-dates.ts';
import { isRefundDatesProfile } from '../../sales/shipped-profiles.ts';
import { setAsideRow } from '../../workspace/sale-rows.ts';
import { BATCH_ROWS, type WorkspaceQueries } from '../../workspace/workspace.ts';
import type { Advanced } from '../close-ports.ts';
import { type ChannelLoad, ownerOf, type Tally } from './channel-load.ts';
import { deriveRefunds } from './derive-refunds.ts';
import { linkRefunds } from './link-refunds.ts';
import { detected, openSales } from './open-sales.ts';
import { refuseConflicts } from './refuse-conflicts.ts';
import { repaymentCounter } from './repayment-rows.ts';
import type { SourceFile } from './source-file.ts';
import { storeBatch } from './store-batch.ts';

/**
 * Read all files of a channel into the workspace, in batches. It can be stopped anywhere and started again: what
 * tells that it is done, the digest of the load, is written last.
 */
export const loadChannel = async (load: ChannelLoad, advanced: Advanced): Promise<void> => {
  const { workspace, channel } = load;
  await workspace.together((tables) => forgetPlaces(load, tables));
  for (const file of load.companions) await loadRefundDates(load, file);
  const conflicts = new Set<string>();
  for (const file of load.sources) await loadFile(load, file, conflicts, advanced);
  await refuseConflicts(load, conflicts);
  await deriveRefunds(load);
  await linkRefunds(load);
  await workspace.upsert('source_load', [
    { entity: workspace.entity, channel: channel.name, digest: load.load },
  ]);
};

/**
 * What is said of files is said anew by every load. Sales and repayments stay: a record that is not in the files of
 * this load is not gone. An attempt at this very load that was cut off must not pass for a first reading.
 */
const forgetPlaces = async (
  { workspace, channel, load }: ChannelLoad,
  tables: WorkspaceQueries,
): Promise<void> => {
  for (const table of ['set_aside', 'source_file'] as const) {
    await tables
      .deleteFrom(table)
      .where('entity', '=', workspace.entity)
      .where('channel', '=', channel.name)
      .execute();
  }
  await tables
    .updateTable('sale')
    .set({ load: '' })
    .where('entity', '=', workspace.entity)
    .where('channel', '=', channel.name)
    .where('load', '=', load)
    .execute();
};

const loadRefundDates = async (load: ChannelLoad, file: SourceFile): Promise<void> => {
  const { workspace } = load;
  const found = await detected(load, file, isRefundDatesProfile);
  const tally: Tally = { rows: 0, used: 0, ignored: 0, rejected: 0 };
  const { timeZone } = load.configuration;
  const zones = { timeZone, channelZone: load.channel.timeZone ?? timeZone };
  const rowOf = repaymentCounter(load);
  for await (const batch of batches(readRefundDates(file, found, found.profile, zones), BATCH_ROWS)) {
    const dates = batch.flatMap((row) => (row.kind === 'refund' ? [row.date] : []));
    const asides = batch.flatMap((row) =>
      row.kind === 'rejected' ? [setAsideRow(ownerOf(load), row.aside)] : [],
    );
    await workspace.together(async (tables) => {
      await workspace.upsert('refund_date', dates.map(rowOf), tables);
      await workspace.upsert('set_aside', asides, tables);
    });
    tally.rows += batch.length;
    tally.used += dates.length;
    tally.rejected += asides.length;
    tally.ignored += batch.length - dates.length - asides.length;
  }
  await storeFile(load, file, found, tally);
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
  const sales = await openSales(load, file);
  for await (const batch of batches(sales.records(), BATCH_ROWS)) {
    await storeBatch(load, batch, conflicts, tally, sales.profile.shape.parts);
    advanced(tally.rows);
  }
  await storeFile(load, file, sales, tally);
};
