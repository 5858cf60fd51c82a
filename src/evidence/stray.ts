import type { Order, Refund } from '../contract/transaction.ts';
import { ANSWERS } from '../judge/decision.ts';
import { type Asked, type Finding, finding } from '../judge/finding.ts';
import { addRecorded, type PeriodTotals } from '../judge/period-totals.ts';
import { digestOf, type Json } from '../kernel/json.ts';
import { formatMoney, moneyOfPrice, ZERO } from '../kernel/money.ts';

/** A record that the service has for a period, and that is of none of its posted sales: a line of `strays`. */
export type Stray = {
  /** The channel whose sales are recorded under the provider; the provider itself if there is none. */
  readonly channel: string;
  readonly provider: string;
  readonly kind: 'order' | 'refund';
  readonly id: string;
  /** The day, in the entity's time zone, on which the service has it. */
  readonly day: string;
  readonly record: Order | Refund;
  /** What the exports say of it; absent if none explains it. */
  readonly said?: string;
  /** Set where the finding of a sale asks about it, because it has the number of that sale. */
  readonly isNamed?: true;
  /** Set where somebody answered that it stays: it is in no total then. */
  readonly isKept?: true;
  /** Set where its sale awaits a decision; the finding of that sale then has the tax at stake. */
  readonly isHeld?: true;
};

/** Digest of a record as the service has it, 16 hex digits. */
export const recordDigest = (record: Order | Refund): string => digestOf(record as Json).slice(0, 16);

/** Returns the question what becomes of a record of the service as it is now. */
export const askedOfRecord = (
  { provider, kind, id, record }: Pick<Stray, 'provider' | 'kind' | 'id' | 'record'>,
  code: 'R20' | 'number-in-use',
): Asked => ({
  code,
  key: `${provider}/${kind}/${id}`,
  stated: recordDigest(record),
  choices: ANSWERS[code],
});

/** Adds a stray to the totals of its day, and returns its findings. */
export const addStray = (totals: PeriodTotals, stray: Stray): readonly Finding[] => {
  const { channel, provider, kind, id, day, record, said, isHeld, isKept, isNamed } = stray;
  const tax = moneyOfPrice(record.sales_tax);
  if (!isKept) addRecorded(totals, day, channel, { records: 1, amount: moneyOfPrice(record.amount), tax });
  if (isNamed) return [];
  const message = `the service holds this ${kind} of "${provider}" with ${formatMoney(tax)} tax; ${said ?? 'no export explains it'}`;
  const about = { record: id, state: record.to_state ?? '', effect: isHeld ? ZERO : tax };
  const asked = askedOfRecord(stray, 'R20');
  return [finding(said === undefined ? 'R20' : 'recorded-not-posted', message, { ...about, asked })];
};
