import { decisionIndexOf } from '../configuration/load-configuration.ts';
import { channelOfProvider, providersOf } from '../configuration/parts.ts';
import { isGone, ServiceRefusal } from '../contract/refusal.ts';
import type { GoneFile } from '../evidence/manifest.ts';
import { askedOfRecord, recordDigest, type Stray } from '../evidence/stray.ts';
import { type Finding, finding } from '../judge/finding.ts';
import { calendarDate } from '../kernel/calendar.ts';
import { isWithin } from '../kernel/period.ts';
import { compareText } from '../kernel/text.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { Exports } from '../read/shapes.ts';
import { type Posting, postingOf } from '../sales/sale.ts';
import { saleKey } from '../sales/sale-name.ts';
import { answersOf } from './gone.ts';
import { inLists, type Named, recordName } from './listing.ts';
import type { Close } from './reading.ts';
import type { recordKeeper } from './record.ts';
import { type Behind, namesUntil } from './records-behind.ts';

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
