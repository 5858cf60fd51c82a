import { hash } from 'node:crypto';
import type { Order, Refund } from '../contract/transaction.ts';
import type { FieldDifference } from '../judge/compare-record.ts';
import { negated, type ReconciledSale, statusOf } from '../judge/reconciled-sale.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { moneyOfPrice } from '../kernel/money.ts';
import { amendedLabel, amendedPeriod, type FilingPeriod, isWithin } from '../kernel/period.ts';
import { postingOf, type Sale } from '../sales/sale.ts';
import { correctionId, type LateVersion, nameOfKey, reversalId, saleKey } from '../sales/sale-name.ts';
import {
  type Correction,
  type CorrectionEntry,
  isPosted,
  type LateChoice,
  type LockedEntry,
  type LockedSale,
  numberOf,
  type Place,
  type TodaysStatement,
  takenBackBy,
} from './fold.ts';
import type { LockedPeriod, Locks } from './folders.ts';

/** What a correction follows from. */
export type Case = {
  readonly locked: LockedSale | undefined;
  readonly today: TodaysStatement;
  readonly locks: Pick<Locks, 'holding' | 'openFrom' | 'periods'>;
  /** Returns what a person answered about the sale as it is stated now, or about how its file is read now. */
  readonly answer: (today: TodaysStatement, stated: string, isReread: boolean) => LateChoice | undefined;
  /** What happens without an answer, unless only a person may decide. */
  readonly policy: LateChoice;
};

/**
 * Returns the difference between what stands of one sale in the locked folders and what the exports state today: whatever
 * stands and is not today's statement is reversed, and today's statement is put beside if it does not stand. It is one
 * rule for sales that are new, changed, withdrawn, back again or moved.
 */
export const correctionOf = (given: Case): Correction | undefined => {
  const { locked, today, locks, policy } = given;
  const { key, statement } = today;
  if (isAskedBefore(today)) return undefined;
  const { versions = [], standing = [] } = locked ?? {};
  const isOwed = statement === undefined && today.aside === undefined;
  const isSale = statement !== undefined && isPosted(statement);
  const lastStanding = standing.at(-1);
  const stated = statedOf(today, lastStanding);
  const agreeing = isSale ? standing.findLast((version) => version.stated === stated) : undefined;
  const kept = isOwed ? lastStanding : agreeing;
  if (isSale && !kept && isOlder(versions, lastStanding, today)) return undefined;
  const taken = standing.filter((version) => version !== kept);
  const added = isSale && !kept ? statement : undefined;
  if (taken.length === 0 && !added) return undefined;
  const own = statement && locks.holding(statement.sale.businessDate);
  // An ordinary sale of an open day.
  if (!locked && !own) return undefined;
  const from = taken.at(-1);
  const period = from
    ? (locks.holding(from.sale.businessDate) ?? from.period)
    : (own ?? versions.at(-1)?.period);
  if (!period) return undefined;
  // Out of the same bytes as the locked entry: only the program or the configuration reads them otherwise.
  const isReread = from !== undefined && from.file !== '' && from.file === today.file;
  const choice = given.answer(today, stated, isReread) ?? (isReread ? 'ask' : policy);
  const placeOf = (day: CalendarDate, holder: FilingPeriod | undefined): Place => {
    const amended = choice === 'amend' ? (locks.holding(day) ?? holder) : undefined;
    return amended ? { amends: amended.label } : { day: locks.openFrom(holder ? holder.last : day) };
  };
  const version = (number: number, isReversal: boolean): LateVersion => ({
    of: key,
    number,
    isReversal,
    source: period.label,
    ...(choice === 'amend' && { amended: true as const }),
    ...(isReversal && (added || kept) && { gives: stated }),
  });
  const entries = taken.map((entry): CorrectionEntry => {
    const number = takenBackBy(versions, versions.indexOf(entry));
    return {
      sale: reversalOf(entry.sale, reversalId(nameOfKey(key).id, number), today),
      marks: { stated: entry.stated, identity: entry.identity, version: version(number, true) },
      reverses: entry,
      place: placeOf(entry.sale.businessDate, entry.period),
    };
  });
  if (added) {
    const { sale, identity } = added;
    const wasFiled = versions.some(isPosted) || (locked?.reversals.size ?? 0) > 0;
    // The first version keeps the name of the sale.
    const number = wasFiled ? numberOf(versions.at(-1)) + 1 : 0;
    entries.push({
      sale: number === 0 ? sale : renamed(sale, correctionId(nameOfKey(key).id, number)),
      marks: { stated, identity, version: version(number, false) },
      place: placeOf(sale.businessDate, undefined),
    });
  }
  return {
    key,
    stated,
    period: period.label,
    choice,
    entries,
    today,
    isReread,
  };
};

