import type { Configuration } from '../close/configuration/schema.ts';
import { type Money, parseMoney, sum, ZERO } from '../kernel/money.ts';
import { amendedPeriod, type FilingPeriod, parsePeriod } from '../kernel/period.ts';
import { completingIn } from './shorter-returns.ts';
import type { Account } from './taken-over.ts';

type Registration = Configuration['registrations'][number];

/** What the configuration states of an account for a return. */
export type StatedBalance = {
  /** Whether it states anything. */
  readonly isStated: boolean;
  /** `undefined` when it is what the period before left. */
  readonly opening: Money | undefined;
  readonly added: Money;
};

/**
 * Returns what the configuration states of an account for the return of a period: for the period itself and for parts of
 * it, such as the months of a quarter. What is stated for parts belongs to their own returns where the return completes
 * these. An amended version has what is stated for the period that it amends.
 */
export const statedBalance = (
  registration: Registration,
  account: Account,
  { label: version, first, last }: FilingPeriod,
): StatedBalance => {
  const label = amendedPeriod(version);
  const period = { label, first, last };
  const isCompleting = completingIn(registration, period) !== undefined;
  const rows = registration[account].filter((row) =>
    isCompleting ? row.period === label : isPartOf(row.period, period),
  );
  const opening = rows.find((row) => row.opening !== undefined && parsePeriod(row.period)?.first === first);
  return {
    isStated: rows.length > 0,
    opening: opening && amountOf(opening.opening),
    added: sum(rows.map(({ added }) => amountOf(added))),
  };
};

/** Whether a stated period is this one or a part of it, such as a month of a quarter. */
export const isPartOf = (stated: string, { first, last }: FilingPeriod): boolean => {
  const period = parsePeriod(stated);
  return period !== undefined && period.first >= first && period.last <= last;
};

const amountOf = (text: string | undefined): Money => parseMoney(text ?? '0') ?? ZERO;
