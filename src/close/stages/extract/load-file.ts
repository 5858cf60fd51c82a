import { withReadAhead } from '../../../runtime/batches.ts';
import { placesNotice } from '../../sales/read-ship-to.ts';
import type { Advanced } from '../run/close-ports.ts';
import type { OpenLoad } from './reading/channel-load.ts';
import { addedNotes } from './reading/file-notes.ts';
import { endNotices, noRowsNotice, refuseUnequal } from './reading/file-notices.ts';
import type { OpenExport } from './reading/open-export.ts';
import { type ReadSales, readFile } from './reading/read-file.ts';
import type { SourceFile } from './reading/source-file.ts';
import { offsetNotices } from './reading/stated-offsets.ts';
import { type Ambiguous, prepareBatch } from './sales/prepare-batch.ts';

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
  await withReadAhead(sales.records(), async (batch) => {
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