/** The digest of what is stated today. A record that was set aside states why; a reversal that is owed states what stands. */
const statedOf = ({ statement, aside }: TodaysStatement, standing: LockedEntry | undefined): string =>
  statement?.stated ??
  (aside
    ? hash('sha256', `${aside.outcome} ${aside.reason.code} ${standing?.stated}`).slice(0, 16)
    : (standing?.stated ?? ''));

/**
 * Whether it is what an earlier version stated, out of the very file that was read then: that says nothing new. One that
 * was held then is posted by a decision now.
 */
const isOlder = (
  versions: readonly LockedEntry[],
  last: LockedEntry | undefined,
  { statement, file }: TodaysStatement,
): boolean =>
  versions.some(
    (version) =>
      version !== last && isPosted(version) && version.stated === statement?.stated && version.file === file,
  );

/** Whether the sale is held or unreadable now: what becomes of it is asked first, and it is never a withdrawal. */
const isAskedBefore = ({ statement, aside }: TodaysStatement): boolean =>
  aside?.outcome === 'rejected' || (statement !== undefined && postingOf(statement.sale) === 'needs review');

/** Reverses an order with a refund, and a refund with an order, dated on the day of the locked entry. */
const reversalOf = (
  { partOf: _, ...sale }: Sale,
  id: string,
  { statement, aside }: TodaysStatement,
): Sale => {
  const isOrder = sale.kind === 'order';
  const reversed: Sale = {
    ...sale,
    kind: isOrder ? 'refund' : 'order',
    reference: isOrder ? sale.id : null,
    findings: [],
    origin: statement?.sale.origin ?? aside?.origin ?? sale.origin,
    rows: 0,
  };
  return renamed(reversed, id);
};

const renamed = (sale: Sale, id: string): Sale => ({
  ...sale,
  id,
  key: saleKey(sale.channel, sale.kind, id),
});

/** Whether an entry counts in an open period, or in the amended version with this label. */
export const countsIn = ({ place }: CorrectionEntry, locks: Locks, period: FilingPeriod): boolean => {
  if ('day' in place) return isWithin(period, place.day);
  return nextLabel(locks, place.amends) === period.label;
};

/** Returns the version of a period that is locked and in effect. */
export const inEffect = ({ periods, ofReturns }: Locks, label: string): LockedPeriod | undefined =>
  [...periods, ...ofReturns].find((period) => period.label === amendedPeriod(label));

/** Returns the label of the amended version that follows the one in effect. */
export const nextLabel = (locks: Locks, label: string): string =>
  amendedLabel(label, (inEffect(locks, label)?.version ?? 0) + 1);

/** Whether an item of a locked period is asked about in this open period: the first open one behind the lock. */
export const isOpenIn = (
  { period }: Pick<Correction, 'period'>,
  locks: Locks,
  open: FilingPeriod,
): boolean => {
  const lock = locks.periods.find(({ label }) => label === period);
  return lock !== undefined && isWithin(open, locks.openFrom(lock.last));
};

/** Returns the versions that are amended together with this one: a sale that moved between locked periods is in both or in neither. */
export const amendedTogether = (corrections: readonly Correction[], label: string): readonly string[] => {
  const together = new Set([label]);
  const groups = corrections
    .filter(({ choice }) => choice === 'amend')
    .map(({ entries }) => entries.flatMap(({ place }) => ('amends' in place ? [place.amends] : [])));
  for (let size = 0; size < together.size; ) {
    size = together.size;
    for (const group of groups)
      if (group.some((one) => together.has(one))) for (const one of group) together.add(one);
  }
  return [...together];
};

/**
 * Returns the figures of a reversal: those of the filed record with the opposite sign. They are not calculated again,
 * because a reversal must cancel what is in the return, whatever the rates are now. The opinion of a second engine is
 * about the filed record alone.
 */
export const reversedFigures = (
  filed: ReconciledSale,
  now: {
    readonly recorded: Order | Refund | undefined;
    readonly differences: readonly FieldDifference[];
    readonly detail: string;
  },
): ReconciledSale => {
  const { secondOpinion: _, ...figures } = negated(filed);
  const { differences, detail } = now;
  const recorded = now.recorded ? moneyOfPrice(now.recorded.sales_tax) : null;
  return { ...figures, status: statusOf({ ...filed, recorded, differences }), recorded, differences, detail };
};
