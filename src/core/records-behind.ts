import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { channelOfProvider, providersReadBack } from '../configuration/parts.ts';
import { FLAGS_AT, KEYS_PATH, NAMESAKE, POSTED, RECORD } from '../evidence/keys.ts';
import { type Finding, finding } from '../judge/finding.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { isWithin } from '../kernel/period.ts';
import { shownNumber } from '../kernel/text.ts';
import { type ClosePorts, isEmbedded } from '../periods/close-ports.ts';
import type { LockedPeriod } from '../periods/folders.ts';
import { type LockedKeys, mergedKeys, readKeys } from '../periods/keys.ts';
import { decidedEntries } from '../periods/late.ts';
import { entryOf, saleKey } from '../sales/sale-name.ts';
import { listing, type Named, recordName } from './listing.ts';
import { restoreRecords } from './locked.ts';
import type { Close } from './reading.ts';

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
export const namesUntil = async (
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
