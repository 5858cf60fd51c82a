import type { Span } from '../judge/period-totals.ts';
import { addDays, type CalendarDate } from '../kernel/calendar.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import { batchesOf, failingGate } from '../runtime/batches.ts';

/** The records of one kind and source. */
export type Shelf = {
  readonly kind: 'order' | 'refund';
  readonly provider: string;
};

export type Named = Shelf & { readonly id: string };

export const recordName = ({ provider, kind, id }: Named): string => `${provider}/${kind}/${id}`;

/** UTC days that are listed at once, at most. */
const DAYS_AT_ONCE = 4;

/**
 * Lists what the service has around a period, each UTC day once and as late as possible, so that memory holds the ids of
 * a few days. An id that a sale stands for is taken out; what is left at the end has no sale.
 */
export const listing = (ports: ClosePorts, period: Span) => {
  const shelves = new Map<string, Listed>();
  let count = 0;
  const of = ({ kind, provider }: Shelf): Listed => {
    const name = `${kind} ${provider}`;
    const known = shelves.get(name) ?? {
      shelf: { kind, provider },
      ids: new Set(),
      before: new Set(),
      next: addDays(period.first, -1),
    };
    shelves.set(name, known);
    return known;
  };
  const listOnce = async (listed: Listed, end: CalendarDate): Promise<void> => {
    const last = addDays(listed.next, DAYS_AT_ONCE - 1);
    const days = { first: listed.next, last: last < end ? last : end };
    const ids = await idsOn(ports, listed.shelf, days);
    for (const id of ids)
      if (!listed.before.has(id)) {
        listed.ids.add(id);
        count += 1;
      }
    listed.before = ids;
    listed.next = addDays(days.last, 1);
  };
  const end = addDays(period.last, 2);
  return {
    /** Lists up to two days behind a business day, which has records of its own UTC day and of the next. */
    until: async (shelf: Shelf, day: CalendarDate): Promise<ReadonlySet<string>> => {
      const listed = of(shelf);
      while (listed.next <= end && listed.next <= addDays(day, 2)) await listOnce(listed, end);
      return listed.ids;
    },
    /** Takes an id out, because a sale stands for it. Returns whether it was listed. */
    take: (name: Named): boolean => of(name).ids.delete(name.id),
    /** Whether an id was listed that no sale has taken. */
    has: (name: Named): boolean => of(name).ids.has(name.id),
    /** Ids that were listed so far, without those that were there only because a worker had created them. */
    count: () => count,
    discount: (created: number): void => {
      count -= created;
    },
  };
};

type Listed = {
  readonly shelf: Shelf;
  /** Ids that no sale has taken. */
  readonly ids: Set<string>;
  /** Ids that were listed together last. */
  before: ReadonlySet<string>;
  /** The first day that is not listed yet. */
  next: CalendarDate;
};

/**
 * Returns the ids of the records of some days. The interface does not say whether the last day of a range is included, so
 * one more is asked for, and ids of it may come twice.
 */
const idsOn = async (
  { service }: ClosePorts,
  { kind, provider }: Shelf,
  { first, last }: Span,
): Promise<ReadonlySet<string>> => {
  const days =
    first === last
      ? { transaction_date: first }
      : { from_transaction_date: first, to_transaction_date: addDays(last, 1) };
  const query = { ...days, provider };
  return new Set(await service.list(kind, query));
};

/** The most records in one list. The embedded service does nothing else while it processes a list. */
const LIST_MAX = 250;
/** While the last calls of one list end and its answers are written, the service already processes the next lists. */
const LISTS_AT_ONCE = 3;

/**
 * Returns the function with which all pages that are processed in parallel send their records to the service: in lists,
 * none longer than the number of calls allowed in parallel. It returns the answers of all lists, or throws the error with
 * which one of them failed. After a failure, no more lists are sent.
 */
export const inLists = ({ callsAtOnce }: ClosePorts) => {
  const { run } = failingGate(LISTS_AT_ONCE);
  return async <Item, Answer>(
    items: readonly Item[],
    ask: (list: readonly Item[]) => Promise<readonly Answer[]>,
  ): Promise<readonly Answer[]> => {
    const lists = [...batchesOf(items, Math.min(callsAtOnce, LIST_MAX))].map((list) => run(() => ask(list)));
    return (await Promise.allSettled(lists)).flatMap((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  };
};
