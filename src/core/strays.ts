import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decisionIndexOf } from '../configuration/load-configuration.ts';
import { channelOfProvider, providersOf, providersReadBack } from '../configuration/parts.ts';
import { isGone, ServiceRefusal } from '../contract/refusal.ts';
import { FLAGS_AT, KEYS_PATH, NAMESAKE, POSTED, RECORD } from '../evidence/keys.ts';
import type { GoneFile } from '../evidence/manifest.ts';
import { askedOfRecord, recordDigest, type Stray } from '../evidence/stray.ts';
import { type Finding, finding } from '../judge/finding.ts';
import { type CalendarDate, calendarDate } from '../kernel/calendar.ts';
import { isWithin } from '../kernel/period.ts';
import { compareText, shownNumber } from '../kernel/text.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import { type ClosePorts, isEmbedded } from '../periods/close-ports.ts';
import type { LockedPeriod } from '../periods/folders.ts';
import { type LockedKeys, mergedKeys, readKeys } from '../periods/keys.ts';
import { decidedEntries } from '../periods/late.ts';
import type { Exports } from '../read/shapes.ts';
import { type Posting, postingOf } from '../sales/sale.ts';
import { entryOf, saleKey } from '../sales/sale-name.ts';
import { answersOf } from './gone.ts';
import { inLists, listing, type Named, recordName } from './listing.ts';
import { restoreRecords } from './locked.ts';
import type { Close } from './reading.ts';
import type { recordKeeper } from './record.ts';

/** A record of the service that is dated in the period. */
export type ExtraRecord = Omit<Stray, 'channel' | 'said' | 'isHeld'>;

/** What the service has on the days of a period and no sale stands for. */
export type Strays = {
  readonly extras: readonly ExtraRecord[];
  /** How many were deleted, because somebody answered so. */
  readonly deleted: number;
  /** Records that are listed, and shown under no source. */
  readonly unshown: readonly Named[];
};

/** Whether a period asks about a record without a sale: of its open days, or of locked ones that it follows. */
const isAskedIn = ({ period, locks, asked }: Close, record: ExtraRecord): boolean =>
  isWithin(period, locks.openFrom(calendarDate(record.day))) && asked?.has(recordName(record)) !== false;

/**
 * Lists the rest of the days around a period, and reads what no sale has taken. What somebody answered to delete is deleted.
 *
 * @param gone the files of earlier closes that are gone: somebody may have answered of the records that they stated
 */
export const straysOf = async (
  close: Close,
  { listed, inUse }: ReturnType<typeof recordKeeper>,
  { left: behind, isFiled }: Behind,
  gone: readonly GoneFile[],
): Promise<Strays> => {
  const { ports, period } = close;
  const { configuration, service } = ports;
  const decisions = decisionIndexOf(configuration);
  const calendar = zoneCalendar(configuration.timeZone);
  const own = new Set(providersOf(configuration));
  const others = await namesUntil(ports, listed, period.last);
  const names = [...behind, ...others.filter((name) => !isFiled(name))];
  const records = await inLists(ports)(names, (list) => service.showMany(list));
  const extras: ExtraRecord[] = [];
  const unshown: Named[] = [];
  for (const [index, record] of records.entries()) {
    const name = names[index] as Named;
    if (!record) {
      unshown.push(name);
      continue;
    }
    // A service may ignore the source that a listing asks for.
    if (!own.has(name.provider) && record.provider !== name.provider) continue;
    const day = calendar.dateAt(record.transaction_date);
    const isNamed = inUse.has(recordDigest(record));
    const extra = { ...name, day, record, ...(isNamed && { isNamed }) };
    // Days around the period are listed as well; those of locked periods are asked for by themselves.
    const isOwn = index >= behind.length;
    if (isOwn === isWithin(period, day) && isAskedIn(close, extra)) extras.push(extra);
  }
  const ofFiles = answersOf(gone, decisions);
  const condemned: ExtraRecord[] = [];
  const kept: ExtraRecord[] = [];
  for (const extra of extras) {
    const { code, key, stated } = askedOfRecord(extra, 'R20');
    const ofFile = ofFiles.get(stated);
    const own = decisions.ofStated(code, key, stated)?.verdict;
    if ((ofFile ?? own) === 'delete') condemned.push(extra);
    // One finding a file tells of all that is kept of it.
    else if (ofFile !== 'keep') kept.push(own === 'keep' ? { ...extra, isKept: true } : extra);
  }
  const left = await deleteRecords(ports, condemned);
  return {
    extras: [...kept, ...left],
    deleted: condemned.length - left.length,
    unshown: await shownNowhere(ports, unshown),
  };
};

