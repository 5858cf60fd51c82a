import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { ContentDamagedError } from '../content-error.ts';
import { digestOfFile } from '../file-digest.ts';

/** A file as it was fetched. */
const KeptFile = z.strictObject({
  state: z.string(),
  what: z.string(),
  /** Its address, or the name that it had in the folder of downloads. */
  address: z.string(),
  /** Where it is kept, below the folder of what was fetched. */
  file: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
  /** The day on which it was first fetched, and the last one on which its address had the same bytes. */
  on: z.iso.date(),
  seen: z.iso.date(),
});
export type KeptFile = z.output<typeof KeptFile>;

const INDEX = 'fetched.json';

/** The files that were fetched into a folder, the first one first. @throws {ContentDamagedError} */
export const keptFiles = (folder: string): readonly KeptFile[] => {
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
 * Keep a file that has just been received: under its day and name, or not again where the last one of its name has the
 * same bytes.
 */
export const keepFile = async (
  folder: string,
  received: string,
  { state, what, address, name, on }: Pick<KeptFile, 'state' | 'what' | 'address' | 'on'> & { name: string },
): Promise<KeptFile> => {
  const { sha256, bytes } = await digestOfFile(received);
  const kept = keptFiles(folder);
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
