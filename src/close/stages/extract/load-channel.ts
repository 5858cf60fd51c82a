import { ExportError } from '../../sales/export-error.ts';
import { missingRefundColumns } from '../../sales/refund-columns.ts';
import { beginLoad, keepLoad, lastLoad } from '../../workspace/loads.ts';
import { forgetCopies } from '../../workspace/repayments.ts';
import { keepSourceFiles, sourceFilesOf } from '../../workspace/source-files.ts';
import { changedDays, writeSalePages } from '../../workspace/write-sale-pages.ts';
import type { Advanced } from '../run/close-ports.ts';
import { isEnoughFor } from '../sharing/export-readers.ts';
import {
  canBeReadAgain,
  type FileToRead,
  fileToRead,
  haveSamePlaces,
  keepBlocks,
  type LoadBefore,
  loadBefore,
} from './blocks/kept-blocks.ts';
import { type LoadedFile, loadFile } from './blocks/load-file.ts';
import { haveRejects, joinGaps, liftGaps } from './blocks/read-again.ts';
import { type LoadedCompanion, loadCompanion } from './companions/load-companion.ts';
import { useTaxReports } from './companions/use-tax-reports.ts';
import { accountForFiles, noOutcomes } from './reading/account-for-files.ts';
import type { ChannelLoad, OpenLoad, RepairedLoad } from './reading/channel-load.ts';
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
 * digest of the load, which marks it as complete, is written last. If the previous load read the same files, only
 * changed parts are read, unless the result might differ from that of a full reading.
 */
export const loadChannel = async (given: ChannelLoad, advanced: Advanced): Promise<void> => {
  const load = { ...given, repaired: await repairedRows(given) };
  const before = await loadBefore(load);
  if (before && (await isLoadedAgain(load, before, advanced))) return;
  await loadFiles(load, undefined, advanced);
};

/**
 * A part of a file may be unreadable although the whole file is not, for example if a quote is closed after the part.
 */
const isLoadedAgain = async (
  load: RepairedLoad,
  before: LoadBefore,
  advanced: Advanced,
): Promise<boolean> => {
  try {
    return await loadFiles(load, before, advanced);
  } catch (error) {
    if (error instanceof ExportError) return false;
    throw error;
  }
};

const loadFiles = async (
  given: RepairedLoad,
  before: LoadBefore | undefined,
  advanced: Advanced,
): Promise<boolean> => {
  const { workspace } = given;
  const toRead: FileToRead[] = [];
  for (const [index, file] of given.sources.entries())
    toRead.push(await fileToRead(given, index, file, await openExport(given, file), before));
  if (before && (!canBeReadAgain(toRead) || (await haveRejects(given, toRead)))) return false;
  const known = (await sourceFilesOf(workspace)).filter(({ channel }) => channel === given.channel.name);
  const readBefore = {
    number: (await lastLoad(given))?.number,
    digests: new Map(known.map(({ path, sha256 }) => [path, sha256])),
  };
  const begun = await workspace.together(async (within) => ({
    number: await beginLoad({ ...given, workspace: within }, before === undefined),
    earlier: before?.number,
    earlierInstants: await noteReadingZones({ ...given, workspace: within }),
  }));
  const reading: OpenLoad = { ...given, ...begun };
  const lifted =
    before && (await workspace.together((within) => liftGaps({ ...reading, workspace: within }, toRead)));
  const companions: LoadedCompanion[] = [];
  for (const file of given.companions) companions.push(await loadCompanion(reading, file));
  for (const file of given.leftOut) await noteLeftOut(reading, file);
  const ambiguous: Ambiguous = { contested: new Set(), outsideGaps: new Set(), rejects: new Map() };
  const files: LoadedFile[] = [];
  for (const file of toRead) files.push(await loadFile(reading, file, ambiguous, advanced));
  await refuseChanged([...given.sources, ...given.companions, ...given.leftOut.map(({ file }) => file)]);
  const places = new Set(files.flatMap(({ read }) => read.places));
  if (before && lifted) {
    const isSame = files.every(({ isWhole }) => isWhole) && haveSamePlaces(before, places);
    if (!isSame || !(await joinGaps(reading, lifted, toRead, ambiguous))) return false;
  }
  const load = { ...reading, number: before?.number ?? reading.number };
  const profiles = toRead.map(({ sales }) => sales.profile);
  const reads = files.map(({ read }) => read);
  await settleNumbers(load, ambiguous, reads, readBefore);
  if (!before) await forgetFoundRejects(load);
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
  await workspace.together(async (within) => {
    const inside = { ...load, workspace: within };
    // Which record a contested number means depends on all files, so then no part of them is read by itself.
    if (ambiguous.contested.size === 0)
      for (const { toRead: file, blocks } of files) await keepBlocks(inside, file, blocks);
    await keepLoad(inside, load.digest);
  });
  return true;
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
