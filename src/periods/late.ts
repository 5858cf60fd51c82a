import type { ChannelSetAside } from '../books/files-to-fill-in.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import type { Exports, Statement } from '../read/shapes.ts';
import { postingOf } from '../sales/sale.ts';
import { saleKey, serviceId } from '../sales/sale-name.ts';
import { type Case, correctionOf } from './corrections.ts';
import { isPosted, lockedSales } from './fold.ts';
import type { LockedPeriod, Locks } from './folders.ts';
import { type LockedKeys, readKeys } from './keys.ts';
import type { Correction, LockedSale, TodaysStatement } from './shapes.ts';

/** What locked periods and today's exports say of the same sales. */
export type LateItems = {
  readonly corrections: readonly Correction[];
  /** Sales of which half of a correction is locked, and nothing is stated. */
  readonly halves: readonly LockedSale[];
  /** What exports state of locked days that is in no locked folder and cannot be posted: it is open behind the lock. */
  readonly held: readonly Statement[];
  readonly rejected: readonly ChannelSetAside[];
  /** Whether a sale of a day is locked, or its day is: then it is in no open books but by a correction. */
  readonly isLocked: (key: string, day: CalendarDate) => boolean;
};

const NOTHING_LATE: LateItems = {
  corrections: [],
  halves: [],
  held: [],
  rejected: [],
  isLocked: () => false,
};

/** Compares what stands in the locked periods with what the exports state today. Lines are read of what differs alone. */
export const lateItems = async (
  locks: Locks,
  exports: Exports,
  settings: Pick<Case, 'answer' | 'policy'>,
): Promise<LateItems> => {
  if (locks.periods.length === 0) return NOTHING_LATE;
  const keys = await readKeys(locks.periods);
  const today = statementsOf(locks, exports, keys);
  const isWanted = (key: string): boolean => today.has(key) || keys.unsettled.has(keys.nameOf(key));
  const locked =
    today.size + keys.unsettled.size === 0
      ? new Map<string, LockedSale>()
      : await lockedSales(locks.periods, isWanted);
  for (const [key, { standing }] of locked)
    if (!today.has(key) && standing.length > 1) today.set(key, { key, file: '' });
  const corrections = [...today.values()].flatMap((one): Correction[] => {
    const found = correctionOf({ ...settings, locks, locked: locked.get(one.key), today: one });
    return found ? [found] : [];
  });
  return {
    corrections: corrections.sort((one, other) => (one.key < other.key ? -1 : 1)),
    ...newlyOpen(locks, exports, keys),
    halves: [...locked.values()].filter(({ key, isHalf }) => isHalf && !today.has(key)),
    isLocked: (key, day) => locks.holding(day) !== undefined || keys.has(key) !== undefined,
  };
};

/** Returns what the exports state of locked sales and of locked days, but for what stands as it is stated. */
const statementsOf = (
  locks: Locks,
  { sales, asides, undated, inputs }: Exports,
  keys: LockedKeys,
): Map<string, TodaysStatement> => {
  const fileOf = fileIn(inputs);
  const today = new Map<string, TodaysStatement>();
  for (const aside of [...undated, ...asides.days().flatMap(asides.read)]) {
    const key = keyOfAside(aside);
    if (today.has(key) || !keys.has(key)?.standing) continue;
    today.set(key, { key, aside, file: fileOf(aside) });
  }
  for (const day of sales.days()) {
    const isDayLocked = locks.holding(day) !== undefined;
    for (const statement of sales.read(day)) {
      const { key } = statement.sale;
      const own = keys.has(key);
      today.delete(key);
      if (!own && !isDayLocked) continue;
      const isAsLocked = isPosted(statement)
        ? own?.standing === 1 && own.stated === statement.stated
        : !own?.standing;
      if (!isAsLocked) today.set(key, { key, statement, file: statement.file });
    }
  }
  return today;
};

/** Returns what new files state of locked days or of locked sales, and what is held or rejected: it is asked about by itself. */
const newlyOpen = (
  { holding }: Locks,
  { sales, asides, inputs }: Exports,
  keys: LockedKeys,
): Pick<LateItems, 'held' | 'rejected'> => {
  const fileOf = fileIn(inputs);
  return {
    held: sales.days().flatMap((day) => {
      const lock = holding(day);
      return sales.read(day).filter(({ sale, stated, file }) => {
        if (postingOf(sale) !== 'needs review') return false;
        const own = keys.has(sale.key);
        return own?.stated !== stated && (lock ? !isInputOf(lock, file) : own !== undefined);
      });
    }),
    rejected: asides.days().flatMap((day) => {
      const lock = holding(day);
      const isNew = (aside: ChannelSetAside): boolean =>
        lock !== undefined && !isInputOf(lock, fileOf(aside));
      return asides.read(day).filter((aside) => aside.outcome === 'rejected' && isNew(aside));
    }),
  };
};

/** Returns what tells the SHA-256 of the file of a record that was set aside. */
const fileIn = (inputs: Exports['inputs']) => {
  const files = new Map(inputs.map(({ channel, path, sha256 }) => [`${channel}/${path}`, sha256]));
  return ({ channel, origin }: ChannelSetAside): string => files.get(`${channel}/${origin.file}`) ?? '';
};

const isInputOf = ({ content }: LockedPeriod, file: string): boolean =>
  content.inputs.some(({ sha256 }) => sha256 === file);

/** The key that a record would have as a sale; one that no sale has where its row names none. */
export const keyOfAside = ({ channel, origin, refundId }: ChannelSetAside): string =>
  refundId === undefined
    ? saleKey(channel, 'order', serviceId(origin.record))
    : saleKey(channel, 'refund', refundId);
