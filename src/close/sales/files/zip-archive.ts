import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { compareText } from '../../../kernel/text.ts';
import { ExportError } from '../export-error.ts';
import { badArchive, readingError } from './file-errors.ts';
import { isHidden } from './hidden-files.ts';
import { ARCHIVE_MEMBERS_MAX } from './limits.ts';

export type ZipMember = { readonly name: string; readonly packedBytes: number };

/**
 * List the files of an archive, sorted like those of a folder, without folders and hidden files of operating systems.
 *
 * @throws {ExportError} E_EXPORT_ARCHIVE when it is damaged or encrypted, has names that lead out of it, too many
 * members, or overlapping members
 */
export const zipMembers = async (path: string, name: string): Promise<readonly ZipMember[]> =>
  withArchive(path, name, async (archive) => {
    const members: ZipMember[] = [];
    let packedBytes = 0;
    for await (const entry of archive.eachEntry()) {
      if (archive.entriesRead > ARCHIVE_MEMBERS_MAX)
        throw badArchive(name, `the archive has more than ${ARCHIVE_MEMBERS_MAX} members`);
      packedBytes += entry.compressedSize;
      if (isBeside(entry.fileName)) continue;
      if (entry.isEncrypted()) throw badArchive(name, `its member ${entry.fileName} is encrypted`);
      members.push({ name: entry.fileName, packedBytes: entry.compressedSize });
    }
    if (packedBytes > archive.fileSize) throw badArchive(name, 'the members of the archive overlap');
    const names = members.map((member) => member.name);
    const twice = names.find((one, index) => names.indexOf(one) !== index);
    if (twice !== undefined) throw badArchive(name, `the archive has two members ${twice}`);
    return members.sort((left, right) => compareText(left.name, right.name));
  });

/** Read the unpacked bytes of one member. */
export async function* zipMemberBytes(
  path: string,
  name: string,
  member: string,
  packedBytes: { value: number },
): AsyncGenerator<Buffer> {
  const archive = await open(path, name);
  try {
    const entry = await entryNamed(archive, member);
    if (!entry) throw badArchive(name, `the archive has no member ${member} any more`);
    packedBytes.value = entry.compressedSize;
    const stream: Readable = await archive.openReadStreamPromise(entry);
    for await (const piece of stream) yield piece as Buffer;
  } catch (error) {
    throw archiveError(error, name);
  } finally {
    archive.close();
  }
}

const entryNamed = async (archive: ZipFile, member: string): Promise<Entry | undefined> => {
  for await (const entry of archive.eachEntry()) if (entry.fileName === member) return entry;
  return undefined;
};

const withArchive = async <Result>(
  path: string,
  name: string,
  work: (archive: ZipFile) => Promise<Result>,
): Promise<Result> => {
  const archive = await open(path, name);
  try {
    return await work(archive);
  } catch (error) {
    throw archiveError(error, name);
  } finally {
    archive.close();
  }
};

// yauzl rejects the whole archive if a name leads out of it or is not a plain relative path.
const open = async (path: string, name: string): Promise<ZipFile> => {
  try {
    const archive = await openPromise(path, { autoClose: false, strictFileNames: true });
    // Errors during a pending read are already reported to its caller.
    archive.on('error', () => {});
    return archive;
  } catch (error) {
    throw archiveError(error, name);
  }
};

const isBeside = (member: string): boolean =>
  member.endsWith('/') || member.split('/').some((part) => part === '__MACOSX' || isHidden(part));

const archiveError = (error: unknown, name: string): unknown => {
  const known = readingError(error, name);
  if (known !== error || known instanceof ExportError || !(error instanceof Error)) return known;
  if ('code' in error) return error;
  const isName = /path|characters/.test(error.message);
  return badArchive(
    name,
    isName ? 'the archive has a member whose name could lead out of it' : 'the archive is damaged',
    error,
  );
};
