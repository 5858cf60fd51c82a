import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { type FileSource, fetchRefused } from '../../../contract/file-source.ts';
import type { CalendarDate } from '../../../kernel/calendar.ts';
import { TieoutError } from '../../../kernel/errors.ts';
import { ContentDamagedError } from '../content-error.ts';
import { digestOfFile } from '../file-digest.ts';
import type { OfficialFileRow } from '../official-files.ts';
import { chosenFile, inPeriod, nameOf } from './file-names.ts';

/** The outcome of one file. */
export type FetchedFile = {
  readonly row: OfficialFileRow;
  /** Set when the file is available, whether it was fetched now or earlier on this day. */
  readonly kept?: KeptFile;
  readonly isNew?: boolean;
  readonly error?: TieoutError;
};

export type FetchOptions = {
  readonly source: FileSource;
  /** The folder of fetched files. */
  readonly folder: string;
  readonly on: CalendarDate;
  /** Called with each file when it is done. */
  readonly done: (file: FetchedFile) => void;
};

/**
 * Fetch files one after another. A file that cannot be fetched does not stop the others, and one that was fetched from
 * the same address on the same day is not fetched again.
 */
export const fetchFiles = async (
  rows: readonly OfficialFileRow[],
  options: FetchOptions,
): Promise<readonly FetchedFile[]> => {
  const pages = new Map<string, Promise<readonly string[]>>();
  const fetched: FetchedFile[] = [];
  for (const row of rows) {
    const file = await fetchFile(row, options, pages).catch((error: unknown) => {
      if (!(error instanceof TieoutError) || !error.code.startsWith('E_FETCH_')) throw error;
      return { row, error };
    });
    options.done(file);
    fetched.push(file);
  }
  return fetched;
};

const fetchFile = async (
  row: OfficialFileRow,
  { source, folder, on }: FetchOptions,
  pages: Map<string, Promise<readonly string[]>>,
): Promise<FetchedFile> => {
  const page = inPeriod(row.page, row.every, on);
  const address = await addressOf(row, { source, page, on }, pages);
  const name = nameOf(address);
  const today = archivedFiles(folder).find((kept) => kept.address === address && kept.seen === on);
  if (today && source.knowsAddresses) return { row, kept: today, isNew: false };
  mkdirSync(folder, { recursive: true });
  const received = join(folder, '.received');
  try {
    await source.take({ address, page }, received);
    await refuseOtherTypes(received, { address, name, page });
    const kept = await keepFile(folder, received, { ...row, address, name, on });
    return { row, kept, isNew: kept.on === on };
  } finally {
    await rm(received, { force: true });
  }
};

const addressOf = async (
  row: OfficialFileRow,
  { source, page, on }: Pick<FetchOptions, 'source' | 'on'> & { readonly page: string },
  pages: Map<string, Promise<readonly string[]>>,
): Promise<string> => {
  if (row.address !== '' && source.knowsAddresses) return inPeriod(row.address, row.every, on);
  const listed = pages.get(page) ?? source.listed(page);
  pages.set(page, listed);
  const chosen = chosenFile(await listed, row, on);
  if (chosen !== undefined) return chosen;
  const where = source.knowsAddresses ? page : 'the folder of --from';
  throw fetchRefused(
    `${where} has no file named ${inPeriod(row.file, row.every, on)}, the ${row.what} of ${row.state}`,
    page,
  );
};

const PACKED = /\.(?:zip|xlsx)$/i;
const START_BYTES = 512;

/** Refuse a page in place of a file: publishers answer with one, and with success, when a file has moved. */
const refuseOtherTypes = async (
  path: string,
  { address, name, page }: { readonly address: string; readonly name: string; readonly page: string },
): Promise<void> => {
  const file = await open(path);
  const { bytesRead, buffer } = await file
    .read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0)
    .finally(() => file.close());
  const start = buffer.toString('latin1', 0, bytesRead);
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|\?xml)/i.test(start))
    throw fetchRefused(`${address} is HTML and not the file ${name}: it has moved`, page);
  if (PACKED.test(name) && !start.startsWith('PK'))
    throw fetchRefused(`${address} is not an archive, as the name ${name} says`, page);
  if (bytesRead === 0) throw fetchRefused(`${address} is empty`, page);
};

/** A file as it was fetched. */
const KeptFile = z.strictObject({
  state: z.string(),
  what: z.string(),
  /** Its address, or its name in the folder of downloads. */
  address: z.string(),
  /** Its path below the folder of fetched files. */
  file: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
  /** The day on which it was first fetched, and the last day on which its address had the same bytes. */
  on: z.iso.date(),
  seen: z.iso.date(),
});
export type KeptFile = z.output<typeof KeptFile>;

const INDEX = 'fetched.json';

/** List the files that were fetched into a folder, oldest first. @throws {ContentDamagedError} */
export const archivedFiles = (folder: string): readonly KeptFile[] => {
  const path = join(folder, INDEX);
  if (!existsSync(path)) return [];
  try {
    return z.array(KeptFile).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    const nextStep = 'Move the folder of downloads away: the next fetch begins another one.';
    throw new ContentDamagedError(path, 'the list of fetched files cannot be read', cause, nextStep);
  }
};

/**
 * Archive a file that was just received: under its day and name, or in place of the last one of its kind if that has
 * the same name and the same bytes.
 */
export const keepFile = async (
  folder: string,
  received: string,
  { state, what, address, name, on }: Pick<KeptFile, 'state' | 'what' | 'address' | 'on'> & { name: string },
): Promise<KeptFile> => {
  const { sha256, bytes } = await digestOfFile(received);
  const kept = archivedFiles(folder);
  const before = kept.findLast((file) => file.state === state && file.what === what);
  const isSame = before?.sha256 === sha256 && before.file.endsWith(`/${name}`);
  const file = isSame ? before.file : `${on}/${name}`;
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  await rename(received, join(folder, file));
  const entry = { state, what, address, file, bytes, sha256, on: isSame ? before.on : on, seen: on };
  const others = kept.filter((other) => other.file !== file);
  writeFileSync(join(folder, `${INDEX}.draft`), `${JSON.stringify([...others, entry], null, 2)}\n`);
  renameSync(join(folder, `${INDEX}.draft`), join(folder, INDEX));
  return entry;
};
