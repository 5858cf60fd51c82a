import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decisionIndexOf } from '../configuration/load-configuration.ts';
import { channelOfProvider, providersOf, providersReadBack } from '../configuration/parts.ts';
import { isGone, ServiceRefusal } from '../contract/refusal.ts';
import { FLAGS_AT, KEYS_PATH, NAMESAKE, POSTED, RECORD } from '../evidence/keys.ts';
import { askedOfRecord, recordDigest, type Stray } from '../evidence/stray.ts';
import { type Finding, finding } from '../judge/finding.ts';
import { calendarDate } from '../kernel/calendar.ts';
import { type FilingPeriod, isWithin } from '../kernel/period.ts';
import { compareText, shownNumber } from '../kernel/text.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import { type ClosePorts, isEmbedded } from '../periods/close-ports.ts';
import type { LockedPeriod } from '../periods/folders.ts';
import { type LockedKeys, mergedKeys, readKeys } from '../periods/keys.ts';
import type { Exports } from '../read/shapes.ts';
import { postingOf } from '../sales/sale.ts';
import { entryOf, saleKey } from '../sales/sale-name.ts';
import type { answersOf } from './gone.ts';
import { allAnswers, inLists, listing, type Named, recordName } from './listing.ts';
import { restoreRecords } from './locked.ts';
import type { Close, Reading } from './reading.ts';
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

/** Tells which records without a sale a period asks about: those of its open days, and of locked ones that it follows. */
export const askedIn =
  ({ period, locks, asked }: Pick<Close, 'period' | 'locks' | 'asked'>) =>
  (record: Named & { readonly day: string }): boolean =>
    isWithin(period, locks.openFrom(calendarDate(record.day))) && asked?.has(recordName(record)) !== false;

/**
 * Lists the rest of the days around a period, and reads what no sale has taken. What somebody answered to delete is deleted.
 *
 * @param given.ofFiles what was answered of records whose file is gone, by their digests
 * @param given.behind what the service has of locked days, and no locked folder
 * @param given.isFiled whether a locked folder has the sale of a record
 * @param given.isAsked whether the period asks about a record
 */
export const straysOf = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { listed, inUse }: ReturnType<typeof recordKeeper>,
  given: {
    readonly ofFiles: ReturnType<typeof answersOf>;
    readonly behind: readonly Named[];
    readonly isFiled: (record: Named) => boolean;
    readonly isAsked: (record: ExtraRecord) => boolean;
  },
): Promise<Strays> => {
  const { configuration, service } = ports;
  const lists = inLists(ports);
  const calendar = zoneCalendar(configuration.timeZone);
  const own = new Set(providersOf(configuration));
  const { ofFiles, behind, isFiled, isAsked } = given;
  const names: Named[] = [...behind];
  for (const provider of providersReadBack(configuration))
    for (const kind of ['order', 'refund'] as const)
      for (const id of await listed.until({ kind, provider }, period.last))
        if (!isFiled({ kind, provider, id })) names.push({ kind, provider, id });
  const records = allAnswers(await lists(names, (list) => service.showMany(list)));
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
    if (isOwn === isWithin(period, day) && isAsked(extra)) extras.push(extra);
  }
  const { ofStated } = decisionIndexOf(configuration);
  const condemned: ExtraRecord[] = [];
  const kept: ExtraRecord[] = [];
  for (const extra of extras) {
    const { code, key, stated } = askedOfRecord(extra, 'R20');
    const ofFile = ofFiles.get(stated);
    const own = ofStated(code, key, stated)?.verdict;
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

/** Returns strays with what the exports say of them. A held sale of that day tells the tax at stake itself. */
export const saidOfStrays = (
  { configuration }: ClosePorts,
  { extras }: Strays,
  { has, sales }: Exports,
): readonly Stray[] => {
  const channelOf = channelOfProvider(configuration);
  return extras.map((extra): Stray => {
    const channel = channelOf(extra.provider);
    const key = saleKey(channel, extra.kind, extra.id);
    if (!has(key)) return { channel, ...extra };
    const own = sales.read(calendarDate(extra.day)).find(({ sale }) => sale.key === key);
    const isHeld = own !== undefined && postingOf(own.sale) === 'needs review';
    const said = 'an export has it, and does not post it on that day';
    return { channel, ...extra, said, ...(isHeld && { isHeld }) };
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

/** An open period that is settled. */
type SettledPeriod = Pick<Reading, 'locks' | 'late'> & {
  readonly period: FilingPeriod;
  /** The bytes of the keys of its entries: a listing of the days before has records of its first days, too. */
  readonly keys: () => Buffer;
  /** Names of records that ask about their number: they are not those of its sales. */
  readonly inUse: ReadonlySet<string>;
};

/** Lists the days of the locked periods that an open period is the first one behind. */
export const recordsBehind = async (
  ports: ClosePorts,
  { locks, period, late: { corrections }, keys: own, inUse }: SettledPeriod,
): Promise<Behind> => {
  if (locks.periods.length === 0) return { left: [], findings: [], isFiled: () => false };
  const behind = locks.periods.filter(({ last }) => isWithin(period, locks.openFrom(last)));
  const keys = await readKeys(locks.periods);
  const decided = corrections.filter(({ choice }) => choice === 'next' || choice === 'amend');
  const added = new Set(decided.flatMap(({ entries }) => entries.map(({ sale }) => sale.key)));
  const isKnown = knownBy(ports, keys, { added, isNextKnown: true });
  const isFiled = knownBy(ports, keys);
  const isOwn = knownBy(ports, mergedKeys([own()]));
  const left: Named[] = [];
  const findings: Finding[] = [];
  for (const locked of behind) {
    const found = await namesOn(ports, locked);
    const unknown = found.filter((name) => !isKnown(name));
    left.push(...unknown.filter((name) => inUse.has(recordName(name)) || !isOwn(name)));
    const lacking = (await postedIn(locked)) - (found.length - unknown.length);
    if (lacking <= 0) continue;
    if (isEmbedded(ports)) await restoreRecords(ports, locked);
    else findings.push(missing(locked, lacking));
  }
  return { left, findings, isFiled };
};

const namesOn = async (ports: ClosePorts, locked: LockedPeriod): Promise<readonly Named[]> => {
  const listed = listing(ports, locked);
  const names: Named[] = [];
  for (const provider of providersReadBack(ports.configuration))
    for (const kind of ['order', 'refund'] as const)
      for (const id of await listed.until({ kind, provider }, locked.last))
        names.push({ kind, provider, id });
  return names;
};

/** The id of a further refund that adjusts another. */
const FURTHER = /-adj-\d+$/;

const NOTHING_DECIDED = { added: new Set<string>(), isNextKnown: false };

/** Tells whether a locked folder, or a correction that was decided, has the sale of a record. */
const knownBy = (
  { configuration }: ClosePorts,
  keys: LockedKeys,
  {
    added,
    isNextKnown,
  }: {
    readonly added: ReadonlySet<string>;
    readonly isNextKnown: boolean;
  } = NOTHING_DECIDED,
) => {
  const channelOf = channelOfProvider(configuration);
  return ({ kind, provider, id }: Named): boolean =>
    [id, id.replace(FURTHER, '')].some((name) => {
      const sale = { channel: channelOf(provider), kind, id: name };
      const { of, number } = entryOf(sale);
      const own = keys.has(of);
      const isVersion = own?.wasPosted === true && number <= own.version + (isNextKnown ? 1 : 0);
      const bare = saleKey(sale.channel, kind, name);
      return isVersion || keys.has(bare)?.wasPosted === true || added.has(bare);
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
