import type { Instant } from '../kernel/calendar.ts';
import { digestOf, type Json } from '../kernel/json.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import { knownProfiles } from '../sales/detect-profile.ts';
import type { ReadGroup } from '../sales/read-export.ts';
import type { ReadRecord, ReadSale } from '../sales/read-sale.ts';
import { addRepayment, type Repayments, repaymentsOf } from '../sales/refunds.ts';
import type { Sale, SetAside } from '../sales/sale.ts';
import { saleKey } from '../sales/sale-name.ts';
import type { RowGroup } from '../sales/table-row.ts';
import { fileTally } from './file-notes.ts';
import { type ChannelLoad, openExport } from './open-export.ts';
import {
  addAside,
  addSale,
  digestOfSale,
  type ExportFile,
  type Stores,
  seeAside,
  statedDigest,
} from './read-stores.ts';
import { copyOfSale, isSameMoment, rejectedSale } from './settle-record.ts';
import { type FileReading, keyOfAside, type Statement } from './shapes.ts';
import {
  type ListedChannel,
  repairedRows,
  type SortedFiles,
  type SourceFile,
  sortSources,
} from './sort-sources.ts';

/** An order of a number that several may have, and the moment of its creation. */
export type NumberedOrder = Pick<Sale, 'id'> & { readonly at: Instant };

/**
 * Returns the record that something later belongs to, such as a refund: the last one created before it. Returns
 * `undefined` where none was, or where another one is as likely, because it was created at nearly the same time.
 */
export const lastCreatedBefore = <Item extends NumberedOrder>(
  records: readonly Item[],
  at: Instant,
): Item | undefined => {
  const [last, ...others] = records
    .filter((record) => record.at <= at || isSameMoment(record.at, at))
    .sort((one, other) => other.at - one.at);
  const isSure =
    others.length === 0 ||
    (last && last.at <= at && !others.some((other) => isSameMoment(other.at, last.at)));
  return isSure ? last : undefined;
};

/** A file, and how it was read when all of it was settled. */
export type PassedOver = {
  readonly source: SourceFile;
  readonly settled: FileReading;
};

/** The reading of one channel. */
export type ChannelReading = ChannelLoad & {
  readonly stores: Stores;
  readonly sorted: SortedFiles;
  readonly files: readonly ExportFile[];
  /** Digest of what decides how its files are read. */
  readonly reader: string;
  /** Whether no other file adds to what an export of the channel says: neither a companion nor a repair. */
  readonly isAlone: boolean;
  /** Files that are not read, because locked periods have settled all they say. */
  readonly passedOver: readonly PassedOver[];
  /** Keys of which several places say different things. */
  readonly contested: Set<string>;
  /** Keys of which locked periods have another statement. */
  readonly disputed: Set<string>;
  /** Repayments that rows of orders tell, by the id of the order. */
  readonly repayments: Repayments;
  /** Keys of the parts of orders in several, by the key of the first. */
  readonly parts: Map<string, Set<string>>;
  /** The orders of a number that several have, by the id of the first. */
  readonly numbers: Map<string, readonly NumberedOrder[]>;
};

/** Reads the exports of a channel, each once. */
export const readChannel = async (
  stores: Stores,
  listed: ListedChannel,
  advanced: (rows: number) => void,
): Promise<ChannelReading> => {
  const { configuration } = stores;
  const { channel } = listed;
  const profiles = knownProfiles(channel.profile, configuration.resolvePath);
  const sorted = await sortSources(listed, profiles);
  const load: ChannelLoad = {
    configuration,
    channel,
    profiles,
    calendar: zoneCalendar(configuration.timeZone),
    shops: new Set(),
    repaired: await repairedRows(sorted, profiles),
  };
  const reader = readerOf(load);
  const isAlone = sorted.companions.length === 0 && load.repaired.originals.size === 0;
  const files: ExportFile[] = [];
  const passedOver: PassedOver[] = [];
  for (const source of sorted.sources) {
    const settled = isAlone ? stores.locked.settled(source.sha256, reader) : undefined;
    if (settled) {
      passedOver.push({ source, settled });
      continue;
    }
    const open = await openExport(load, source);
    files.push({ at: stores.files.length + files.length, source, open, tally: fileTally(open.meter) });
  }
  const reading: ChannelReading = {
    ...load,
    stores,
    sorted,
    files,
    reader,
    isAlone,
    passedOver,
    contested: new Set(),
    disputed: new Set(),
    repayments: new Map(),
    parts: new Map(),
    numbers: new Map(),
  };
  stores.files.push(...files);
  if (files.some(({ open }) => open.profile.shape.parts)) stores.keys.keepInstants();
  for (const file of files) await readExportFile(reading, file, advanced);
  return reading;
};

/** Digest of the profiles and settings that decide how the files of a channel are read. */
const readerOf = ({ configuration, channel: compared, profiles: { profiles } }: ChannelLoad): string => {
  const { timeZone, shipFrom, categories, policy } = configuration;
  const { expected: _, ...channel } = compared;
  const { undividedRefunds = null } = policy;
  return digestOf({
    channel,
    profiles,
    timeZone,
    shipFrom,
    categories,
    undividedRefunds,
  } as Json);
};

const readExportFile = async (
  reading: ChannelReading,
  file: ExportFile,
  advanced: (rows: number) => void,
): Promise<void> => {
  const { open } = file;
  const { see, end } = open.noted;
  for await (const batch of open.records(open.meter.pass)) {
    for (const read of batch) {
      see(read);
      const record = open.profile.shape.parts ? asKnownPart(reading, read) : read.record;
      if ('outcome' in record) takeAside(reading, file, read.group, record);
      else takeSale(reading, file, read.group, record);
    }
    advanced(batch.reduce((rows, { group }) => rows + group.rows.length, 0));
  }
  file.read = end();
};

