import { sha256 } from '../../../../kernel/digest.ts';
import type { SalesProfile } from '../../../sales/profile.ts';
import { blocksOf, lastLoad, replaceBlocks } from '../../../workspace/loads.ts';
import type { RepairedLoad } from '../reading/channel-load.ts';
import { addedNotes, type FileNotes } from '../reading/file-notes.ts';
import type { OpenExport } from '../reading/open-export.ts';
import type { SourceFile } from '../reading/source-file.ts';
import { type Block, comparedBlocks, type Gap, isDivisible } from './file-blocks.ts';

/** A file of a load: the blocks that are kept from the previous load, and the gaps to read. */
export type FileToRead = {
  readonly index: number;
  readonly file: SourceFile;
  readonly sales: OpenExport;
  /** Digest of everything that decides how its rows are read, except its bytes. */
  readonly basis: string;
  readonly same: readonly Block[];
  readonly gaps: readonly Gap[];
};

/** The previous load of a channel, with the blocks that it read. */
export type LoadBefore = {
  readonly number: number;
  /** The blocks of each file, in reading order. */
  readonly files: readonly { readonly path: string; readonly blocks: readonly Block[] }[];
};

/**
 * Returns the previous load if its blocks may be kept: it is complete, and its files are the first ones of this load.
 * Everything is read again if there are repaired rows, or companions, because both affect
 * other files.
 */
export const loadBefore = async (load: RepairedLoad): Promise<LoadBefore | undefined> => {
  const { sources, companions, repaired } = load;
  if (repaired.originals.size > 0 || companions.length > 0) return undefined;
  const last = await lastLoad(load);
  if (!last || last.digest === '') return undefined;
  const rows = await blocksOf(load);
  const byFile = Map.groupBy(rows, ({ file }) => file);
  const files = [...byFile.values()].map((own) => ({
    path: own[0]?.path ?? '',
    blocks: own.map(({ line, bytes, digest, notes }) => ({
      line,
      bytes,
      digest,
      notes: JSON.parse(notes) as FileNotes,
    })),
  }));
  const isBeginning = files.every(({ path }, index) => sources[index]?.name === path);
  return isBeginning ? { number: last.number, files } : undefined;
};

/** Returns the parts of a file to read: all of it, or only what differs from the previous load. */
export const fileToRead = async (
  load: RepairedLoad,
  index: number,
  file: SourceFile,
  sales: OpenExport,
  before: LoadBefore | undefined,
): Promise<FileToRead> => {
  const { profile, header, headerLine, delimiter } = sales;
  const form = file.form.kind === 'text' ? file.form.encoding : file.form.kind;
  const { id, version, locale, rules } = profile;
  const reading = [load.basis, index, file.name, id, version, locale, rules];
  const basis = sha256(JSON.stringify([...reading, header, headerLine, delimiter, form]));
  const blocks = before?.files[index]?.blocks ?? [];
  if (blocks.length > 0) return { index, file, sales, basis, ...(await comparedBlocks(basis, file, blocks)) };
  const whole: Gap = { from: 0, to: file.bytes, line: 1, end: undefined, lastStart: undefined };
  return { index, file, sales, basis, same: [], gaps: [whole] };
};

/** The most bytes in gaps for which all keys are kept in memory. */
const GAPS_MAX = 128 * 1024 * 1024;

/**
 * Whether reading only the gaps is enough, and less work. Each record of these exports must be in one place, contain no
 * dates of repayments and be no refund, which takes data from its order, so that a part can be read on its own.
 */
export const canBeReadAgain = (files: readonly FileToRead[]): boolean => {
  const gaps = files.flatMap((file) => file.gaps);
  return (
    files.some(({ same }) => same.length > 0) &&
    gaps.reduce((bytes, { from, to }) => bytes + to - from, 0) <= GAPS_MAX &&
    files.every(({ sales: { profile } }) => !profile.shape.parts && !tellsDates(profile))
  );
};

const tellsDates = ({ packedRefunds, rules }: SalesProfile): boolean =>
  packedRefunds !== undefined || rules.some(({ treat, as }) => treat === 'refund' || as === 'refund');

/** Whether the files name the same places of business as before. All of them together decide whether sales are held. */
export const haveSamePlaces = ({ files }: LoadBefore, places: ReadonlySet<string>): boolean => {
  const before = new Set(files.flatMap(({ blocks }) => blocks.flatMap(({ notes }) => notes.places)));
  return before.size === places.size && [...before].every((name) => places.has(name));
};

/** Store the blocks of a file, replacing those of its gaps. */
export const keepBlocks = async (
  load: RepairedLoad,
  { index, file, same, gaps }: FileToRead,
  blocks: readonly Block[],
): Promise<void> => {
  const kept = new Set(same);
  const rows = blocks
    .filter((block) => !kept.has(block))
    .map(({ notes, ...block }) => ({ path: file.name, ...block, notes: JSON.stringify(notes) }));
  await replaceBlocks(load, index, gaps, rows);
};

/** Consecutive records: the line on which they begin, their number, and their notes on the file. */
export type ReadPart = { readonly line: number; readonly count: number; readonly notes: FileNotes };

/** Collects the notes on the records of a gap, block by block. */
export const blockNotes = ({ line }: Gap, { file, sales }: FileToRead, recordsOfBlock: number) => {
  const read: { readonly line: number; readonly notes: FileNotes }[] = [];
  let begin = line;
  let records = 0;
  let notes: FileNotes[] = [];
  const end = (): void => {
    read.push({ line: begin, notes: addedNotes(notes, sales.meter.columns.length, file.place) });
    records = 0;
    notes = [];
  };
  return {
    add: (batch: ReadPart): void => {
      if (isDivisible(file) && records >= recordsOfBlock) {
        end();
        begin = batch.line;
      }
      notes.push(batch.notes);
      records += batch.count;
    },
    end: () => {
      end();
      return read;
    },
  };
};
