import type { Json } from '../../../../kernel/digest.ts';
import { withReadAhead } from '../../../../runtime/batches.ts';
import { inOrder } from '../../../../runtime/in-order.ts';
import type { TextPart } from '../../../sales/files/table-heads.ts';
import type { TableRow } from '../../../sales/files/table-row.ts';
import { placesNotice } from '../../../sales/read-ship-to.ts';
import type { Advanced } from '../../run/close-ports.ts';
import { type ExportReaders, isEnoughFor } from '../../sharing/export-readers.ts';
import type { OpenLoad } from '../reading/channel-load.ts';
import { addedNotes } from '../reading/file-notes.ts';
import { endNotices, noRowsNotice, refuseUnequal } from '../reading/file-notices.ts';
import type { OpenExport } from '../reading/open-export.ts';
import { type ReadSales, readFile } from '../reading/read-file.ts';
import { offsetNotices } from '../reading/stated-offsets.ts';
import { type Ambiguous, prepareBatch, type RecordBatch } from '../sales/prepare-batch.ts';
import type { PreparedRecord } from '../sales/prepared-record.ts';
import { type Block, blocksOf, type Gap, isDivisible, placeOfLine } from './file-blocks.ts';
import { blockNotes, type FileToRead, type ReadPart } from './kept-blocks.ts';
import type { SharedRecords, ShareToRead } from './read-share.ts';
import { type PartShare, sharesOf } from './shares.ts';

/** A file of sales, with all of its blocks. */
export type LoadedFile = {
  readonly read: ReadSales;
  readonly toRead: FileToRead;
  readonly blocks: readonly Block[];
  /** Whether the records of its gaps fit between the kept blocks. */
  readonly isWhole: boolean;
};

/** Read the gaps of a file into the workspace, in batches. */
export const loadFile = async (
  load: OpenLoad,
  toRead: FileToRead,
  ambiguous: Ambiguous,
  advanced: Advanced,
): Promise<LoadedFile> => {
  const { file, sales, same, gaps } = toRead;
  const found: Block[] = [];
  let isFitting = true;
  for (const gap of gaps) {
    const blocks = await loadGap(load, toRead, gap, ambiguous, advanced);
    found.push(...blocks);
    isFitting &&= gap.lastStart === undefined || blocks.at(-1)?.notes.lastStart === gap.lastStart;
  }
  const blocks = [...same, ...found].sort((one, other) => one.line - other.line);
  const { columns } = sales.meter;
  const notes = addedNotes(
    blocks.map((block) => block.notes),
    columns.length,
    file.place,
  );
  refuseUnequal(notes.arithmetic, file.place, sales.profile.id);
  const { days, undated, places } = notes;
  const notices = [
    ...(file.form.kind === 'workbook' ? sales.notices : endNotices(notes.last, sales.notices)),
    ...placesNotice(places, load.channel.locations),
    ...offsetNotices(notes.offsets, load.configuration.timeZone),
    ...noRowsNotice(notes.whole.rows),
  ];
  const read = { ...readFile(file, sales, { columns, ...notes }, notices), days, undated, places };
  return { read, toRead, blocks, isWhole: isFitting };
};

const loadGap = async (
  load: OpenLoad,
  toRead: FileToRead,
  gap: Gap,
  ambiguous: Ambiguous,
  advanced: Advanced,
): Promise<readonly Block[]> => {
  const { index, file, sales, basis } = toRead;
  const read = blockNotes(gap, toRead, load.recordsOfBlock);
  let rows = 0;
  await withReadAhead(recordsOf(load, toRead, gap, advanced), async (batch) => {
    const write = await prepareBatch(load, { ...sales, file: index }, batch.records, ambiguous);
    return async () => {
      await write();
      read.add(batch);
      rows += batch.notes.whole.rows;
      advanced(rows);
    };
  });
  return blocksOf(basis, file, gap, read.end());
};

type LoadedBatch = ReadPart & { readonly records: RecordBatch };