/** A listing may ignore the source; then a record is listed for every source and shown for its own alone. */
const shownNowhere = async (
  { configuration, service }: ClosePorts,
  unshown: readonly Named[],
): Promise<readonly Named[]> => {
  let left = [...new Map(unshown.map((one) => [`${one.kind} ${one.id}`, one])).values()];
  for (const provider of left.length === 0 ? [] : providersOf(configuration)) {
    const shown = await service.showMany(left.map(({ kind, id }) => ({ kind, id, provider })));
    left = left.filter((_, index) => shown[index] === undefined);
  }
  return left;
};

/** Returns the finding for each record that the service lists and then answers 404 for. */
export const findingsOfUnshown = ({ unshown }: Strays): readonly Finding[] =>
  unshown.map(({ kind, id, provider }) =>
    finding(
      'listed-not-shown',
      `the service lists this ${kind} for "${provider}" and answers 404 when asked for it, so what it holds is not known`,
      { record: id },
    ),
  );

/** Deletes records, refunds before their orders, and returns those that the service does not give up. */
const deleteRecords = async (
  { service }: ClosePorts,
  records: readonly ExtraRecord[],
): Promise<readonly ExtraRecord[]> => {
  const left: ExtraRecord[] = [];
  for (const one of records.toSorted((a, b) => compareText(b.kind, a.kind))) {
    const { kind, id, provider } = one;
    try {
      await service.remove(kind, id, { provider });
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error;
      if (!isGone(error)) left.push(one);
    }
  }
  return left;
};

/** Returns strays with what the exports say of them, or of the orders of refunds. A held sale tells the tax at stake itself. */
export const saidOfStrays = (
  { configuration }: ClosePorts,
  { extras }: Strays,
  { has, sales }: Exports,
): readonly Stray[] => {
  const channelOf = channelOfProvider(configuration);
  const keysOf = ({ provider, kind, id, record }: ExtraRecord): readonly [own: string, order: string] => {
    const order = 'transaction_reference_id' in record ? record.transaction_reference_id : undefined;
    return [saleKey(channelOf(provider), kind, id), saleKey(channelOf(provider), 'order', order ?? '')];
  };
  const wanted = new Set(extras.flatMap(keysOf));
  const postings = new Map<string, Posting>();
  for (const day of extras.length === 0 ? [] : sales.days())
    for (const { sale } of sales.find(day, (key) => wanted.has(key))) postings.set(sale.key, postingOf(sale));
  return extras.map((extra): Stray => {
    const channel = channelOf(extra.provider);
    const [own, order] = keysOf(extra);
    const key = has(own) ? own : order;
    if (!has(key) || (key === order && postings.get(key) === 'posted')) return { channel, ...extra };
    const said = `an export has ${key === own ? 'it' : 'its order'}, and does not post it on that day`;
    return { channel, ...extra, said, ...(postings.get(key) === 'needs review' && { isHeld: true }) };
  });
};

/** What the service has of locked days, and no locked folder: it is asked about in the first open period behind them. */
export type Behind = {
  readonly left: readonly Named[];
  /** What is missing of a remote service. One of our own gets the records back as the folders have them. */
  readonly findings: readonly Finding[];
  /** Whether a locked folder has the sale of a record, whichever day that has in the time zone of now. */
  readonly isFiled: (record: Named) => boolean;
};

