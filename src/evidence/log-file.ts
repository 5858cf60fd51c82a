import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, type Gunzip, gzip, type ZlibOptions } from 'node:zlib';
import { TieoutError } from '../kernel/errors.ts';

/** The result of writing a log. */
export type WrittenLog = {
  readonly bytes: number;
  readonly sha256: string;
  readonly records: number;
};

/** A log that is being written. Several can be written at once; they are compressed in the background. */
export type OpenLog = {
  /** Writes lines, and resolves when more may be written: not before. */
  readonly write: (lines: Iterable<string>) => Promise<void>;
  readonly close: () => Promise<WrittenLog>;
  /** Abandons a log that was not closed. */
  readonly discard: () => Promise<void>;
};

/** Bytes that zlib returns at once: with 16 KB, as it does by default, a log takes a third longer to read. */
const CHUNK_BYTES = 65_536;

/**
 * Measured on a generated month: level 3 takes 6 µs and 145 bytes per sale, level 4 8 µs and 134 bytes; level 1 needs 157
 * bytes and saves no time.
 */
const COMPRESSION: ZlibOptions = { level: 3, chunkSize: CHUNK_BYTES };

/** Characters of the lines that are compressed together: fewer compress badly. */
const MEMBER_LENGTH_MIN = 262_144;

/** Number of members compressed at once, in the background. */
const MEMBERS_AHEAD = 4;

const compressed = promisify<string, ZlibOptions, Buffer>(gzip);

/**
 * Opens a compressed log for lines with one JSON object each. It consists of gzip members of several lines each, which
 * every gzip program reads as one file. The same lines produce the same bytes.
 */
export const openLog = (path: string): OpenLog => {
  const file = open(path, 'w', 0o600);
  // Writing or closing reports the failure.
  file.catch(() => {});
  const hash = createHash('sha256');
  const waiting: Promise<Uint8Array>[] = [];
  let member: string[] = [];
  let length = 0;
  let records = 0;
  let bytes = 0;
  const compress = (): void => {
    const compressing = compressed(member.join(''), COMPRESSION);
    compressing.catch(() => {});
    waiting.push(compressing);
    [member, length] = [[], 0];
  };
  const putUntil = async (left: number): Promise<void> => {
    while (waiting.length > left) {
      const written = await (waiting.shift() as Promise<Buffer>);
      hash.update(written);
      bytes += written.length;
      await (await file).appendFile(written);
    }
  };
  return {
    write: async (lines) => {
      for (const line of lines) {
        records += 1;
        member.push(line, '\n');
        length += line.length;
        if (length < MEMBER_LENGTH_MIN) continue;
        compress();
        await putUntil(MEMBERS_AHEAD);
      }
    },
    close: async () => {
      // A file without a member is not a gzip file.
      if (member.length > 0 || records === 0) compress();
      await putUntil(0);
      await (await file).close();
      return { records, bytes, sha256: hash.digest('hex') };
    },
    discard: () => file.then((opened) => opened.close()).catch(() => {}),
  };
};

/** Tieout's logs compress ten- to thirtyfold. A file that expands further than this is malicious. */
const EXPANSION_MAX = 300;
const UNPACKED_FREE_LENGTH = 32 * 1024 * 1024;

/** A longer line is not a record of Tieout and is not read into memory. */
const LINE_LENGTH_MAX = 16_777_216;

/** Yields the objects of a log. @throws {TieoutError} E_PACK_CHANGED for a file that is not a log of lines of JSON */
export async function* readLog(path: string): AsyncGenerator<unknown> {
  for await (const line of readLines(path)) yield parsed(line, path);
}

const parsed = (line: string, path: string): unknown => {
  try {
    return JSON.parse(line) as unknown;
  } catch (error) {
    throw damaged(path, 'a line of it is not JSON', error);
  }
};

const damaged = (path: string, rule: string, cause?: unknown): TieoutError =>
  new TieoutError({
    code: 'E_PACK_CHANGED',
    message: `${path} is damaged: ${rule}`,
    nextStep:
      'Take an unchanged copy of the folder, from a backup or from the person who handed it over, or, where the period is not locked, remove the folder and close again.',
    cause,
  });

/** Yields the unpacked text. An error of zlib does not name the file, so it is replaced. */
async function* unpacked(text: Gunzip, path: string): AsyncGenerator<string> {
  try {
    yield* text as AsyncIterable<string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw damaged(path, 'it is not there', error);
    throw isZlibError(error) ? damaged(path, 'its compressed data cannot be unpacked', error) : error;
  }
}

const isZlibError = (error: unknown): boolean => /^Z_/.test(String((error as NodeJS.ErrnoException).code));

/** Yields the lines of a log. @throws {TieoutError} E_PACK_CHANGED for a file that is not a log of lines */
export async function* readLines(path: string): AsyncGenerator<string> {
  // Anyone who stops reading early ends the reading of the file, too.
  const text = pipeline(createReadStream(path), createGunzip({ chunkSize: CHUNK_BYTES }), () => {});
  text.setEncoding('utf8');
  let rest = '';
  let length = 0;
  for await (const piece of unpacked(text, path)) {
    length += piece.length;
    if (length > UNPACKED_FREE_LENGTH && length > EXPANSION_MAX * text.bytesWritten)
      throw damaged(path, `it unpacks to more than ${EXPANSION_MAX} times its size`);
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_LENGTH_MAX) throw damaged(path, 'a line is too long');
    yield* lines;
  }
  if (rest !== '') throw damaged(path, 'the last line has no end');
}

/** The logs of a period's evidence, each a file of compressed lines. */
export const LOG_NAMES = ['entries', 'strays', 'set-aside', 'report'] as const;
export type LogName = (typeof LOG_NAMES)[number];

export const logPath = (name: LogName): string => `evidence/${name}.ndjson.gz`;

/** The open logs of a period's evidence. They take lines in an order that does not depend on the time of events. */
export type EvidenceLogs = Readonly<Record<LogName, OpenLog>>;

export type RowCounts = Record<'used' | 'ignored' | 'rejected', number>;

/** Counts the rows of each input by outcome. */
export const rowCounter = () => {
  const counts = new Map<string, RowCounts>();
  return {
    counts,
    add: (channel: string, file: string, outcome: keyof RowCounts, rows: number): void => {
      const place = `${channel}/${file}`;
      const known = counts.get(place) ?? { used: 0, ignored: 0, rejected: 0 };
      known[outcome] += rows;
      counts.set(place, known);
    },
  };
};