/** The fewest shares of a gap. */
const SHARES_MIN = 8;

/**
 * Yields the records of a gap. Threads or workers read a large gap in shares, as long as these fit together; this thread
 * reads the rest.
 */
async function* recordsOf(
  load: OpenLoad,
  toRead: FileToRead,
  gap: Gap,
  advanced: Advanced,
): AsyncGenerator<LoadedBatch> {
  const { file, sales } = toRead;
  let left: TextPart | undefined = gap;
  const readers = readersFor(load, toRead, gap);
  if (readers) left = yield* sharedRecords(load, readers, toRead, gap, advanced);
  if (!left) return;
  const isAll = left.from === 0 && left.to === file.bytes;
  for await (const { records, notes } of sales.records(isAll ? undefined : left)) {
    const line = records[0]?.group.rows[0]?.line ?? left.line;
    yield { line, records: { records }, count: records.length, notes };
  }
}

/** Returns the readers if a gap is large enough for them and each of its records can be read on its own. */
const readersFor = (
  { readers, repaired }: OpenLoad,
  { file, sales: { profile } }: FileToRead,
  { from, to }: Gap,
): ExportReaders | undefined => {
  const isShared =
    readers !== undefined &&
    isDivisible(file) &&
    isEnoughFor(readers, to - from) &&
    !profile.shape.parts &&
    repaired.originals.size === 0 &&
    (repaired.places.get(file.sha256)?.size ?? 0) === 0;
  return isShared ? readers : undefined;
};

/**
 * Yields the records of shares that fit together. Returns the part that is left, from the first share that does not
 * fit.
 */
async function* sharedRecords(
  { channel, basis, number: load }: OpenLoad,
  readers: ExportReaders,
  { index, file, sales }: FileToRead,
  gap: Gap,
  advanced: Advanced,
): AsyncGenerator<LoadedBatch, TextPart | undefined> {
  const bytes = Math.min(readers.shareBytes, (gap.to - gap.from) / SHARES_MIN);
  let rows = 0;
  let next = gap.line;
  const read = async (share: PartShare) => {
    const asked: ShareToRead = { ...share, channel: channel.name, basis, load, file, index };
    const found = await readers.read(file.name, asked as unknown as Json, () => advanced(rows));
    return { share, found: found as unknown as SharedRecords };
  };
  const shares = sharesOf(file, gap, sales.headerLine, bytes);
  for await (const { share, found } of inOrder(shares, readers.ahead, read)) {
    const { number } = share;
    const { batches, begins, ends } = found;
    const isFitting = begins !== undefined && (number === 0 || begins === next);
    if (!isFitting || (share.last !== null && ends === undefined)) {
      const { from, line } = share.part;
      const at = number === 0 ? gap.from : await placeOfLine(file, { at: from, line }, next);
      return { from: at ?? from, to: gap.to, line: next };
    }
    const rowsAt = rowsOfShare(sales, share.part);
    for (const { line, notes, records } of batches) {
      const prepared = records.map(
        (sent): PreparedRecord =>
          'aside' in sent ? sent : { ...sent, rows: () => rowsAt(sent.origin.line) },
      );
      yield { line, records: { prepared }, count: records.length, notes };
      rows += notes.whole.rows;
    }
    next = ends ?? next;
  }
  return undefined;
}

/** Returns a reader of the rows of records, by the line on which the record begins. It reads the part on first use. */
const rowsOfShare = (sales: OpenExport, part: TextPart): ((line: number) => Promise<readonly TableRow[]>) => {
  let read: Promise<ReadonlyMap<number, readonly TableRow[]>> | undefined;
  const readAll = async () => {
    const found = new Map<number, readonly TableRow[]>();
    for await (const { records } of sales.records(part))
      for (const { group } of records) found.set(group.rows[0]?.line ?? 0, group.rows);
    return found;
  };
  return async (line) => {
    read ??= readAll();
    return (await read).get(line) ?? [];
  };
};