/**
 * Keeps a record that is set aside. If another file has the record as a sale, or this file as an order above, it is
 * contested: which of them counts is seen when all files are read.
 */
const takeAside = (
  reading: ChannelReading,
  { at, open }: ExportFile,
  group: RowGroup,
  aside: SetAside,
): void => {
  const { stores, contested, channel } = reading;
  const { meter, profile } = open;
  // For a record in parts, the key alone does not show which part it would be.
  const hasParts = profile.shape.parts;
  const record = group.name === '' || hasParts ? '' : keyOfAside({ ...aside, channel: channel.name });
  if (contested.has(record)) return;
  const isRecord = !group.stray && !hasParts;
  const seen = stores.keys.get(record);
  if (seen?.isSale && (isRecord || aside.outcome === 'rejected')) {
    // Several rows of a file may be about the refund of one order, and only one of them is the refund.
    if (seen.file !== at || (isRecord && record.startsWith(`${channel.name}/order/`))) {
      contested.add(record);
      return;
    }
  }
  const controls = meter.of(group.rows);
  addAside(stores, {
    channel: channel.name,
    aside,
    record,
    controls,
    at,
  });
  if (record !== '' && aside.reason.code !== 'repaired') seeAside(stores, record, at);
};

/** Keeps a sale. The same statement once more is a duplicate; another one, or one that a file sets aside, is contested. */
const takeSale = (
  reading: ChannelReading,
  { at, open, source }: ExportFile,
  group: RowGroup,
  record: ReadSale,
): void => {
  const { stores, contested } = reading;
  const { sale, refunded } = record;
  const { key, origin } = sale;
  if (contested.has(key)) return;
  const { profile, meter } = open;
  const digest = digestOfSale(sale, refunded);
  const seen = stores.keys.get(key);
  if (seen && (seen.isSale ? seen.digest !== digest : seen.file !== at)) {
    contested.add(key);
    return;
  }
  const controls = meter.of(group.rows);
  if (seen?.isSale) {
    const first = { ...origin, file: stores.files[seen.file]?.source.name ?? '', line: seen.line };
    const aside = copyOfSale(reading, { sale, profile, rows: group.rows }, first);
    addAside(stores, {
      channel: sale.channel,
      aside,
      record: key,
      controls,
      at,
    });
    return;
  }
  const stated = statementOf(sale, source.sha256);
  if (!profile.shape.parts) seeLocked(reading, stated);
  addSale(stores, { ...stated, refunded, controls, at }, digest);
  for (const repayment of repaymentsOf(record)) addRepayment(reading.repayments, repayment);
};

/** Notes a sale of which locked periods state something else, and an order of which they do not tell which one it is. */
const seeLocked = ({ stores, contested, disputed }: ChannelReading, { sale, stated }: Statement): void => {
  const own = stores.locked.has(sale.key);
  if (own && own.stated !== stated) disputed.add(sale.key);
  const order = saleKey(sale.channel, 'order', sale.reference ?? '');
  if (sale.reference !== null && stores.locked.has(order)?.isShared) contested.add(order);
};

/** Returns what is stated of a sale, in the file with this digest. */
export const statementOf = (sale: Sale, file: string): Statement & { readonly key: string } => {
  const { key, instant: created, origin } = sale;
  const { uniqueId } = origin;
  const identity = { ...(uniqueId && { sourceId: uniqueId }), created };
  return {
    key,
    sale,
    stated: statedDigest(sale),
    file,
    identity,
  };
};

/**
 * Returns a record under the id of its part. An order that ships twice, or is refunded twice, has one id in its source:
 * `112-S2` is the second shipment of order 112, `112-refund-2` its second refund. Each part keeps the number with which
 * it was first found, and is recognised by its instant. Two kinds of reports tell a sale at two times, so a further part
 * from the other one may be the same sale once more, and is rejected.
 */
export const asKnownPart = (reading: ChannelReading, { group, record }: ReadGroup): ReadRecord => {
  if (!('sale' in record)) return record;
  const { sale } = record;
  const mark = sale.kind === 'order' ? '-S' : '-';
  const parts = knownParts(reading, sale.key, mark);
  const same = parts.find(({ instant }) => instant === sale.instant);
  const other = parts.find(({ report }) => report !== sale.origin.report);
  if (!same && other) {
    const message = `another kind of report (${other.report ?? 'without parts of orders'}) has told of this ${sale.kind} at another time, and only that counts`;
    return rejectedSale(sale, group.rows, { code: 'other-report', message });
  }
  const key = same?.key ?? (parts.length === 0 ? sale.key : `${sale.key}${mark}${parts.length + 1}`);
  if (key === sale.key) return record;
  if (sale.kind === 'order')
    reading.parts.set(sale.key, (reading.parts.get(sale.key) ?? new Set([sale.key])).add(key));
  const part: Sale = { ...sale, key, id: `${sale.id}${key.slice(sale.key.length)}` };
  return { ...record, sale: part };
};

/** Returns the parts of a sale that were read so far, with the kinds of reports that told them. */
const knownParts = ({ stores }: ChannelReading, key: string, mark: string) => {
  const parts: (Pick<Sale, 'key' | 'instant'> & { readonly report: string | undefined })[] = [];
  for (let number = 1; ; number += 1) {
    const own = number === 1 ? key : `${key}${mark}${number}`;
    const seen = stores.keys.get(own);
    if (!seen?.isSale) return parts;
    const { profile } = stores.files[seen.file]?.open ?? {};
    parts.push({ key: own, instant: seen.instant, report: profile?.shape.parts ? profile.id : undefined });
  }
};
