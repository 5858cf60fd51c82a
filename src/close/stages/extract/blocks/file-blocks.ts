import { createHash } from 'node:crypto';
import { type ByteRange, openBytes } from '../../../sales/files/open-bytes.ts';
import type { TextPart } from '../../../sales/files/table-heads.ts';
import type { FileNotes } from '../reading/file-notes.ts';
import type { SourceFile } from '../reading/source-file.ts';

/** A part of a file between two records, as it was read. The first block begins at the start of the file. */
export type Block = {
  readonly line: number;
  readonly bytes: number;
  /** Digest of its bytes and of everything else that decides how they are read. */
  readonly digest: string;
  readonly notes: FileNotes;
};

/** Consecutive blocks that must be read again. */
export type Gap = TextPart & {
  /** The line before which they end; `undefined` at the end of the file. */
  readonly end: number | undefined;
  /**
   * The line on which its last record must begin. If it begins elsewhere, the rows after the gap might be grouped
   * differently.
   */
  readonly lastStart: number | undefined;
};

/**
 * Whether parts of a file can be read separately: uncompressed text in which each byte of a line end is a single byte.
 * Other files are one block.
 */
export const isDivisible = ({ form, packing }: SourceFile): boolean =>
  packing.kind === 'none' &&
  form.kind === 'text' &&
  (form.encoding === 'utf-8' || form.encoding === 'windows-1252');

const digestOfBytes = async (basis: string, file: SourceFile, range: ByteRange): Promise<string> => {
  const hash = createHash('sha256').update(basis);
  if (!isDivisible(file)) return hash.update(file.sha256).digest('hex');
  for await (const piece of openBytes(file, range)) hash.update(piece);
  return hash.digest('hex');
};

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Returns the byte offset of a line, counting lines from a known one, as records do; `undefined` if the file ends
 * before it.
 */
export const placeOfLine = async (
  file: SourceFile,
  from: { readonly at: number; readonly line: number },
  wanted: number,
): Promise<number | undefined> => {
  let { at, line } = from;
  let isBehindReturn = false;
  for await (const piece of openBytes(file, { from: at, to: file.bytes })) {
    const hasReturns = isBehindReturn || piece.includes(CARRIAGE_RETURN);
    for (let index = 0; index < piece.length; index += 1) {
      if (!hasReturns && line < wanted) {
        const end = piece.indexOf(LINE_FEED, index);
        if (end === -1) break;
        index = end;
      }
      const byte = piece[index];
      const isSecond = isBehindReturn && byte === LINE_FEED;
      if (line === wanted && !isSecond) return at + index;
      isBehindReturn = byte === CARRIAGE_RETURN;
      if (isBehindReturn || (byte === LINE_FEED && !isSecond)) line += 1;
    }
    at += piece.length;
  }
  return undefined;
};

/** Returns what was read from a line on, as blocks. */
export const blocksOf = async (
  basis: string,
  file: SourceFile,
  { from, to }: ByteRange,
  read: readonly { readonly line: number; readonly notes: FileNotes }[],
): Promise<readonly Block[]> => {
  const blocks: Block[] = [];
  let at = from;
  for (const [index, { line, notes }] of read.entries()) {
    const next = read[index + 1];
    const end = next === undefined ? to : ((await placeOfLine(file, { at, line }, next.line)) ?? to);
    const digest = await digestOfBytes(basis, file, { from: at, to: end });
    blocks.push({ line, bytes: end - at, digest, notes });
    at = end;
  }
  return blocks;
};

/**
 * Returns the blocks of a file that are unchanged and in the same place, and the gaps between them. A changed block is
 * read together with its neighbours, because its records may have merged with theirs.
 */
export const comparedBlocks = async (
  basis: string,
  file: SourceFile,
  blocks: readonly Block[],
): Promise<{ readonly same: readonly Block[]; readonly gaps: readonly Gap[] }> => {
  const places: { at: number; isSame: boolean }[] = [];
  let at: number | undefined = 0;
  for (const [index, block] of blocks.entries()) {
    if (at === undefined) break;
    const next = blocks[index + 1];
    const end: number = at + block.bytes;
    const isThere = next === undefined ? end === file.bytes : end < file.bytes;
    const isSame = isThere && (await digestOfBytes(basis, file, { from: at, to: end })) === block.digest;
    places.push({ at, isSame });
    if (isSame) at = end;
    else at = next && (await placeOfLine(file, { at, line: block.line }, next.line));
  }
  const isKept = (index: number): boolean =>
    [index - 1, index, index + 1].every((one) => blocks[one] === undefined || places[one]?.isSame === true);
  const same: Block[] = [];
  const gaps: Gap[] = [];
  let open: { readonly from: number; readonly line: number } | undefined;
  for (const [index, block] of blocks.entries()) {
    const kept = isKept(index);
    const from = places[index]?.at ?? file.bytes;
    if (kept) same.push(block);
    if (!kept) open ??= { from, line: block.line };
    else if (open) {
      gaps.push({ ...open, to: from, end: block.line, lastStart: blocks[index - 1]?.notes.lastStart });
      open = undefined;
    }
  }
  if (open) gaps.push({ ...open, to: file.bytes, end: undefined, lastStart: undefined });
  return { same, gaps };
};
