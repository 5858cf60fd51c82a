import { addDays, type CalendarDate, earlierOf, laterOf } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Lock } from '../workspace/locks.ts';

/** Consecutive days of a period with the same status: open, or filed under these labels. */
export type Span = {
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  /** The lock of these days and its locked amendments; empty while they are open. */
  readonly labels: readonly string[];
};

/** Where the records of a period come from. */
export type FilingPlan = {
  /** The days of the period, oldest first, without a gap. */
  readonly spans: readonly Span[];
  /** The label of the amended version, when the period is one that is still open. */
  readonly amendment: string | undefined;
};

type Days = Pick<FilingPeriod, 'label' | 'first' | 'last'>;

/**
 * Returns which days of a period are open and which are filed. An amended version of a locked period consists of the
 * period as it was filed and what was added to the amendment.
 */
export const filingPlan = (period: Days, locks: readonly Lock[]): FilingPlan => {
  const own = locks.find(({ label, version }) => label === period.label && version > 0);
  if (own) {
    const versions = locks.filter(
      (lock) => lock.period === own.period && lock.version <= own.version && lock.state === 'locked',
    );
    const { first, last } = own;
    return {
      spans: [{ first, last, labels: versions.map(({ label }) => label) }],
      amendment: own.state === 'open' ? own.label : undefined,
    };
  }
  const spans: Span[] = [];
  let next = period.first;
  for (const lock of locks) {
    if (lock.version > 0 || lock.last < next || lock.first > period.last) continue;
    if (next < lock.first) spans.push({ first: next, last: addDays(lock.first, -1), labels: [] });
    const last = earlierOf(lock.last, period.last);
    spans.push({ first: laterOf(next, lock.first), last, labels: labelsOf(lock, locks) });
    next = addDays(last, 1);
  }
  if (next <= period.last) spans.push({ first: next, last: period.last, labels: [] });
  return { spans, amendment: undefined };
};

/** Returns the part of a plan for one day of its period. */
export const planOfDay = ({ spans, amendment }: FilingPlan, day: CalendarDate): FilingPlan => ({
  spans: spans
    .filter(({ first, last }) => first <= day && day <= last)
    .map((span) => ({ ...span, first: day, last: day })),
  amendment,
});

const labelsOf = ({ period }: Lock, locks: readonly Lock[]): readonly string[] =>
  locks.filter((lock) => lock.period === period && lock.state === 'locked').map(({ label }) => label);

export const isOpenSpan = ({ labels }: Span): boolean => labels.length === 0;

/** Whether no lock covers a day. */
export const isOpenDay = (day: string, locks: readonly Lock[]): boolean =>
  !locks.some(({ version, first, last }) => version === 0 && first <= day && day <= last);

/** Whether a record is carried to an open day, or put into this amended version, which is open. */
export const isOpenPlace = (
  { amendment, filed_on: day }: { readonly amendment: string; readonly filed_on: string },
  locks: readonly Lock[],
  version: string | undefined,
): boolean => (amendment === '' ? isOpenDay(day, locks) : amendment === version);
