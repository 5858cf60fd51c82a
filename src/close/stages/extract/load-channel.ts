import { missingRefundColumns } from '../../sales/refund-columns.ts';
import { beginLoad, keepLoad, lastLoad } from '../../workspace/loads.ts';
import { forgetCopies } from '../../workspace/repayments.ts';
import { keepSourceFiles, sourceFilesOf } from '../../workspace/source-files.ts';
import { changedDays, writeSalePages } from '../../workspace/write-sale-pages.ts';
import type { Advanced } from '../run/close-ports.ts';
import { isEnoughFor } from '../sharing/export-readers.ts';
import { type FileToRead, type LoadedFile, loadFile } from './blocks/load-file.ts';
import { type LoadedCompanion, loadCompanion } from './companions/load-companion.ts';
import { useTaxReports } from './companions/use-tax-reports.ts';
import { accountForFiles, noOutcomes } from './reading/account-for-files.ts';
import type { ChannelLoad, OpenLoad } from './reading/channel-load.ts';
import { dayNotices } from './reading/file-days.ts';
import { openExport } from './reading/open-export.ts';
import { sourceFileRow } from './reading/read-file.ts';
import { noteReadingZones } from './reading/reading-zones.ts';
import { repairedRows } from './reading/repaired-rows.ts';
import { type LeftOut, readLeftOut } from './reading/sort-sources.ts';
import { refuseChanged } from './reading/source-file.ts';
import { deriveRefunds } from './refunds/derive-refunds.ts';
import { findRefundedParts } from './refunds/find-refunded-parts.ts';
import { linkRefunds } from './refunds/link-refunds.ts';
import { forgetFoundRejects } from './sales/gone-rejects.ts';
import { holdUnplaced } from './sales/hold-unplaced.ts';
import { postDecided } from './sales/post-decided.ts';
import type { Ambiguous } from './sales/prepare-batch.ts';
import { settleNumbers } from './sales/settle-numbers.ts';

/**
 * Read the files of a channel into the workspace, in batches. It can be interrupted and restarted at any point: the
 * digest of the load, which marks it as complete, is written last.
 */
export const loadChannel = async (channelLoad: ChannelLoad, advanced: Advanced): Promise<void> => {
  const given = { ...channelLoad, repaired: await repairedRows(channelLoad) };
  const { workspace } = given;
  const toRead: FileToRead[] = [];
  for (const [index, file] of given.sources.entries())
    toRead.push({ index, file, sales: await openExport(given, file) });
  const known = (await sourceFilesOf(workspace)).filter(({ channel }) => channel === given.channel.name);
  const readBefore = {
    number: (await lastLoad(given))?.number,
    digests: new Map(known.map(({ path, sha256 }) => [path, sha256])),
  };
  const begun = await workspace.together(async (within) => ({
    number: await beginLoad({ ...given, workspace: within }),
    earlierInstants: await noteReadingZones({ ...given, workspace: within }),
  }));
  const load: OpenLoad = { ...given, ...begun };
  const companions: LoadedCompanion[] = [];
  for (const file of given.companions) companions.push(await loadCompanion(load, file));
  for (const file of given.leftOut) await noteLeftOut(load, file);
  const ambiguous: Ambiguous = { contested: new Set(), rejects: new Map() };
  const files: LoadedFile[] = [];
  for (const file of toRead) files.push(await loadFile(load, file, ambiguous, advanced));
  await refuseChanged([...given.sources, ...given.companions, ...given.leftOut.map(({ file }) => file)]);
  const places = new Set(files.flatMap(({ read }) => read.places));
  const profiles = toRead.map(({ sales }) => sales.profile);
  const reads = files.map(({ read }) => read);
  await settleNumbers(load, ambiguous, reads, readBefore);
  await forgetFoundRejects(load);
  await holdUnplaced(load, places);
  const compared = await useTaxReports(load, companions);
  if (profiles.some(({ shape }) => shape.parts)) await findRefundedParts(load);
  const decided = await postDecided(load);
  await forgetCopies(load);
  const silent = files.filter(({ read }) => !read.tellsRefunds).map(({ read }) => read.file.name);
  await deriveRefunds(load, new Set(silent));
  await linkRefunds(load, decided);
  await writePages(load, files, advanced);
  const outcomes = await accountForFiles(load, reads);
  await keepSourceFiles(
    workspace,
    companions.map(({ file, outcomes }) =>
      sourceFileRow(load, { ...file, notices: [...file.notices, ...(compared.get(file) ?? [])] }, outcomes),
    ),
  );
  const together = dayNotices(
    files.map(({ read: { file, profile, header, days, undated }, toRead: { sales } }) => {
      const noRefunds = missingRefundColumns(sales.profile, header);
      return { name: file.name, profile, days, undated, noRefunds };
    }),
    companions.some(({ kind }) => kind === 'refund-dates'),
  );
  await keepSourceFiles(
    workspace,
    files.map(({ read }) => {
      const notices = [...read.notices, ...(together.get(read.file.name) ?? [])];
      return sourceFileRow(load, { ...read, notices }, outcomes.get(read.file.name) ?? noOutcomes(0));
    }),
  );
  await workspace.together((within) => keepLoad({ ...load, workspace: within }, load.digest));
};

/** Write the pages of the sales that were read: by workers, if the files are large. */
const writePages = async (
  { workspace, readers, sources }: OpenLoad,
  files: readonly LoadedFile[],
  advanced: Advanced,
): Promise<void> => {
  const writeDay = readers?.writeDay;
  if (
    readers &&
    writeDay &&
    isEnoughFor(
      readers,
      sumOf(sources, ({ bytes }) => bytes),
    )
  ) {
    const rows = sumOf(files, ({ read }) => read.whole.rows);
    const days = await changedDays(workspace);
    await Promise.all(days.map((day) => writeDay(day, () => advanced(rows))));
  }
  await writeSalePages(workspace);
};

const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

const noteLeftOut = async (load: ChannelLoad, given: LeftOut): Promise<void> => {
  const file = await readLeftOut(given);
  const outcomes = noOutcomes(0);
  outcomes.ignored.records = file.whole.rows;
  outcomes.ignored.rows = file.whole.rows;
  await keepSourceFiles(load.workspace, [sourceFileRow(load, file, outcomes)]);
};
