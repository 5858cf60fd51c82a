import { stat } from 'node:fs/promises';
import { zoneCalendar } from '../../../../kernel/calendar.ts';
import type { Json } from '../../../../kernel/digest.ts';
import { DefectError, TieoutError } from '../../../../kernel/errors.ts';
import { ExportError } from '../../../sales/export-error.ts';
import { surveyFile } from '../../../sales/files/survey-file.ts';
import { knownProfiles } from '../../../sales/load-profiles.ts';
import type { Share } from '../../../sales/read-export.ts';
import type { Advanced, ClosePorts } from '../../run/close-ports.ts';
import type { FileNotes } from '../reading/file-notes.ts';
import { type OpenExport, openExport } from '../reading/open-export.ts';
import { readingBasis } from '../reading/reading-basis.ts';
import type { SourceFile } from '../reading/source-file.ts';
import {
  type PreparedAside,
  type PreparedRecord,
  type PreparedSale,
  preparedRecord,
} from '../sales/prepared-record.ts';
import type { PartShare } from './shares.ts';

/** A share of an export, as data that is sufficient for any thread or worker with the same configuration. */
export type ShareToRead = PartShare & {
  readonly channel: string;
  /** Digest of everything except the bytes that decides how its rows are read. */
  readonly basis: string;
  /** The number of the load. */
  readonly load: number;
  readonly file: SourceFile;
  /** The position of the file in reading order. */
  readonly index: number;
};

/** The result of reading a share. Without `begins`, the share could not be read on its own. */
export type SharedRecords = Pick<Share, 'begins' | 'ends'> & {
  readonly number: number;
  readonly batches: readonly SharedBatch[];
};

/** Whether the result of reading a share leaves it to the close. */
export const isUnread = (result: Json): boolean => (result as unknown as SharedRecords).begins === undefined;

export type SharedBatch = {
  /** The line on which its first record begins. */
  readonly line: number;
  readonly notes: FileNotes;
  readonly records: readonly SentRecord[];
};

/** A record without its rows, which are rarely needed. To get them, read the share again. */
export type SentRecord = PreparedAside | Omit<PreparedSale, 'rows'>;

const sentRecord = (record: PreparedRecord): SentRecord => {
  if ('aside' in record) return record;
  const { rows: _, ...sent } = record;
  return sent;
};

/**
 * Read a share of an export. The result may only be used if it fits the neighbouring shares.
 *
 * A share is left to the close where the seller's own profile is another one, or has been corrected since.
 *
 * @param isElsewhere whether this may be another machine; then its file must have the same content
 */
export const readShare = async (
  ports: ClosePorts,
  asked: ShareToRead,
  advanced: Advanced,
  isElsewhere = false,
): Promise<Json> => {
  const { number, part, first, last, load, index } = asked;
  const share: Share = { first: first ?? undefined, last: last ?? undefined };
  const owner = { workspace: ports.workspace, channel: { name: asked.channel }, number: load };
  const batches: SharedBatch[] = [];
  let rows = 0;
  try {
    const opened = await exportOf(ports, asked, isElsewhere);
    if (!opened) return { number, batches: [] };
    const { sales, stamp } = opened;
    for await (const { records, notes } of sales.records(part, share)) {
      const line = records[0]?.group.rows[0]?.line ?? part.line;
      const prepared = records.map((read) =>
        sentRecord(preparedRecord(owner, { ...sales, file: index }, read)),
      );
      batches.push({ line, notes, records: prepared });
      rows += notes.whole.rows;
      advanced(rows);
    }
    // A copy here may be replaced while its shares are read.
    if (isElsewhere && (await stampOf(asked.file)) !== stamp) {
      openedLast.delete(ports);
      return { number, batches: [] };
    }
  } catch (error) {
    // A full reading reports what is wrong with the file, or with the seller's own profile.
    if (!(error instanceof ExportError || isOfProfile(error))) throw error;
    return { number, batches: [] };
  }
  const { begins, ends } = share;
  return { number, batches, begins, ends } satisfies SharedRecords as unknown as Json;
};

const isOfProfile = (error: unknown): boolean =>
  error instanceof TieoutError && error.code.startsWith('E_PROFILE_');

/** An export, and its file as it was when its content was compared; without a stamp it is the close's own. */
type Opened = { readonly sales: OpenExport; readonly stamp: string | undefined };

/** The export that was opened last; most shares belong to it. */
const openedLast = new WeakMap<
  ClosePorts,
  { readonly of: string; readonly opened: Promise<Opened | undefined> }
>();

/** Returns what differs when a file is replaced by another one; `undefined` when it is gone. */
const stampOf = async ({ path }: SourceFile): Promise<string | undefined> => {
  const found = await stat(path).catch(() => undefined);
  return found && `${found.ino} ${found.size} ${found.mtimeMs}`;
};

/** Returns the export that a share belongs to; `undefined` when its file or its profile is another one here. */
const exportOf = async (
  ports: ClosePorts,
  { channel: name, basis, file }: ShareToRead,
  isElsewhere: boolean,
): Promise<Opened | undefined> => {
  const { configuration } = ports;
  const channel = configuration.channels.find((one) => one.name === name);
  if (!channel) throw new DefectError(`a share of an export of ${name}, which is not a channel`);
  if (readingBasis(ports, channel) !== basis) return undefined;
  const of = JSON.stringify([name, basis, file]);
  const last = openedLast.get(ports);
  if (last?.of === of) return last.opened;
  const load = {
    configuration,
    channel,
    calendar: zoneCalendar(configuration.timeZone),
    profiles: knownProfiles(channel.profile, configuration.resolvePath),
    repaired: { places: new Map(), originals: new Map() },
  };
  const open = async (): Promise<Opened | undefined> => {
    const stamp = isElsewhere ? await stampOf(file) : undefined;
    const isSame = !isElsewhere || (await surveyFile(file)).sha256 === file.sha256;
    return isSame ? { sales: await openExport(load, file), stamp } : undefined;
  };
  const opened = open();
  // The reading of a share throws the failure.
  opened.catch(() => {});
  openedLast.set(ports, { of, opened });
  return opened;
};
