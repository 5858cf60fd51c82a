import { decisionIndexOf } from '../configuration/load-configuration.ts';
import { channelOfProvider, providersOf, providersReadBack } from '../configuration/parts.ts';
import { isGone, ServiceRefusal } from '../contract/refusal.ts';
import { askedOfRecord, recordDigest, type Stray } from '../evidence/stray.ts';
import { type CalendarDate, calendarDate } from '../kernel/calendar.ts';
import { type FilingPeriod, isWithin } from '../kernel/period.ts';
import { compareText } from '../kernel/text.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { Locks } from '../periods/folders.ts';
import { keyOfAside } from '../periods/late.ts';
import type { Exports } from '../read/shapes.ts';
import { postingOf } from '../sales/sale.ts';
import { saleKey } from '../sales/sale-name.ts';
import type { answersOf } from './gone.ts';
import { allAnswers, inLists, type Named, recordName } from './listing.ts';
import type { recordKeeper } from './record.ts';

/** A record of the service that is dated in the period. */
export type ExtraRecord = Omit<Stray, 'channel' | 'said' | 'isHeld'>;

/** What the service has on the days of a period and no sale stands for. */
export type Strays = {
  readonly extras: readonly ExtraRecord[];
  /** Records that it lists and does not show. */
  readonly unshown: readonly Named[];
  /** How many were deleted, because somebody answered so. */
  readonly deleted: number;
  /** Records that it lists around the period, all in all. */
  readonly listed: number;
};

/**
 * Tells which records without a sale a period asks about: those of its open days, and of locked ones that it follows.
 *
 * @param given.elsewhere names of records that the books of other periods have
 */
export const askedIn =
  (given: {
    readonly period: FilingPeriod;
    readonly locks: Pick<Locks, 'openFrom'>;
    readonly elsewhere?: ReadonlySet<string>;
  }) =>
  (record: Named & { readonly day: string }): boolean => {
    const { period, locks, elsewhere } = given;
    return isWithin(period, locks.openFrom(calendarDate(record.day))) && !elsewhere?.has(recordName(record));
  };

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
    unshown: await shownNowhere(ports, unshown),
    deleted: condemned.length - left.length,
    listed: listed.count(),
  };
};

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

/** A listing may ignore the source; then a record is listed for every source and shown for its own alone, if at all. */
const shownNowhere = async (
  { configuration, service }: ClosePorts,
  unshown: readonly Named[],
): Promise<readonly Named[]> => {
  const named = new Map(unshown.map((one) => [`${one.kind} ${one.id}`, one]));
  let left = [...named.values()];
  for (const provider of left.length === 0 ? [] : providersOf(configuration)) {
    const shown = await service.showMany(left.map(({ kind, id }) => ({ kind, id, provider })));
    left = left.filter((_, index) => shown[index] === undefined);
  }
  return left;
};

/** What the exports state of a record that is not a posted sale of the period. */
type Said = {
  readonly what: string;
  readonly isPosted: boolean;
  readonly isHeld: boolean;
};

/** Returns strays with what the exports say of them. */
export const saidOfStrays = (
  { configuration }: ClosePorts,
  { extras }: Strays,
  exports: Exports,
): readonly Stray[] => {
  const channelOf = channelOfProvider(configuration);
  const named = extras.map((extra) => {
    const { provider, kind, id, record } = extra;
    const channel = channelOf(provider);
    const isOfOrder = kind === 'refund' && 'transaction_reference_id' in record;
    const order = (isOfOrder && record.transaction_reference_id) || '';
    return {
      extra,
      channel,
      key: saleKey(channel, kind, id),
      order: saleKey(channel, 'order', order),
    };
  });
  const keys = new Set(named.flatMap(({ key, order }) => [key, order]));
  const said = saidOf(exports, keys, new Set(extras.map(({ day }) => calendarDate(day))));
  return named.map(({ extra, channel, key, order }): Stray => {
    const { what, isHeld } = said.get(key) ?? ofOrder(said.get(order)) ?? NOTHING_SAID;
    return {
      channel,
      ...extra,
      ...(what !== '' && { said: what }),
      ...(isHeld && { isHeld }),
    };
  });
};

const NOTHING_SAID: Said = { what: '', isPosted: false, isHeld: false };

/** Returns the statement for a refund that is derived from its order alone: it depends on the posting of the order. */
const ofOrder = (order: Said | undefined): Said | undefined =>
  order && !order.isPosted ? { ...order, what: `of its order, ${order.what}` } : undefined;

/** What is said of a record on its own day counts also where the day is locked. */
const saidOf = (
  { asides, undated, sales }: Exports,
  keys: ReadonlySet<string>,
  own: ReadonlySet<CalendarDate>,
): ReadonlyMap<string, Said> => {
  const said = new Map<string, Said>();
  if (keys.size === 0) return said;
  const days = new Set([...asides.days(), ...own]);
  const all = [...[...days].flatMap(asides.read), ...undated];
  // If a record has several places, the first one counts.
  for (const aside of all.reverse()) {
    const { origin, outcome, reason } = aside;
    const what = `${origin.file}:${origin.line} is ${outcome}: ${reason.message}`;
    said.set(keyOfAside(aside), { ...NOTHING_SAID, what });
  }
  for (const day of sales.days())
    for (const { sale } of sales.read(day)) {
      if (!keys.has(sale.key)) continue;
      const posting = postingOf(sale);
      const isPosted = posting === 'posted';
      const what = isPosted ? `of ${sale.businessDate} now` : `not posted (${posting})`;
      const place = `${sale.origin.file}:${sale.origin.line}`;
      said.set(sale.key, {
        what: `${place} is ${what}`,
        isPosted,
        isHeld: posting === 'needs review',
      });
    }
  return said;
};