/**
 * Lists the days of the locked periods that an open period is the first one behind.
 *
 * @param keysOf returns the bytes of the keys of its entries: a listing of the days before has records of its first days, too
 * @param inUse names of records that ask about their number: they are not those of its sales
 */
export const recordsBehind = async (
  { ports, period, locks, late }: Close,
  keysOf: () => Iterable<Buffer>,
  inUse: ReadonlySet<string>,
): Promise<Behind> => {
  if (locks.periods.length === 0) return { left: [], findings: [], isFiled: () => false };
  const behind = locks.periods.filter(({ last }) => isWithin(period, locks.openFrom(last)));
  const keys = await readKeys(locks.periods);
  const added = new Set(decidedEntries(late).map(({ sale }) => sale.key));
  const isKnown = knownBy(ports, keys, added);
  const isFiled = knownBy(ports, keys);
  const isOwn = knownBy(ports, mergedKeys([...keysOf()]));
  const left: Named[] = [];
  const findings: Finding[] = [];
  for (const locked of behind) {
    const found = await namesUntil(ports, listing(ports, locked), locked.last);
    const unknown = found.filter((name) => !isKnown(name));
    left.push(...unknown.filter((name) => inUse.has(recordName(name)) || !isOwn(name)));
    const lacking = (await postedIn(locked)) - (found.length - unknown.length);
    if (lacking <= 0) continue;
    if (isEmbedded(ports)) await restoreRecords(ports, locked);
    else findings.push(missing(locked, lacking));
  }
  return { left, findings, isFiled };
};

/** Returns the names that are listed around some days, under all sources, and that no sale has taken. */
const namesUntil = async (
  { configuration }: ClosePorts,
  listed: ReturnType<typeof listing>,
  last: CalendarDate,
): Promise<readonly Named[]> => {
  const names: Named[] = [];
  for (const provider of providersReadBack(configuration))
    for (const kind of ['order', 'refund'] as const)
      for (const id of await listed.until({ kind, provider }, last)) names.push({ kind, provider, id });
  return names;
};

/** The id of a further refund that adjusts another. */
const FURTHER = /-adj-\d+$/;

/**
 * Tells whether a locked folder, or a correction that was decided, has the sale of a record.
 *
 * @param added the keys that decided corrections add, if they count: then the next version of a filed sale does, too
 */
const knownBy = ({ configuration }: ClosePorts, keys: LockedKeys, added?: ReadonlySet<string>) => {
  const channelOf = channelOfProvider(configuration);
  return ({ kind, provider, id }: Named): boolean =>
    [id, id.replace(FURTHER, '')].some((name) => {
      const sale = { channel: channelOf(provider), kind, id: name };
      const { of, number } = entryOf(sale);
      const own = keys.has(of);
      const isVersion = own?.wasPosted === true && number <= own.version + (added ? 1 : 0);
      const bare = saleKey(sale.channel, kind, name);
      return isVersion || keys.has(bare)?.wasPosted === true || added?.has(bare) === true;
    });
};

/** Returns how many posted entries a locked folder has. */
const postedIn = async ({ folder }: LockedPeriod): Promise<number> => {
  const bytes = await readFile(join(folder, KEYS_PATH));
  let count = 0;
  for (let at = FLAGS_AT; at < bytes.length; at += RECORD) {
    const flags = bytes[at] ?? 0;
    if ((flags & POSTED) !== 0 && (flags & NAMESAKE) === 0) count += 1;
  }
  return count;
};

const missing = ({ name }: LockedPeriod, count: number): Finding =>
  finding(
    'locked-records-missing',
    `the service lacks ${shownNumber(count, 'record')} of ${name}, which is locked; nothing is sent for them`,
    { record: name },
  );
