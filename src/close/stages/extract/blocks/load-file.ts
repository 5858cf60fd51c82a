import { withReadAhead } from '../../../../runtime/batches.ts';
import { placesNotice } from '../../../sales/business-place.ts';
import { surveyFile } from '../../../sales/files/survey-file.ts';
import type { Advanced } from '../../run/close-ports.ts';
import type { OpenLoad } from '../reading/channel-load.ts';
import { addedNotes } from '../reading/file-notes.ts';
import { endNotices, framingNotices, type LastRecord } from '../reading/file-notices.ts';
import { type ReadSales, readFile } from '../reading/read-file.ts';
import { offsetNotices } from '../reading/stated-offsets.ts';
import { type Ambiguous, prepareBatch } from '../sales/prepare-batch.ts';
import { type Block, blocksOf, type Gap } from './file-blocks.ts';
import { blockNotes, type FileToRead } from './kept-blocks.ts';
import { recordsOf } from './shared-reading.ts';

/** A file of sales, with all of its blocks. */
export type LoadedFile = {
  readonly read: ReadSales;
  readonly toRead: FileToRead;
  readonly last: LastRecord | undefined;
  /** None where the file is another one by now: their digests were taken after they were read. */
  readonly blocks: readonly Block[];
  /** Whether its gaps fit between what is kept of it. */
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
  const { days, undated, places } = notes;
  const notices = [
    ...(file.form.kind === 'workbook' ? sales.notices : endNotices(notes.last, sales.notices)),
    ...placesNotice(places, load.channel.locations),
    ...offsetNotices(notes.offsets, load.configuration.timeZone),
    ...framingNotices(sales.headerLine, notes.framing, notes.whole.rows),
  ];
  const read = { ...readFile(file, sales, { columns, ...notes }, notices), days, undated, places };
  const isSame = (await surveyFile(file)).sha256 === file.sha256;
  return { read, toRead, last: notes.last, blocks: isSame ? blocks : [], isWhole: isFitting && isSame };
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
