import type { Json } from '../../../../kernel/digest.ts';
import { withReadAhead } from '../../../../runtime/batches.ts';
import { inOrder } from '../../../../runtime/in-order.ts';
import type { TextPart } from '../../../sales/files/table-heads.ts';
import type { TableRow } from '../../../sales/files/table-row.ts';
import { placesNotice } from '../../../sales/read-ship-to.ts';
import type { Advanced } from '../../run/close-ports.ts';
import { type ExportReaders, isEnoughFor } from '../../sharing/export-readers.ts';
import type { OpenLoad } from '../reading/channel-load.ts';
import { addedNotes, type FileNotes } from '../reading/file-notes.ts';
import { endNotices, noRowsNotice, refuseUnequal } from '../reading/file-notices.ts';
import type { OpenExport } from '../reading/open-export.ts';
import { type ReadSales, readFile } from '../reading/read-file.ts';
import type { SourceFile } from '../reading/source-file.ts';
import { offsetNotices } from '../reading/stated-offsets.ts';
import { type Ambiguous, prepareBatch, type RecordBatch } from '../sales/prepare-batch.ts';
import type { PreparedRecord } from '../sales/prepared-record.ts';
import { isDivisible, placeOfLine } from './file-blocks.ts';
import type { SharedRecords, ShareToRead } from './read-share.ts';
import { type PartShare, sharesOf } from './shares.ts';

/** A file of sales, and its position in reading order. */
export type FileToRead = {
  readonly index: number;
  readonly file: SourceFile;
  readonly sales: OpenExport;
};

/** A file of sales that was read. */
export type LoadedFile = { readonly read: ReadSales; readonly toRead: FileToRead };

/** Read a file into the workspace, in batches. */
export const loadFile = async (
  load: OpenLoad,
  toRead: FileToRead,
  ambiguous: Ambiguous,
  advanced: Advanced,
): Promise<LoadedFile> => {
  const { index, file, sales } = toRead;
  const { columns } = sales.meter;
  let notes = addedNotes([], columns.length, file.place);
  await withReadAhead(recordsOf(load, toRead, advanced), async (batch) => {
    const write = await prepareBatch(load, { ...sales, file: index }, batch.records, ambiguous);
    return async () => {
      await write();
      notes = addedNotes([notes, batch.notes], columns.length, file.place);
      advanced(notes.whole.rows);
    };
  });
  refuseUnequal(notes.arithmetic, file.place, sales.profile.id);
  const { days, undated, places } = notes;
  const notices = [
    ...(file.form.kind === 'workbook' ? sales.notices : endNotices(notes.last, sales.notices)),
    ...placesNotice(places, load.channel.locations),
    ...offsetNotices(notes.offsets, load.configuration.timeZone),
    ...noRowsNotice(notes.whole.rows),
  ];
  return {
    read: { ...readFile(file, sales, { columns, ...notes }, notices), days, undated, places },
    toRead,
  };
};

/** Consecutive records, and their notes on the file. */
type LoadedBatch = { readonly records: RecordBatch; readonly notes: FileNotes };

/** The fewest shares of a file. */
const SHARES_MIN = 8;

/**
 * Yields the records of a file. Threads or workers read a large one in shares, as long as these fit together; this thread
 * reads the rest.
 */
async function* recordsOf(
  load: OpenLoad,
  toRead: FileToRead,
  advanced: Advanced,
): AsyncGenerator<LoadedBatch> {
  const { file, sales } = toRead;
  const whole: TextPart = { from: 0, to: file.bytes, line: 1 };
  const readers = readersFor(load, toRead);
  const left = readers ? yield* sharedRecords(load, readers, toRead, whole, advanced) : whole;
  if (!left) return;
  const isAll = left.from === 0 && left.to === file.bytes;
  for await (const { records, notes } of sales.records(isAll ? undefined : left))
    yield { records: { records }, notes };
}

/** Returns the readers if a file is large enough for them and each of its records can be read on its own. */
const readersFor = (
  { readers, repaired }: OpenLoad,
  { file, sales: { profile } }: FileToRead,
): ExportReaders | undefined => {
  const isShared =
    readers !== undefined &&
    isDivisible(file) &&
    isEnoughFor(readers, file.bytes) &&
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
  whole: TextPart,
  advanced: Advanced,
): AsyncGenerator<LoadedBatch, TextPart | undefined> {
  const bytes = Math.min(readers.shareBytes, (whole.to - whole.from) / SHARES_MIN);
  let rows = 0;
  let next = whole.line;
  const read = async (share: PartShare) => {
    const asked: ShareToRead = { ...share, channel: channel.name, basis, load, file, index };
    const found = await readers.read(file.name, asked as unknown as Json, () => advanced(rows));
    return { share, found: found as unknown as SharedRecords };
  };
  const shares = sharesOf(file, whole, sales.headerLine, bytes);
  for await (const { share, found } of inOrder(shares, readers.ahead, read)) {
    const { number } = share;
    const { batches, begins, ends } = found;
    const isFitting = begins !== undefined && (number === 0 || begins === next);
    if (!isFitting || (share.last !== null && ends === undefined)) {
      const { from, line } = share.part;
      const at = number === 0 ? whole.from : await placeOfLine(file, { at: from, line }, next);
      return { from: at ?? from, to: whole.to, line: next };
    }
    const rowsAt = rowsOfShare(sales, share.part);
    for (const { notes, records } of batches) {
      const prepared = records.map(
        (sent): PreparedRecord =>
          'aside' in sent ? sent : { ...sent, rows: () => rowsAt(sent.origin.line) },
      );
      yield { records: { prepared }, notes };
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
