import { besideNext } from '../../../runtime/batches.ts';
import { placesNotice } from '../../sales/place-meter.ts';
import { writeSalePages } from '../../workspace/sale-pages.ts';
import type { WorkspaceQueries } from '../../workspace/workspace.ts';
import type { Advanced } from '../close-ports.ts';
import { accountForFiles, noOutcomes } from './account-for-files.ts';
import type { ChannelLoad, OpenLoad } from './channel-load.ts';
import { deriveRefunds } from './derive-refunds.ts';
import { dayCounter, dayNotices } from './file-days.ts';
import { endNotices, framingNotices } from './file-notices.ts';
import { holdUnplaced } from './hold-unplaced.ts';
import { linkRefunds } from './link-refunds.ts';
import { type LoadedCompanion, loadCompanion } from './load-companion.ts';
import { openExport } from './open-export.ts';
import { postDecided } from './post-decided.ts';
import { type ReadSales, readFile, sourceFileRow } from './read-file.ts';
import { noteReadingZones } from './reading-zones.ts';
import { refuseConflicts } from './refuse-conflicts.ts';
import { inOrderOfRepair, repairedRows } from './repaired-rows.ts';
import { type LeftOut, readLeftOut } from './sort-sources.ts';
import type { SourceFile } from './source-file.ts';
import { storeBatch } from './store-batch.ts';
import { supersedeRejects } from './supersede-rejects.ts';
import { useTaxReports } from './use-tax-reports.ts';

/**
 * Read all files of a channel into the workspace, in batches. It can be stopped anywhere and started again: what
 * tells that it is done, the digest of the load, is written last.
 */
export const loadChannel = async (given: ChannelLoad, advanced: Advanced): Promise<void> => {
  const repaired = await repairedRows(given);
  const { workspace, channel } = given;
  const begun = await workspace.together(async (tables) => ({
    load: await beginLoad(given, tables),
    earlierInstants: await noteReadingZones(given, tables),
  }));
  const load = { ...given, ...begun, repaired, sources: inOrderOfRepair(given.sources, repaired) };
  const companions: LoadedCompanion[] = [];
  for (const file of load.companions) companions.push(await loadCompanion(load, file));
  for (const file of load.leftOut) await noteLeftOut(load, file);
  const conflicts = new Set<string>();
  const places = new Set<string>();
  const files: ReadSales[] = [];
  for (const [index, file] of load.sources.entries())
    files.push(await loadFile(load, file, { index, conflicts, places }, advanced));
  await supersedeRejects(load);
  await refuseConflicts(load, conflicts);
  await holdUnplaced(load, places);
  const compared = await useTaxReports(load, companions);
  await postDecided(load);
  const silent = files.filter(({ tellsRefunds }) => !tellsRefunds).map(({ file }) => file.name);
  await deriveRefunds(load, new Set(silent));
  await linkRefunds(load);
  await writeSalePages(workspace);
  const outcomes = await accountForFiles(load, files);
  await workspace.upsert(
    'source_file',
    companions.map(({ file, outcomes }) =>
      sourceFileRow(load, { ...file, notices: [...file.notices, ...(compared.get(file) ?? [])] }, outcomes),
    ),
  );
  const together = dayNotices(
    files.map(({ file, profile, days, undated }) => ({ name: file.name, profile, days, undated })),
    companions.some(({ kind }) => kind === 'refund-dates'),
  );
  await workspace.upsert(
    'source_file',
    files.map((file) => {
      const notices = [...file.notices, ...(together.get(file.file.name) ?? [])];
      return sourceFileRow(load, { ...file, notices }, outcomes.get(file.file.name) ?? noOutcomes(0));
    }),
  );
  await workspace.upsert('source_load', [
    { entity: workspace.entity, channel: channel.name, digest: load.digest, number: load.load },
  ]);
};

/**
 * What is said of files is said again by every load, and from now on no load is done: files that were read before this
 * one are read again when they are put back. Sales and repayments stay: a record that is not in the files of
 * this load is not gone. Each attempt has a number of its own: one that was cut off does not pass for a first reading.
 */
const beginLoad = async (
  { workspace, channel: { name: channel } }: ChannelLoad,
  tables: WorkspaceQueries,
): Promise<number> => {
  const { entity, upsert } = workspace;
  for (const table of ['set_aside', 'source_file', 'tax_report'] as const)
    await tables.deleteFrom(table).where('entity', '=', entity).where('channel', '=', channel).execute();
  const { last } = await tables
    .selectFrom('source_load')
    .select(({ fn }) => fn.max('number').as('last'))
    .where('entity', '=', entity)
    .executeTakeFirstOrThrow();
  const number = Number(last ?? 0) + 1;
  await upsert('source_load', [{ entity, channel, digest: '', number }], tables);
  return number;
};

const noteLeftOut = async (load: ChannelLoad, given: LeftOut): Promise<void> => {
  const file = await readLeftOut(given);
  const outcomes = noOutcomes(0);
  outcomes.ignored.records = file.whole.rows;
  outcomes.ignored.rows = file.whole.rows;
  await load.workspace.upsert('source_file', [sourceFileRow(load, file, outcomes)]);
};

/** The place of a file in the order of reading, and what is gathered from all of them. */
type FileNotes = { readonly index: number } & Readonly<Record<'conflicts' | 'places', Set<string>>>;

const loadFile = async (
  load: OpenLoad,
  file: SourceFile,
  { index, conflicts, places }: FileNotes,
  advanced: Advanced,
): Promise<ReadSales> => {
  const sales = await openExport(load, file);
  const framing = framingNotices(sales.headerLine);
  const counter = dayCounter();
  const end = endNotices();
  await besideNext(sales.records(), async (batch) => {
    await storeBatch(load, { ...sales, file: index }, batch, conflicts);
    for (const read of batch) {
      framing.see(read);
      counter.see(read);
      end.see(read);
      // A row of sums, or of what is not a sale, may name anything.
      if (!('outcome' in read.record)) for (const row of read.group.rows) sales.places.pass(row);
    }
    advanced(sales.meter.whole().rows);
  });
  const named = sales.places.names();
  for (const name of named) places.add(name);
  const notices = [
    ...(file.form.kind === 'workbook' ? sales.notices : end.with(sales.notices)),
    ...placesNotice(named, load.channel.locations),
    ...framing.notices(sales.meter.whole().rows),
  ];
  return { ...readFile(file, sales, sales.meter, notices), ...counter.found() };
};
