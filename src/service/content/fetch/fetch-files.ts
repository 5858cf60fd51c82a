import { mkdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileSource, fetchRefused } from '../../../contract/file-source.ts';
import type { CalendarDate } from '../../../kernel/calendar.ts';
import { TieoutError } from '../../../kernel/errors.ts';
import type { OfficialFileRow } from '../official-files.ts';
import { chosenFile, inPeriod, nameOf } from './file-names.ts';
import { type KeptFile, keepFile, keptFiles } from './kept-files.ts';

/** What became of one file. */
export type FetchedFile = {
  readonly row: OfficialFileRow;
  /** Set when the file is here, whether it was fetched now or earlier on this day. */
  readonly kept?: KeptFile;
  readonly isNew?: boolean;
  readonly error?: TieoutError;
};

export type FetchOptions = {
  readonly source: FileSource;
  /** The folder of what was fetched. */
  readonly folder: string;
  readonly on: CalendarDate;
  /** Called with each file when it is done. */
  readonly done: (file: FetchedFile) => void;
};

/**
 * Fetch files one after another. A file that cannot be had does not hold up the others, and one that was fetched from
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
  const today = keptFiles(folder).find((kept) => kept.address === address && kept.seen === on);
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

/** A page where a file should be: publishers answer one for what has moved, and call it a success. */
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
    throw fetchRefused(`${address} is a web page and not the file ${name}: it has moved`, page);
  if (PACKED.test(name) && !start.startsWith('PK'))
    throw fetchRefused(`${address} is not an archive, as the name ${name} says`, page);
  if (bytesRead === 0) throw fetchRefused(`${address} is empty`, page);
};
